"""The fast draws keep what the transforms keep and follow the same law, over vocabularies too large to sort."""

import tracemalloc

import numpy as np
import pytest
import scipy.stats

from minimodel import Chain, MinP, RepetitionPenalty, Temperature, TopK, TopP, softmax
from minimodel.sampling.fast import pick
from minimodel.sampling.selection import nucleus
from minimodel.sampling.small_rows import SMALL, TINY

STRATEGIES = [
    Temperature(0.7),
    TopK(50),
    TopK(3 * SMALL, tau=0.5),
    TopP(0.9),
    TopP(0.5, tau=1.5),
    TopP(1e-3),
    MinP(0.1),
    Chain(TopP(0.9), MinP(0.05)),
    Chain(Temperature(0.7), TopK(SMALL + 200), TopP(0.8)),
    Chain(RepetitionPenalty(1.3), Temperature(0.7), TopK(50), TopP(0.9)).given([3, 5, 5, 3 * SMALL]),
]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_draws_follow_the_law_of_the_plain_pipeline(large_row, strategy):
    z, n, rng = large_row, 1500, np.random.default_rng(1)
    probs = softmax(strategy.warp(z).astype(np.float64))
    tokens = np.array([strategy(z, rng) for _ in range(n)])
    assert (probs[tokens] > 0).all()
    # 12 groups of tokens of about equal probability, in an order that has nothing to do with it
    order = np.random.default_rng(2).permutation(z.size)
    group = np.empty(z.size, dtype=int)
    group[order] = np.minimum(np.cumsum(probs[order]) * 12, 11).astype(int)
    expected = n * np.bincount(group, probs, minlength=12)
    seen = np.bincount(group[tokens], minlength=12)
    used = expected > 1
    if used.sum() > 1:
        assert scipy.stats.chisquare(seen[used], expected[used] * seen[used].sum() / expected[used].sum()).pvalue > 1e-4


def test_scores_in_half_precision_are_drawn_as_in_single(large_rows):
    z = large_rows["normal"].astype(np.float16)
    for knobs in ({}, {"k": 50}, {"p": 0.9}, {"min_p": 0.1}):
        tokens = [
            [pick(row, np.random.default_rng(seed), **knobs) for seed in range(30)] for row in (z, z.astype(np.float32))
        ]
        assert tokens[0] == tokens[1]
    np.testing.assert_array_equal(nucleus(z, 0.9), nucleus(z.astype(np.float32), 0.9))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("strategy", [TopK(5), TopP(0.9), MinP(0.1), Temperature(2.0)], ids=repr)
@pytest.mark.parametrize("size", [TINY, SMALL, 2 * SMALL])
def test_bad_rows_are_refused(strategy, bad, size):
    z = np.full(size, bad if bad == -np.inf else 0.0)
    z[17] = bad
    with pytest.raises(ValueError, match="a row of logits is"):
        strategy(z, np.random.default_rng(0))


@pytest.mark.parametrize("strategy", [Temperature(0.8), TopK(50), TopP(0.9), MinP(0.1), STRATEGIES[-1]], ids=repr)
def test_a_draw_allocates_at_most_four_vocabularies(strategy):
    size = 262_144
    z, rng = np.random.default_rng(0).standard_normal(size, dtype=np.float32), np.random.default_rng(0)
    strategy(z, rng)
    tracemalloc.start()
    strategy(z, rng)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 4 * 4 * size


def test_the_logits_are_not_changed(large_rows):
    z = large_rows["normal"].copy()
    for strategy in STRATEGIES:
        strategy(z, np.random.default_rng(0))
    np.testing.assert_array_equal(z, large_rows["normal"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("tau", [1e-300, 1e-46, 3e-32, 1e-31, 1e-30])
def test_next_to_temperature_0_the_highest_is_drawn(tau, dtype, large_rows):
    z = large_rows["normal"].astype(dtype)
    for strategy in (Temperature(tau), TopP(0.9, tau), TopK(5, tau), MinP(0.1, tau)):
        assert strategy(z, np.random.default_rng(0)) == z.argmax()


def test_a_temperature_that_levels_all_leaves_top_k_its_tokens():
    z, rng = np.arange(1000.0), np.random.default_rng(0)
    assert {TopK(3, tau=1e17)(z, rng) for _ in range(100)} == {997, 998, 999}


def test_k_may_be_a_small_number_of_numpys_own(large_rows):
    z = large_rows["normal"]
    assert TopK(np.uint8(40))(z, np.random.default_rng(0)) == TopK(40)(z, np.random.default_rng(0))


@pytest.mark.parametrize("size", [3, TINY + 1, SMALL + 1])
def test_a_temperature_in_half_precision_draws_what_the_number_does(size):
    z = np.full(size, -np.inf)
    z[:3] = [300.0, 299.9, 299.8]
    half, number = (
        [pick(z, np.random.default_rng(seed), tau=tau) for seed in range(50)] for tau in (np.float16(0.5), 0.5)
    )
    assert half == number
    assert len(set(number)) == 3
