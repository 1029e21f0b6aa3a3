"""Every line of the contract's table of transforms, and the facts about their order."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from transformers import (
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from minimodel import (
    apply_logit_bias,
    apply_repetition_penalty,
    apply_temperature,
    min_p_filter,
    softmax,
    top_k_filter,
    top_p_filter,
)

INF = np.inf
# distinct logits, far enough apart for float32: libraries agree on these, and only on these
distinct = st.permutations(range(12)).map(lambda order: np.array(order) / 2 - 2)
# few values, so that there are many ties
tied = hnp.arrays(np.float64, st.integers(1, 9), elements=st.sampled_from([-INF, -1.0, 0.0, 0.5, 2.0])).filter(
    lambda z: z.max() > -INF
)
batches = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=3), elements=st.floats(-9, 9))

TRANSFORMS = {
    "temperature": partial(apply_temperature, tau=0.7),
    "top-k": partial(top_k_filter, k=2),
    "top-p": partial(top_p_filter, p=0.6),
    "min-p": partial(min_p_filter, min_p=0.3),
    "penalty": partial(apply_repetition_penalty, token_ids=[0, 0], penalty=1.3),
    "bias": partial(apply_logit_bias, bias={0: 1.5}),
}
all_transforms = pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
all_filters = pytest.mark.parametrize("keep", [TRANSFORMS[name] for name in ("top-k", "top-p", "min-p")])


def kept(logits):
    return np.flatnonzero(np.asarray(logits) > -INF).tolist()


# --- what holds for all of them ---


@all_transforms
@given(batches)
def test_rows_are_treated_on_their_own(transform, z):
    rows = np.array([transform(row) for row in z.reshape(-1, z.shape[-1])])
    np.testing.assert_array_equal(transform(z), rows.reshape(z.shape))


@pytest.mark.parametrize("transform", [*TRANSFORMS.values(), partial(top_p_filter, p=1.0), partial(top_k_filter, k=9)])
def test_the_input_is_never_changed(transform):
    z = np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
    before = z.copy()
    out = transform(z)
    out += 1  # nor is it shared with what comes out
    np.testing.assert_array_equal(z, before)


@all_transforms
def test_float32_stays_float32_and_lists_and_integers_are_taken(transform):
    assert transform(np.zeros(3, dtype=np.float32)).dtype == np.float32
    np.testing.assert_array_equal(transform([3, 1, 2]), transform(np.array([3.0, 1.0, 2.0])))


@all_transforms
@pytest.mark.parametrize("bad", [[0.0, np.nan], [-INF, -INF], [[0.0, 1.0], [-INF, -INF]]])
def test_a_row_that_is_no_row_of_logits_is_refused(transform, bad):
    with pytest.raises(ValueError, match=r"row of logits|token id"):
        transform(bad)


@all_filters
@given(tied)
def test_the_argmax_survives_and_what_is_kept_is_unchanged(keep, z):
    out = keep(z)
    assert out[z.argmax()] == z.max()
    assert all(out[i] in (z[i], -INF) for i in range(len(z)))


# --- temperature ---


def test_temperature_divides():
    assert apply_temperature([2.0, 1.0, -3.0], 0.5).tolist() == [4.0, 2.0, -6.0]


@pytest.mark.parametrize("tau", [0, 0.0, -1, np.nan, INF, -INF])
def test_temperature_refuses(tau):
    with pytest.raises(ValueError, match=f"temperature is {tau}"):
        apply_temperature([1.0, 2.0], tau)


# --- top-k ---


@pytest.mark.parametrize(
    ("z", "k", "ids"),
    [
        ([1, 3, 2], 1, [1]),
        ([1, 3, 2], 2, [1, 2]),
        ([2, 1, 1, 1, 0], 2, [0, 1]),  # a tie at the edge: the lowest index
        ([0, 1, 1, 2, 1], 3, [1, 2, 3]),
        ([5, 5, 5], 1, [0]),
        ([1, 2], 9, [0, 1]),  # k beyond V keeps all
    ],
)
def test_top_k(z, k, ids):
    assert kept(top_k_filter(z, k)) == ids


@given(hnp.arrays(np.float64, st.integers(1, 9), elements=st.sampled_from([0.0, 1.0, 2.0])), st.integers(1, 12))
def test_top_k_keeps_exactly_k(z, k):
    assert len(kept(top_k_filter(z, k))) == min(k, len(z))


@pytest.mark.parametrize("k", [0, -1, 1.5, 2.0, True, "2", None])
def test_top_k_refuses(k):
    with pytest.raises(ValueError, match="k is "):
        top_k_filter([1.0, 2.0], k)


# --- top-p ---


@pytest.mark.parametrize(
    ("probs", "p", "ids"),
    [
        ([0.5, 0.2, 0.15, 0.1, 0.05], 0.8, [0, 1, 2]),
        ([1 / 2, 1 / 4, 1 / 4], 3 / 4, [0, 1]),  # the mass is reached exactly
        ([1 / 4] * 4, 1 / 2, [0, 1]),  # equal ones by lowest index
        ([0.3, 0.1, 0.1, 0.5], 0.75, [0, 3]),  # unsorted
        ([0.15, 0.3, 0.3, 0.25], 0.8, [1, 2, 3]),
        ([1 / 2, 1 / 4, 1 / 8, 1 / 8], 1 / 2, [0]),
        ([1 / 2, 1 / 4, 1 / 8, 1 / 8], 1e-9, [0]),  # never none
        ([1 / 2, 1 / 4, 1 / 8, 1 / 8], 1.0, [0, 1, 2, 3]),
    ],
)
def test_top_p(probs, p, ids):
    assert kept(top_p_filter(np.log(probs), p)) == ids


@given(hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(-5, 5)), st.floats(0.01, 0.99))
def test_the_nucleus_is_the_smallest_that_covers_p(z, p):
    probs, ids = softmax(z), kept(top_p_filter(z, p))
    assert probs[ids].sum() >= p - 1e-12
    assert probs[ids].sum() - probs[ids].min() < p + 1e-12  # without its last token it does not cover p


def test_p_of_1_keeps_even_what_rounding_would_lose():
    z = np.array([0.0] + [-60.0] * 5)
    assert kept(top_p_filter(z, 1.0)) == list(range(6))


@pytest.mark.parametrize("p", [0, -0.1, 1.0001, np.nan])
def test_top_p_refuses(p):
    with pytest.raises(ValueError, match=f"p is {p}"):
        top_p_filter([1.0, 2.0], p)


# --- min-p ---


@pytest.mark.parametrize(
    ("probs", "min_p", "ids"),
    [
        ([1 / 2, 1 / 4, 1 / 8, 1 / 8], 1 / 2, [0, 1]),  # "at least": the boundary is kept
        ([1 / 8, 1 / 2, 1 / 4, 1 / 8], 1 / 4, [0, 1, 2, 3]),
        ([1 / 4, 1 / 4, 1 / 2], 1.0, [2]),
        ([1 / 4, 1 / 4, 1 / 4, 1 / 4], 1.0, [0, 1, 2, 3]),
        ([1 / 2, 1 / 4, 1 / 4], 0.0, [0, 1, 2]),
    ],
)
def test_min_p(probs, min_p, ids):
    assert kept(min_p_filter(np.log(probs), min_p)) == ids


@pytest.mark.parametrize("min_p", [-0.1, 1.1, np.nan])
def test_min_p_refuses(min_p):
    with pytest.raises(ValueError, match=f"min_p is {min_p}"):
        min_p_filter([1.0, 2.0], min_p)


# --- repetition penalty and logit bias ---


def test_penalty_counts_each_id_once_and_pushes_both_signs_down():
    assert apply_repetition_penalty([2.0, -1.0, 0.0, 1.0], [0, 0, 0, 1, 2], 2.0).tolist() == [1.0, -2.0, 0.0, 1.0]


def test_penalty_takes_one_list_of_ids_a_row():
    z = [[2.0, 2.0], [2.0, 2.0]]
    assert apply_repetition_penalty(z, [[0], [1]], 2.0).tolist() == [[1.0, 2.0], [2.0, 1.0]]
    assert apply_repetition_penalty(z, [], 2.0).tolist() == z


@pytest.mark.parametrize("penalty", [0, -1.2, np.nan, INF])
def test_penalty_refuses(penalty):
    with pytest.raises(ValueError, match=f"penalty is {penalty}"):
        apply_repetition_penalty([1.0], [0], penalty)


@pytest.mark.parametrize("token", [-1, 2, 99])
def test_an_id_outside_the_vocabulary_is_named(token):
    with pytest.raises(ValueError, match=f"token id {token} is outside the vocabulary: expected 0 to 1"):
        apply_repetition_penalty([1.0, 2.0], [0, token], 1.2)
    with pytest.raises(ValueError, match=f"token id {token} is outside the vocabulary: expected 0 to 1"):
        apply_logit_bias([1.0, 2.0], {token: 1.0})


def test_bias_adds_and_forbids():
    assert apply_logit_bias([1.0, 2.0, 3.0], {0: 0.5, 1: -INF}).tolist() == [1.5, -INF, 3.0]
    assert apply_logit_bias([1.0, 2.0], {}).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("amount", [np.nan, INF])
def test_bias_refuses(amount):
    with pytest.raises(ValueError, match="logit bias"):
        apply_logit_bias([1.0, 2.0], {0: amount})


# --- order: what commutes, what does not ---


@given(distinct, st.floats(0.2, 4), st.floats(1.05, 3))
def test_penalty_and_temperature_commute(z, tau, rho):
    one = apply_temperature(apply_repetition_penalty(z, [1, 3], rho), tau)
    np.testing.assert_allclose(one, apply_repetition_penalty(apply_temperature(z, tau), [1, 3], rho), rtol=1e-12)


@given(tied, st.sampled_from([0.25, 0.5, 2.0, 4.0]), st.integers(1, 9))
def test_temperature_and_top_k_commute(z, tau, k):
    one = apply_temperature(top_k_filter(z, k), tau)
    np.testing.assert_array_equal(one, top_k_filter(apply_temperature(z, tau), k))


def test_top_p_does_not_commute_with_temperature():
    z = [3.0, 2.0, 1.0]
    assert kept(top_p_filter(apply_temperature(z, 0.5), 0.8)) == [0]
    assert kept(apply_temperature(top_p_filter(z, 0.8), 0.5)) == [0, 1]


def test_top_p_does_not_commute_with_top_k():
    z = np.log([0.4, 0.3, 0.2, 0.1])
    assert kept(top_p_filter(top_k_filter(z, 2), 0.55)) == [0]
    assert kept(top_k_filter(top_p_filter(z, 0.55), 2)) == [0, 1]


# --- an oracle that we did not write ---


@given(distinct, st.floats(0.3, 3), st.integers(1, 14), st.floats(0.05, 0.95), st.floats(0.01, 0.9))
def test_transformers_agrees(z, tau, k, p, min_p):
    ids = [0, 2, 2, 5]
    pairs = [
        (apply_temperature(z, tau), TemperatureLogitsWarper(tau)),
        (top_k_filter(z, k), TopKLogitsWarper(k)),
        (top_p_filter(z, p), TopPLogitsWarper(p)),
        (min_p_filter(z, min_p), MinPLogitsWarper(min_p)),
        (apply_repetition_penalty(z, ids, 1.3), RepetitionPenaltyLogitsProcessor(1.3)),
    ]
    for ours, theirs in pairs:
        expected = theirs(torch.tensor([ids]), torch.tensor(z)[None].clone())[0].numpy()
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("tau", [5e-324, 1e-46, 1e-38, 1e-4, 1e46, 1e300])
def test_a_temperature_beyond_the_precision_of_the_scores_still_gives_a_distribution(tau, dtype):
    z = np.array([[10.0, 5.0, -np.inf], [-100.0, -101.0, -101.0]], dtype=dtype)
    tempered = apply_temperature(z, tau)
    assert tempered.dtype == dtype
    expected = [[1, 0, 0], [1, 0, 0]] if tau < 1 else [[0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(softmax(tempered), expected, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_temperature_of_numpys_own_leaves_the_precision_alone(dtype):
    assert apply_temperature(np.array([1, 2], dtype=dtype), np.float64(0.7)).dtype == dtype


def test_a_batch_of_no_rows_keeps_its_kind():
    assert top_p_filter(np.zeros((0, 3000), dtype=np.float32), 0.5).dtype == np.float32
