"""The fast draws keep what the transforms keep and follow the same law, over vocabularies too large to sort."""

import tracemalloc

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from minimodel import (
    Chain,
    MinP,
    RepetitionPenalty,
    Temperature,
    TopK,
    TopP,
    softmax,
    top_k_filter,
    top_p_filter,
)
from minimodel.sampling import fast
from minimodel.sampling.fast import (
    EXCESS,
    SAMPLE,
    SMALL,
    TINY,
    Cdf,
    _pick_listed,
    _pick_sorted,
    _rough_weights,
    nucleus,
    pick,
    top,
)

V = 3 * SMALL + 77  # three blocks and a bit
BELOW_ONE = np.nextafter(1.0, 0.0)


def logits(shape, seed=0):
    """Rows of the kinds that samplers meet; the last with many ties and forbidden tokens."""
    rng = np.random.default_rng(seed)
    z = {
        "normal": 3 * rng.standard_normal(V),
        "peaked": -1.5 * np.log(rng.permutation(V) + 1.0),
        "flat": 0.1 * rng.standard_normal(V),
        "tied": rng.integers(0, 6, V).astype(float),
    }[shape]
    if shape == "tied":
        z[rng.random(V) < 0.3] = -np.inf
    return z.astype(np.float32)


SHAPES = pytest.mark.parametrize("shape", ["normal", "peaked", "flat", "tied"])


@SHAPES
@pytest.mark.parametrize("k", [1, 2, 50, 400, V - 1, V])
def test_top_is_the_start_of_the_stable_order(shape, k):
    z = logits(shape)
    np.testing.assert_array_equal(top(z, k), np.argsort(-z, kind="stable")[:k])
    kept = np.zeros(V, dtype=bool)
    kept[top(z, k)] = True
    np.testing.assert_array_equal(top_k_filter(z, k), np.where(kept, z, -np.inf))


@SHAPES
@pytest.mark.parametrize("tau", [1.0, 0.5, 3.0])
@pytest.mark.parametrize("p", [1e-6, 0.1, 0.5, 0.9, 0.999])
def test_nucleus_is_the_shortest_start_of_the_stable_order_with_its_mass(shape, p, tau):
    z = logits(shape).astype(np.float64)
    order = np.argsort(-z, kind="stable")
    mass = np.cumsum(softmax(z / tau)[order])
    expected = np.sort(order[: int(np.searchsorted(mass, p)) + 1])
    np.testing.assert_array_equal(np.flatnonzero(nucleus(z, p, tau)), expected)
    if tau == 1:
        np.testing.assert_array_equal(np.flatnonzero(top_p_filter(z, p) > -np.inf), expected)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("seen", ["a rising row", "the heavy ones only", "the light ones only"])
def test_the_nucleus_does_not_depend_on_what_its_sample_sees(seen, p):
    z = np.sort(np.random.default_rng(0).normal(size=16 * SAMPLE))  # every 16th is what the nucleus is guessed from
    if seen != "a rising row":
        z = np.roll(z, SAMPLE if seen == "the heavy ones only" else 0).reshape(16, SAMPLE).T.ravel()
    order = np.argsort(-z, kind="stable")
    expected = np.sort(order[: int(np.cumsum(softmax(z)[order]).searchsorted(p)) + 1])
    np.testing.assert_array_equal(np.flatnonzero(nucleus(z, p)), expected)


def test_filters_treat_the_rows_of_a_large_batch_on_their_own():
    z = np.array([[logits("normal"), logits("flat")], [logits("tied"), logits("peaked")]])
    for keep in (lambda rows: top_k_filter(rows, 20), lambda rows: top_p_filter(rows, 0.7)):
        np.testing.assert_array_equal(keep(z), [[keep(row) for row in rows] for rows in z])


STRATEGIES = [
    Temperature(0.7),
    TopK(50),
    TopK(V - 5, tau=0.5),
    TopP(0.9),
    TopP(0.5, tau=1.5),
    TopP(1e-3),
    MinP(0.1),
    Chain(TopP(0.9), MinP(0.05)),
    Chain(Temperature(0.7), TopK(SMALL + 200), TopP(0.8)),
    Chain(RepetitionPenalty(1.3), Temperature(0.7), TopK(50), TopP(0.9)).given([3, 5, 5, V - 1]),
]


@SHAPES
@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_draws_follow_the_law_of_the_plain_pipeline(shape, strategy):
    z, n, rng = logits(shape), 1500, np.random.default_rng(1)
    probs = softmax(strategy.warp(z).astype(np.float64))
    tokens = np.array([strategy(z, rng) for _ in range(n)])
    assert (probs[tokens] > 0).all()
    # 12 groups of tokens of about equal probability, in an order that has nothing to do with it
    order = np.random.default_rng(2).permutation(V)
    group = np.empty(V, dtype=int)
    group[order] = np.minimum(np.cumsum(probs[order]) * 12, 11).astype(int)
    expected = n * np.bincount(group, probs, minlength=12)
    seen = np.bincount(group[tokens], minlength=12)
    used = expected > 1
    if used.sum() > 1:
        assert scipy.stats.chisquare(seen[used], expected[used] * seen[used].sum() / expected[used].sum()).pvalue > 1e-4


@pytest.mark.parametrize("tau", [0.01, 0.7, 1.0, 30.0])
@pytest.mark.parametrize("peak", [-1000.0, 0.0, 40.0])
def test_rough_weights_are_never_too_light_and_at_most_by_their_excess_too_heavy(peak, tau):
    z = (peak - np.linspace(0, 80 * tau, 20_001)).astype(np.float32)
    exact = np.exp((z.astype(np.float64) - z[0]) / tau)
    ratio = _rough_weights(z, float(z[0]), tau) / exact
    assert ratio.min() >= 1
    assert ratio.max() <= EXCESS
    assert ratio.max() > 1.05  # or EXCESS would be more than it has to be


def test_rough_weights_of_what_is_forbidden_or_too_light_for_a_float_are_0():
    np.testing.assert_array_equal(_rough_weights(np.array([0.0, -100.0, -1e30, -np.inf]), 0.0, 1.0)[1:], 0)


@SHAPES
@pytest.mark.parametrize("p", [1e-6, 0.3, 0.9, 0.9999])
def test_where_rough_weights_decide_the_exact_ones_decide_the_same(shape, p, monkeypatch):
    z = logits(shape)
    quick = [pick(z, np.random.default_rng(seed), p=p) for seed in range(100)]
    monkeypatch.setattr(fast, "EXCESS", np.inf)  # now they never know
    assert quick == [pick(z, np.random.default_rng(seed), p=p) for seed in range(100)]


def test_what_rough_weights_make_too_likely_is_taken_back(monkeypatch):
    z, odd = np.zeros(V, dtype=np.float32), np.arange(V) % 2 == 1
    monkeypatch.setattr(fast, "_rough_weights", lambda scores, peak, tau: np.where(odd, 2.0, 1.0))
    monkeypatch.setattr(fast, "EXCESS", 2.0)
    rng = np.random.default_rng(0)
    share = np.mean([odd[pick(z, rng, p=0.999)] for _ in range(1000)])
    assert abs(share - 0.5) < 0.06  # four standard deviations; 2/3 if nothing were taken back


def test_scores_in_half_precision_are_drawn_as_in_single():
    z = logits("normal").astype(np.float16)
    for knobs in ({}, {"k": 50}, {"p": 0.9}, {"min_p": 0.1}):
        tokens = [
            [pick(row, np.random.default_rng(seed), **knobs) for seed in range(30)] for row in (z, z.astype(np.float32))
        ]
        assert tokens[0] == tokens[1]
    np.testing.assert_array_equal(nucleus(z, 0.9), nucleus(z.astype(np.float32), 0.9))


rows = st.lists(st.sampled_from([-np.inf, 0.0, 1.0, 3.0]), min_size=1, max_size=1500)


@given(rows.filter(lambda z: max(z) > -np.inf), st.floats(0, BELOW_ONE))
@settings(max_examples=60)
def test_find_is_the_first_id_whose_cumulative_is_above_u(z, u):
    cdf = Cdf(np.exp(z))
    token = cdf.find(u)
    cumulative = np.cumsum(cdf.weights) / cdf.total
    assert cdf.weights[token] > 0
    assert cumulative[token] > u - 1e-9
    assert token == 0 or cumulative[token - 1] <= u + 1e-9


@pytest.mark.parametrize(("u", "token"), [(0.0, 700), (BELOW_ONE, 1400)])
def test_find_never_returns_what_has_no_probability(u, token):
    z = np.full(V, -np.inf)
    z[[700, 1400]] = 0.0
    assert Cdf(np.exp(z)).find(u) == token


@given(st.data(), st.integers(1, TINY))
@settings(max_examples=150)
def test_lists_and_arrays_draw_the_same(data, size):
    z = np.array(data.draw(st.lists(st.sampled_from([-np.inf, -3.0, 0.0, 0.5, 2.0]), min_size=size, max_size=size)))
    z[data.draw(st.integers(0, size - 1))] = 1.0
    knobs = {
        "tau": data.draw(st.sampled_from([0.25, 1.0, 4.0])),
        "k": data.draw(st.integers(1, size)),
        "p": data.draw(st.sampled_from([0.125, 0.5, 0.9, 1.0])),
        "min_p": data.draw(st.sampled_from([0.0, 0.25, 1.0])),
    }
    seed = data.draw(st.integers(0, 99))
    listed, sorted_ = (pick(z, np.random.default_rng(seed), **knobs) for pick in (_pick_listed, _pick_sorted))
    assert listed == sorted_


def test_a_tiny_p_on_flat_logits_ends():
    z = np.zeros(V, dtype=np.float32)
    assert TopP(1e-9)(z, np.random.default_rng(0)) == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("strategy", [TopK(5), TopP(0.9), MinP(0.1), Temperature(2.0)], ids=repr)
@pytest.mark.parametrize("size", [TINY, SMALL, V])
def test_bad_rows_are_refused(strategy, bad, size):
    z = np.full(size, bad if bad == -np.inf else 0.0)
    z[17] = bad
    with pytest.raises(ValueError, match="a row of logits is"):
        strategy(z, np.random.default_rng(0))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    "keep", [lambda z: top_k_filter(z, 5), lambda z: top_k_filter(z, V), lambda z: top_p_filter(z, 0.9)]
)
def test_filters_refuse_bad_rows_of_a_large_vocabulary(keep, bad):
    z = np.full((2, V), bad if bad == -np.inf else 0.0)
    z[0] = 0.0
    z[1, 17] = bad
    with pytest.raises(ValueError, match="a row of logits is"):
        keep(z)


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


def test_the_logits_are_not_changed():
    z = logits("normal")
    for strategy in STRATEGIES:
        strategy(z, np.random.default_rng(0))
    np.testing.assert_array_equal(z, logits("normal"))
