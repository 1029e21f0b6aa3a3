"""The strategies: what they draw from, what they refuse, what randomness they use."""

import numpy as np
import pytest

from minimodel import (
    AllowOnly,
    Chain,
    FrequencyPenalty,
    Greedy,
    LogitBias,
    MinP,
    PresencePenalty,
    RepetitionPenalty,
    Temperature,
    TopK,
    TopP,
    Typical,
    apply_temperature,
    draw,
    min_p_filter,
    softmax,
    top_k_filter,
    top_p_filter,
    typical_filter,
)

Z = np.array([1.0, 3.0, 2.0, 0.5])


@pytest.mark.parametrize(
    ("strategy", "warped"),
    [
        (Temperature(0.7), apply_temperature(Z, 0.7)),
        (TopK(2, tau=0.7), top_k_filter(apply_temperature(Z, 0.7), 2)),
        (TopP(0.8, tau=0.5), top_p_filter(apply_temperature(Z, 0.5), 0.8)),
        (MinP(0.2, tau=2.0), min_p_filter(apply_temperature(Z, 2.0), 0.2)),
        (
            Chain(Temperature(0.7), TopK(3), TopP(0.9)),
            top_p_filter(top_k_filter(apply_temperature(Z, 0.7), 3), 0.9),
        ),
        (Chain(LogitBias({1: -np.inf}), TopK(1)), [-np.inf, -np.inf, 2.0, -np.inf]),
        (Chain(AllowOnly([0, 3]), Temperature(2.0)), [0.5, -np.inf, -np.inf, 0.25]),
        (Chain(TopP(0.9), Typical(0.5)), typical_filter(top_p_filter(Z, 0.9), 0.5)),
        (Chain(TopP(0.8), Temperature(0.5), any_order=True), apply_temperature(top_p_filter(Z, 0.8), 0.5)),
    ],
    ids=repr,
)
def test_a_strategy_draws_once_from_what_its_transforms_leave(strategy, warped):
    np.testing.assert_array_equal(strategy.warp(Z), warped)
    for seed in range(20):
        u = np.random.default_rng(seed).random()
        assert strategy(Z, np.random.default_rng(seed)) == draw(softmax(warped), u)


@pytest.mark.parametrize("strategy", [Greedy(), Temperature(0), TopK(3, tau=0), Chain(TopK(3), Greedy())], ids=repr)
def test_greedy_uses_no_random_number(strategy):
    rng = np.random.default_rng(0)
    assert strategy([1.0, 3.0, 3.0], rng) == 1
    assert rng.random() == np.random.default_rng(0).random()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Temperature(-1), "temperature is -1"),
        (lambda: Temperature(np.nan), "temperature is nan"),
        (lambda: TopK(0), "k is 0"),
        (lambda: TopP(0.0), "p is 0.0"),
        (lambda: TopP(0.9, tau=np.inf), "temperature is inf"),
        (lambda: MinP(1.5), "min_p is 1.5"),
        (lambda: RepetitionPenalty(0), "penalty is 0"),
        (Chain, "Chain\\(\\) is empty"),
    ],
)
def test_a_bad_argument_is_refused_at_once(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    "strategies",
    [
        (TopP(0.9), Temperature(0.7)),
        (TopP(0.9), TopK(5)),
        (TopK(5), TopP(0.9, tau=0.5)),  # its temperature would come after top-k
        (TopK(5), TopK(9)),
        (Temperature(0.7), RepetitionPenalty(1.2)),
        (Greedy(), TopK(5)),
    ],
    ids=repr,
)
def test_a_chain_refuses_another_order_unless_it_is_asked_for(strategies):
    with pytest.raises(ValueError, match="expected the order repetition penalty → .* → min-p"):
        Chain(*strategies)
    assert Chain(*strategies, any_order=True).warp(Z).shape == Z.shape


def test_a_trace_names_every_transform_and_shows_what_it_leaves():
    chain = Chain(RepetitionPenalty(2.0), Temperature(0.5), TopK(2)).given([1])
    names, logits = zip(*chain.trace(Z), strict=True)
    assert names == ("model", "repetition penalty", "temperature", "top-k")
    assert logits[0].tolist() == Z.tolist()
    assert logits[1].tolist() == [1.0, 1.5, 2.0, 0.5]
    assert logits[2].tolist() == [2.0, 3.0, 4.0, 1.0]
    assert logits[3].tolist() == [-np.inf, 3.0, 4.0, -np.inf]


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [
        (RepetitionPenalty(2.0), [1.0, 1.5, 2.0, 0.5]),
        (FrequencyPenalty(0.5), [1.0, 2.0, 2.0, 0.5]),
        (PresencePenalty(0.5), [1.0, 2.5, 2.0, 0.5]),
    ],
    ids=repr,
)
def test_penalties_hear_what_was_said(penalty, expected):
    assert penalty.given([1, 1]).warp(Z).tolist() == expected
    assert penalty.warp(Z).tolist() == Z.tolist()


@pytest.mark.parametrize("strategy", [Temperature(0.7), TopK(2), Chain(LogitBias({0: 1.0}), TopP(0.9)), Typical(0.9)])
@pytest.mark.parametrize("bad", [[0.0, np.nan], [-np.inf, -np.inf], [0.0, np.inf], [[0.0, 1.0]], []])
def test_a_draw_from_what_is_no_row_of_logits_is_refused(strategy, bad):
    with pytest.raises(ValueError, match="logits|probabilities|vocabulary"):
        strategy(bad, np.random.default_rng(0))


def test_the_penalty_hears_what_was_said_inside_a_chain_too():
    chain = Chain(RepetitionPenalty(2.0), Temperature(1.0))
    assert chain.given([1, 1]).warp(Z).tolist() == [1.0, 1.5, 2.0, 0.5]
    assert chain.warp(Z).tolist() == Z.tolist()


@pytest.mark.parametrize("late", [TopK(5, tau=0.3), TopP(0.9, tau=0.3), Temperature(0), Temperature(0.5)], ids=repr)
def test_a_temperature_of_1_leaves_the_next_one_its_say(late):
    chain, z = Chain(Temperature(1.0), late), np.array([3.0, 2.0, 1.0, 0.0, -1.0])
    rng = np.random.default_rng(0)
    drawn = np.bincount([chain(z, rng) for _ in range(2000)], minlength=5) / 2000
    np.testing.assert_allclose(drawn, softmax(chain.warp(z)), atol=0.04)


@pytest.mark.parametrize("shift", [0.0, -20.1, 7.7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [3, 400, 6000])
def test_min_p_draws_from_what_it_keeps_where_a_probability_is_just_the_share(size, dtype, shift):
    z = (np.log([0.5, *[0.25] * size, *[0.125] * size]) + shift).astype(dtype)
    strategy, rng = MinP(0.5), np.random.default_rng(0)
    kept = set(np.flatnonzero(np.isfinite(strategy.warp(z))).tolist())
    drawn = {strategy(z, rng) for _ in range(400)}
    assert drawn <= kept
    assert len(drawn) >= min(len(kept), 4)
