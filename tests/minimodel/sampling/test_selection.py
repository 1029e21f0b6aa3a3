"""Top-k and top-p of a large vocabulary keep what a stable sort keeps."""

import numpy as np
import pytest

from minimodel import softmax, top_k_filter, top_p_filter
from minimodel.sampling import selection
from minimodel.sampling.selection import SAMPLE, SHORTEST, nucleus, top


@pytest.mark.parametrize("k", [1, 2, 50, 400, -1, 0])
def test_top_is_the_start_of_the_stable_order(large_row, k):
    z = large_row
    k = k if k > 0 else z.size + k
    np.testing.assert_array_equal(top(z, k), np.argsort(-z, kind="stable")[:k])
    kept = np.zeros(z.size, dtype=bool)
    kept[top(z, k)] = True
    np.testing.assert_array_equal(top_k_filter(z, k), np.where(kept, z, -np.inf))


@pytest.mark.parametrize("size", [5000, 20 * SHORTEST, 20 * SHORTEST + 5])  # the last row of groups full or not
@pytest.mark.parametrize("first", [0, 4000, -7, -3])
def test_top_finds_what_is_high_wherever_it_is(first, size):
    z = np.random.default_rng(0).random(size)
    z[first % size :][:3] += 1
    np.testing.assert_array_equal(top(z, 7), np.argsort(-z, kind="stable")[:7])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("tau", [1.0, 0.5, 3.0])
@pytest.mark.parametrize("p", [1e-6, 0.1, 0.5, 0.9, 0.999])
def test_nucleus_is_the_shortest_start_of_the_stable_order_with_its_mass(large_row, p, tau):
    z = large_row.astype(np.float64)
    order = np.argsort(-z, kind="stable")
    mass = np.cumsum(softmax(z / tau)[order])
    expected = np.sort(order[: int(np.searchsorted(mass, p)) + 1])
    np.testing.assert_array_equal(np.flatnonzero(nucleus(z, p, tau)), expected)
    if tau == 1:
        np.testing.assert_array_equal(np.flatnonzero(top_p_filter(z, p) > -np.inf), expected)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", [-3000.0, -100.0, 20.0, 100.0, 3000.0])
def test_the_nucleus_is_the_same_wherever_the_scores_are(far, dtype, large_rows):
    z = np.round(large_rows["normal"] * 256).astype(dtype) / 256  # so that what is added to them costs no digit
    np.testing.assert_array_equal(nucleus(z + dtype(far), 0.9), nucleus(z - z.max(), 0.9))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_filtered_row_is_of_its_own_kind(dtype, large_rows):
    z = large_rows["normal"].astype(dtype)
    for kept in (top_p_filter(z, 0.9), top_k_filter(z, 20)):
        assert kept.dtype == dtype
        assert (kept[kept > -np.inf] == z[kept > -np.inf]).all()


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("seen", ["a rising row", "the heavy ones only", "the light ones only"])
def test_the_nucleus_does_not_depend_on_what_its_sample_sees(seen, p):
    z = np.sort(np.random.default_rng(0).normal(size=16 * SAMPLE))  # every 16th is what the nucleus is guessed from
    if seen != "a rising row":
        z = np.roll(z, SAMPLE if seen == "the heavy ones only" else 0).reshape(16, SAMPLE).T.ravel()
    order = np.argsort(-z, kind="stable")
    expected = np.sort(order[: int(np.cumsum(softmax(z)[order]).searchsorted(p)) + 1])
    np.testing.assert_array_equal(np.flatnonzero(nucleus(z, p)), expected)


@pytest.mark.parametrize("p", [0.3, 0.5, 0.8, 0.9])
@pytest.mark.parametrize("unseen", [0.1, 0.5, 2.0, 3.0, 9.0])
def test_the_nucleus_is_found_where_a_sample_takes_the_others_for_lighter_or_heavier(unseen, p):
    weights = 1 + np.random.default_rng(0).random(16 * SAMPLE)
    weights[np.arange(weights.size) % 16 > 0] *= unseen
    order = np.argsort(-weights, kind="stable")
    expected = np.sort(order[: int(np.cumsum(weights[order] / weights.sum()).searchsorted(p)) + 1])
    np.testing.assert_array_equal(np.flatnonzero(nucleus(np.log(weights), p)), expected)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("shape", ["normal", "flat", "peaked", "masked"])
def test_of_a_large_vocabulary_a_small_part_is_sorted(shape, p, large_rows, monkeypatch):
    sorted_sizes = []
    in_order = selection._ranked
    monkeypatch.setattr(selection, "_ranked", lambda some: sorted_sizes.append(some.size) or in_order(some))
    row = large_rows["normal" if shape == "masked" else shape]
    z = np.random.default_rng(0).permutation(np.tile(row, 8))
    if shape == "masked":
        z[5:] = -np.inf
    nucleus(z, p)
    assert len(sorted_sizes) == 1
    assert sorted_sizes[0] < z.size / 8


def test_filters_treat_the_rows_of_a_large_batch_on_their_own(large_rows):
    z = np.array([[large_rows["normal"], large_rows["flat"]], [large_rows["tied"], large_rows["peaked"]]])
    for keep in (lambda rows: top_k_filter(rows, 20), lambda rows: top_p_filter(rows, 0.7)):
        np.testing.assert_array_equal(keep(z), [[keep(row) for row in rows] for rows in z])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    "keep", [lambda z: top_k_filter(z, 5), lambda z: top_k_filter(z, z.shape[-1]), lambda z: top_p_filter(z, 0.9)]
)
def test_filters_refuse_bad_rows_of_a_large_vocabulary(keep, bad, large_rows):
    z = np.stack([large_rows["normal"], large_rows["flat"]])
    z[1] = bad if bad == -np.inf else 0.0
    z[1, 17] = bad
    with pytest.raises(ValueError, match="a row of logits is"):
        keep(z)


@pytest.mark.parametrize("p", [0.1, 0.75, 0.9])
def test_a_precision_beyond_double_keeps_the_same(p, large_row):
    z = large_row.astype(np.longdouble) / 3
    np.testing.assert_array_equal(nucleus(z, p), nucleus(z.astype(np.float64), p))
    np.testing.assert_array_equal(np.isfinite(top_p_filter(z, p)), nucleus(z, p))
