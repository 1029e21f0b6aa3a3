"""Greedy, inverse-CDF and Gumbel-max draws."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minimodel import draw, greedy, gumbel_draw, softmax

BELOW_ONE = np.nextafter(1.0, 0.0)


def test_greedy_takes_the_lowest_of_equals():
    assert greedy([1.0, 3.0, 3.0]) == 1
    assert type(greedy([1.0, 3.0])) is int
    assert greedy([[1.0, 3.0], [2.0, 0.0]]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("probs", "u", "token"),
    [
        ([0.5, 0.25, 0.25], 0.0, 0),
        ([0.5, 0.25, 0.25], 0.5, 1),  # cumulative > u, not >=
        ([0.5, 0.25, 0.25], 0.75, 2),
        ([0.5, 0.25, 0.25], BELOW_ONE, 2),
        ([0.0, 0.5, 0.5], 0.0, 1),  # an id of probability 0 is never drawn: first,
        ([0.5, 0.0, 0.5], 0.5, 2),  # in the middle,
        ([0.5, 0.5, 0.0], BELOW_ONE, 1),  # last
        ([0.1] * 10, BELOW_ONE, 9),  # the sum of ten tenths is below 1
        ([0.1] * 10 + [0.0], BELOW_ONE, 9),
    ],
)
def test_draw(probs, u, token):
    assert draw(probs, u) == token
    assert type(draw(probs, u)) is int


@given(hnp.arrays(np.float32, st.integers(1, 40), elements=st.floats(-20, 20, width=32)), st.floats(0, BELOW_ONE))
def test_draw_never_leaves_the_support(z, u):
    z[::3] = -np.inf if len(z) > 1 else z[0]
    if z.max() > -np.inf:
        probs = softmax(z)
        assert probs[draw(probs, u)] > 0


def test_draw_takes_one_uniform_a_row():
    assert draw([[0.5, 0.5], [0.5, 0.5]], [0.1, 0.9]).tolist() == [0, 1]


@pytest.mark.parametrize("u", [-0.1, 1.0, np.nan])
def test_draw_refuses_a_u_outside_its_interval(u):
    with pytest.raises(ValueError, match="u is"):
        draw([0.5, 0.5], u)


@pytest.mark.parametrize("probs", [[0.5, 0.6], [1.5, -0.5], [np.nan, 1.0], [], [0.5, 0.4]])
def test_draw_refuses_what_is_no_distribution(probs):
    with pytest.raises(ValueError, match="probabilities"):
        draw(probs, 0.5)


def test_gumbel_draw_is_the_argmax_of_the_sum():
    assert gumbel_draw([0.0, 1.0], [2.0, 0.5]) == 0
    assert gumbel_draw([[0.0, 1.0], [0.0, 1.0]], [[2.0, 0.5], [0.0, 0.0]]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="noise has shape"):
        gumbel_draw([0.0, 1.0], [1.0])


def test_both_draws_follow_the_softmax():
    z, n, rng = np.array([1.0, 0.0, -1.0, -np.inf, 0.5]), 20_000, np.random.default_rng(0)
    probs = softmax(z)
    rows = np.broadcast_to(z, (n, len(z)))
    inverse = draw(np.broadcast_to(probs, rows.shape), rng.random(n))
    gumbel = gumbel_draw(rows, rng.gumbel(size=rows.shape))
    for tokens in (inverse, gumbel):
        counts = np.bincount(tokens, minlength=len(z))
        assert counts[3] == 0
        assert scipy.stats.chisquare(counts[probs > 0], n * probs[probs > 0]).pvalue > 1e-3
