"""The mass of many weights: found in blocks, it is what a running sum in double precision gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minimodel.sampling.cdf import BLOCK, Cdf, ShortCdf, block_sums, mass_of

BELOW_ONE = np.nextafter(1.0, 0.0)
LEVELS = pytest.mark.parametrize("levels", [Cdf, ShortCdf])
rows = st.lists(st.sampled_from([0.0, 0.125, 1.0]), min_size=1, max_size=3 * BLOCK)


@LEVELS
@given(rows.filter(any), st.floats(0, BELOW_ONE) | st.sampled_from([0.0, 0.25, 0.5]))
@settings(max_examples=60)
def test_find_is_the_first_id_up_to_which_there_is_more_than_that_mass(levels, weights, u):
    cdf = levels(np.array(weights))
    mass = u * cdf.total  # sums of eighths: no rounding can hide a mistake
    assert cdf.find(mass) == np.flatnonzero(np.cumsum(weights) > mass)[0]


@pytest.mark.parametrize(("mass", "token"), [(0.0, 700), (2 * BELOW_ONE, 1400), (1.0, 1400), (2.0, 1400)])
@LEVELS
def test_find_never_returns_what_has_no_mass(levels, mass, token):
    weights = np.zeros(1500)
    weights[[700, 1400]] = 1.0
    assert levels(weights).find(mass) == token


@pytest.mark.parametrize("size", [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_weight_is_in_one_block(size, dtype):
    weights = np.arange(size, dtype=dtype)
    starts, chosen = range(0, size, BLOCK), np.random.default_rng(0).random(size) < 0.3
    np.testing.assert_array_equal(block_sums(weights), [weights[i : i + BLOCK].sum() for i in starts])
    some = np.where(chosen, weights, 0)
    np.testing.assert_array_equal(block_sums(weights, chosen), [some[i : i + BLOCK].sum() for i in starts])


def test_the_mass_of_a_large_vocabulary_keeps_what_a_sum_in_single_precision_loses():
    weights = np.random.default_rng(0).random(262_144, dtype=np.float32)
    exact = weights.sum(dtype=np.float64)
    assert abs(mass_of(weights) / exact - 1) < 1e-7 < abs(weights.cumsum()[-1] / exact - 1)


def test_a_few_weights_are_summed_in_double_precision_too():
    weights = np.float32([2**24, 1, 1])
    assert ShortCdf(weights).total == 2**24 + 2
    assert ShortCdf(weights).find(2.0**24 + 1) == 2


@LEVELS
def test_no_weights_have_no_mass(levels):
    nothing = np.array([], dtype=np.float32)
    assert levels(nothing).total == mass_of(nothing) == 0
