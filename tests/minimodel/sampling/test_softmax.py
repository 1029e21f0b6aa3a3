"""softmax and log_softmax against SciPy, and at the edges."""

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minimodel import log_softmax, softmax

logits = hnp.arrays(np.float64, hnp.array_shapes(max_dims=3), elements=st.floats(-50, 50))


@given(logits)
def test_softmax_is_scipys(z):
    np.testing.assert_allclose(softmax(z), scipy.special.softmax(z, axis=-1), rtol=1e-12)


@given(logits)
def test_log_softmax_is_scipys(z):
    np.testing.assert_allclose(log_softmax(z), scipy.special.log_softmax(z, axis=-1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shift", [1e4, -1e4])
def test_large_logits_do_not_overflow(shift):
    z = np.array([2.0, 1.0, 0.0])
    np.testing.assert_allclose(softmax(z + shift), softmax(z), rtol=1e-9)
    np.testing.assert_allclose(log_softmax(z + shift), log_softmax(z), rtol=1e-9)


def test_a_row_does_not_depend_on_the_scale_of_its_neighbours():
    z = np.array([[1e4, 0.0], [-1e4, -1e4]])
    assert softmax(z).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    np.testing.assert_allclose(log_softmax(z)[1], -np.log(2))


def test_forbidden_tokens_have_no_probability():
    assert softmax([0.0, -np.inf, 0.0]).tolist() == [0.5, 0.0, 0.5]
    assert log_softmax([0.0, -np.inf])[1] == -np.inf


def test_float32_stays_and_integers_become_floats():
    assert softmax(np.zeros(3, dtype=np.float32)).dtype == np.float32
    assert softmax(np.array([0, 0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("function", [softmax, log_softmax])
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([0.0, np.nan], "NaN"),
        ([0.0, np.inf], r"\+inf"),
        ([[0.0, 1.0], [-np.inf, -np.inf]], "all -inf"),
        ([], "shape"),
        (3.0, "shape"),
    ],
)
def test_refuses_what_is_no_row_of_logits(function, bad, said):
    with pytest.raises(ValueError, match=said):
        function(bad)
