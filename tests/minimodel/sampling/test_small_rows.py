"""Tiny rows in Python's lists, small ones in arrays and sorted ones are the same pipeline."""

import numpy as np
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
