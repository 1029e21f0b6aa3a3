"""No attention score is beyond its bound, and the bound is not far beyond what there can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimodel import GPTConfig, MiniGPT
from minimodel.attention_bound import first_inputs, is_moderate, largest_score
from minimodel.folding import fold

D, HEADS = 8, 2


def scores(qkv, x, y):
    """The scores of queries x with keys y, shape ``(heads, queries, keys)``."""
    queries, keys = (x @ qkv[:-1] + qkv[-1])[:, :D], (y @ qkv[:-1])[:, D : 2 * D]
    return np.stack(
        [q @ k.T for q, k in zip(np.split(queries, HEADS, 1), np.split(keys, HEADS, 1), strict=True)],
    )


def made(seed):
    """Weights with a bias for all but the keys, and 200 inputs of length up to 1."""
    rng = np.random.default_rng(seed)
    qkv, inputs = rng.standard_normal((D + 1, 3 * D)), rng.standard_normal((200, D))
    return qkv, inputs / np.linalg.norm(inputs, axis=1, keepdims=True) * rng.random((200, 1)) ** 0.1


@given(st.integers(0, 10_000))
def test_no_score_is_beyond_it(seed):
    qkv, x = made(seed)
    found = np.abs(scores(qkv, x, x)).max()
    assert found <= largest_score(qkv, HEADS, x) <= largest_score(qkv, HEADS, None)


def test_the_worst_key_for_given_inputs_reaches_it():
    qkv, x = made(0)
    toward = np.stack([scores(qkv, x, np.eye(D))[head] for head in range(HEADS)]).reshape(-1, D)
    worst = toward / np.linalg.norm(toward, axis=1, keepdims=True)
    assert scores(qkv, x, worst).max() == pytest.approx(largest_score(qkv, HEADS, x))


def test_the_worst_input_reaches_it_where_queries_have_no_bias():
    qkv, _ = made(0)
    qkv[-1] = 0
    worst = [np.linalg.svd(a) for a in scores(qkv, np.eye(D), np.eye(D))]
    x, y = np.stack([u[:, 0] for u, _, _ in worst]), np.stack([v[0] for _, _, v in worst])
    assert scores(qkv, x, y).max() == pytest.approx(largest_score(qkv, HEADS, None))


def test_the_first_inputs_are_all_tokens_at_all_places():
    rng = np.random.default_rng(0)
    embedding, positions = rng.standard_normal((5, D)), rng.standard_normal((3, D))
    inputs = first_inputs(embedding, positions)
    sums = np.array([token + position for token in embedding for position in positions])
    np.testing.assert_allclose(inputs, sums / np.linalg.norm(sums, axis=1, keepdims=True), rtol=1e-4)
    assert (np.linalg.norm(inputs, axis=1) <= 1).all()
    assert first_inputs(np.zeros((2**8, D)), np.zeros((2**7, D))) is None


def test_what_is_proved_of_the_models_that_we_ship_and_not_of_a_loud_one():
    english = MiniGPT.load("en")
    assert all(layer.moderate for layer in fold(english).layers)
    loud = {name: weight * (40 if "c_attn" in name else 1) for name, weight in english.weights.items()}
    assert not any(layer.moderate for layer in fold(MiniGPT(GPTConfig(), loud)).layers)


@pytest.mark.parametrize(("positions", "loudness"), [(1, 1e-6), (1, 1.0), (64, 1.0), (64, 100.0), (10**6, 100.0)])
def test_moderate_is_what_can_be_summed_in_single_precision(positions, loudness):
    qkv = np.zeros((D + 1, 3 * D))
    qkv[0, [0, D, 2 * D]] = 1, 1, loudness  # in the direction of the first feature, a score is its input squared
    worst = np.float32(loudness * np.sqrt(2))
    scale = 60.0
    while is_moderate(qkv * np.where(np.arange(3 * D) < D, scale, 1), HEADS, None, positions):
        scale += 0.25
    largest = np.exp(np.float32(scale - 0.25))
    assert np.isfinite(np.float32(positions) * largest * max(worst, np.float32(1)))
    assert 1 / largest >= np.finfo(np.float32).tiny
    with np.errstate(over="ignore"):  # and not much more would be
        assert np.isinf(np.float32(positions) * np.exp(np.float32(scale + 2)) * max(worst, np.float32(1)))
