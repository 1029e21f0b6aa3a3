"""Tiny rows in Python's lists, small ones in arrays and sorted ones are the same pipeline."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minimodel.sampling.small_rows import TINY, pick_listed, pick_ranked, pick_sorted

KNOBS = st.fixed_dictionaries(
    {
        "tau": st.sampled_from([0.25, 1.0, 4.0]),
        "p": st.sampled_from([0.125, 0.5, 0.9, 1.0]),
        "min_p": st.sampled_from([0.0, 0.25, 1.0]),
    }
)


@given(st.data(), st.integers(1, TINY))
@settings(max_examples=150)
def test_lists_and_arrays_draw_the_same(data, size):
    z = np.array(data.draw(st.lists(st.sampled_from([-np.inf, -3.0, 0.0, 0.5, 2.0]), min_size=size, max_size=size)))
    z[data.draw(st.integers(0, size - 1))] = 1.0
    knobs = data.draw(KNOBS) | {"k": data.draw(st.integers(1, size))}
    seed = data.draw(st.integers(0, 99))
    listed, sorted_ = (pick(z, np.random.default_rng(seed), **knobs) for pick in (pick_listed, pick_sorted))
    assert listed == sorted_


@given(st.lists(st.sampled_from([-np.inf, -3.0, 0.0, 0.5, 2.0]), max_size=TINY), KNOBS, st.integers(0, 99))
@settings(max_examples=150)
def test_a_row_in_order_draws_the_same_without_being_sorted(lower, knobs, seed):
    z = np.array([2.0, *sorted(lower, reverse=True)])
    ranked = pick_ranked(z, np.random.default_rng(seed), **knobs)
    assert ranked == pick_sorted(z, np.random.default_rng(seed), k=z.size, **knobs)


NONE = {"tau": 1.0, "k": 3, "p": 1.0, "min_p": 0.0}
KEPT = [{"k": 3}, {"k": 2}, {"p": 0.5}, {"min_p": 0.5}]


@pytest.mark.parametrize("far", [-1e5, -1000.0, -744.0, -600.0, 600.0, 709.5, 720.0, 1000.0, 1e5])
@pytest.mark.parametrize("knobs", KEPT)
def test_tiny_rows_far_from_0_neither_overflow_nor_vanish(far, knobs):
    near, knobs = np.array([0.0, 1.0, 0.5]), NONE | knobs
    drawn = [pick_listed(near + far, np.random.default_rng(seed), **knobs) for seed in range(200)]
    assert drawn == [pick_sorted(near, np.random.default_rng(seed), **knobs) for seed in range(200)]


@pytest.mark.parametrize("row", list(permutations([0.0, np.nan, 2000.0])))
@pytest.mark.parametrize("knobs", KEPT)
def test_what_is_no_number_is_said_to_be_none_whatever_would_overflow(row, knobs):
    with pytest.raises(ValueError, match="NaN"):
        pick_listed(np.array(row), np.random.default_rng(0), **(NONE | knobs))
