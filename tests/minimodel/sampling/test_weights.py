"""Rough weights stay within their bounds."""

import numpy as np
import pytest

from minimodel.sampling.weights import EXCESS, rough_weights


@pytest.mark.parametrize("tau", [0.01, 0.7, 1.0, 30.0])
@pytest.mark.parametrize("peak", [-1000.0, -0.87, 0.0, 0.87, 26.0, 40.0, -87.0, 87.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rough_weights_are_never_too_light_and_at_most_by_their_excess_too_heavy(peak, tau, dtype):
    z = (peak - np.linspace(0, 80 * tau, 20_001)).astype(dtype)
    exact = np.exp((z.astype(np.float64) - z[0]) / tau)
    ratio = rough_weights(z, float(z[0]), tau) / exact
    assert ratio.min() >= 1
    assert ratio.max() <= EXCESS
    assert ratio.max() > 1.05  # or EXCESS would be more than it has to be


def test_rough_weights_of_what_is_forbidden_or_too_light_for_a_float_are_0():
    np.testing.assert_array_equal(rough_weights(np.array([0.0, -100.0, -1e30, -np.inf]), 0.0, 1.0)[1:], 0)
