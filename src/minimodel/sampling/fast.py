"""The same draws as the plain pipeline, without sorting the vocabulary.

``pick`` applies temperature, top-k, top-p and min-p in the contract's order and draws one token. What it keeps is
what the transforms keep, and it follows the same law; only the way there differs:

* *A draw* from everything takes no exponential of most tokens: the largest of 16 logits bounds the other 15. A group
  is drawn by its bound, a token of it at random, and kept as often as its weight is a part of the bound; else all is
  done again (rejection, von Neumann 1951).
* *Top-k* finds a bound that at least k logits reach, from the largest of groups of 64, and sorts what reaches it.
* *Top-p* draws first and asks afterwards: a token drawn from the whole distribution is in the nucleus exactly if the
  tokens before it weigh less than p. To draw until one is gives the nucleus's law, by rejection again.

A vocabulary of up to 2,048 tokens is small enough to sort, and is: one uniform number, as in the plain pipeline. One of
up to 128 is so small that a dozen calls of NumPy take longer than Python's own lists.
"""

import math
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import best_ids

TINY = 128  # up to here Python's lists are faster than arrays
SMALL = 2048  # up to here a sort costs less than the calls that avoid it
BLOCK = 512
GROUP = 16
TALL_GROUP = 64
ROUND = 64  # tries of a draw by its bound that are made at once; one in 16 is kept where it is worst
SAMPLE = 1024  # of so many weights, at least, is guessed where a nucleus ends
TRIES = 8  # a small p on flat logits would be rejected for long: from then on the nucleus is looked for

Scores: TypeAlias = NDArray[np.floating[Any]]
Ids: TypeAlias = NDArray[np.intp]


def pick(
    scores: Scores,
    rng: np.random.Generator,
    *,
    tau: float = 1.0,
    k: int | None = None,
    p: float = 1.0,
    min_p: float = 0.0,
) -> int:
    """Draw one token id from ``scores``, shape ``(V,)``, after temperature, top-k, top-p and min-p.

    Args:
        scores: logits, not changed.
        rng: where uniform numbers come from: one, or a few where a draw is rejected.
        tau: the temperature, above 0.
        k: how many tokens top-k keeps; None keeps all.
        p: the mass that top-p keeps.
        min_p: the share of the largest probability that min-p keeps.

    Raises:
        ValueError: the scores hold NaN or +inf, or are all -inf.
    """
    if scores.size <= SMALL:
        plain = _pick_listed if scores.size <= TINY else _pick_sorted
        return plain(scores, rng, tau=tau, k=k or scores.size, p=p, min_p=min_p)
    if k is not None and k < scores.size:
        ids = _reaching(scores, k)
        if ids.size > SMALL:
            ids = np.sort(top(scores, k))
        return int(ids[pick(scores[ids], rng, tau=tau, k=k, p=p, min_p=min_p)])
    if min_p > 0 and p == 1:
        ids = np.flatnonzero(scores >= _peak(scores) + tau * math.log(min_p))
        return int(ids[pick(scores[ids], rng, tau=tau)])
    if p == 1:
        return _draw_bounded(scores, rng, tau)
    cdf = Cdf(scores, tau)
    token = _reject(cdf, rng, p, min_p)
    if token is None:
        ids = np.flatnonzero(nucleus(scores, p, tau) & (cdf.weights >= min_p))
        return int(ids[pick(scores[ids], rng, tau=tau)])
    return token


class Cdf:
    """The cumulative distribution of scores at a temperature, in two levels: blocks, then tokens.

    Block totals are float64: a float32 running sum over a large vocabulary is off by parts of a thousand.
    """

    def __init__(self, scores: Scores, tau: float) -> None:
        weights = scores - _peak(scores)
        if tau != 1:
            weights *= scores.dtype.type(1 / tau)
        self.weights = np.exp(weights, out=weights)
        starts = np.arange(0, scores.size, BLOCK)
        self.blocks = np.add.reduceat(self.weights, starts).cumsum(dtype=np.float64)
        self.total = float(self.blocks[-1])

    def find(self, u: float) -> int:
        """Return the first id whose cumulative probability is above ``u``."""
        mass = u * self.total
        block = min(int(self.blocks.searchsorted(mass, side="right")), len(self.blocks) - 1)
        inside = self.weights[block * BLOCK : (block + 1) * BLOCK]
        before = self.blocks[block - 1] if block else 0.0
        return block * BLOCK + _search(inside.cumsum(dtype=np.float64), mass - before, inside)


def _draw_bounded(scores: Scores, rng: np.random.Generator, tau: float) -> int:
    """Draw from everything; only the peaks of groups, and what is drawn, are made weights."""
    table, rest = _grouped(scores, GROUP)
    width = table.shape[1]
    peaks = np.append(table.max(axis=0), rest.max(initial=-np.inf))  # what is left over is a group of fewer
    peak = _peak(peaks)
    bounds = np.exp((peaks - peak) / tau)
    mass = bounds.cumsum(dtype=np.float64)
    while True:
        u = rng.random((3, ROUND))
        groups = mass.searchsorted(u[0] * mass[-1], side="right")
        members = (u[1] * GROUP).astype(np.intp)
        ids = np.where(groups < width, members * width + groups, table.size + members)
        weights = np.exp((scores.take(ids, mode="clip") - peak) / tau)
        kept = np.flatnonzero((u[2] * bounds[groups] < weights) & (ids < scores.size))
        if kept.size:
            return int(ids[kept[0]])


def top(scores: Scores, k: int) -> Ids:
    """Return the ids of the ``k`` highest scores, from the highest down; the lower id first among equals."""
    ids = _reaching(scores, k)
    return ids[(-scores[ids]).argsort(kind="stable")[:k]]


def _reaching(scores: Scores, k: int) -> Ids:
    """Return, in their order, the ids of at least ``k`` scores that no other score is above."""
    table, rest = _grouped(scores, TALL_GROUP)
    peaks = table.max(axis=0)
    _peak(np.append(peaks, rest))
    if peaks.size < 2 * k:
        return np.arange(scores.size)
    bound = np.partition(peaks, -k)[-k]  # k groups have a score as high as this, so k scores are
    return np.flatnonzero(scores >= bound)


def _grouped(scores: Scores, size: int) -> tuple[Scores, Scores]:
    """Return the scores as a table whose columns are groups of ``size``, and those that are left over."""
    width = scores.size // size
    return scores[: size * width].reshape(size, width), scores[size * width :]


def _pick_listed(scores: Scores, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one tiny row."""
    values, exp = scores.tolist(), math.exp
    peak = max(values)
    weights = [exp((value - peak) / tau) for value in values]
    if not math.isfinite(sum(weights)):
        _peak(scores)  # says what is wrong
    if k < len(weights) or p < 1:
        order = sorted(range(len(weights)), key=weights.__getitem__, reverse=True)
        if p < 1:
            mass = list(accumulate([weights[token] for token in order[:k]]))
            k = bisect_left(mass, p * mass[-1]) + 1
        for token in order[k:]:
            weights[token] = 0.0
    if min_p > 0:
        weights = [weight if weight >= min_p else 0.0 for weight in weights]
    cumulative = list(accumulate(weights))
    return bisect_right(cumulative, rng.random() * cumulative[-1])


def _pick_sorted(scores: Scores, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one small row, in as few calls as it takes."""
    weights = scores.astype(np.float64)
    weights -= _peak(scores)
    if tau != 1:
        weights /= tau
    np.exp(weights, out=weights)
    if k < weights.size or p < 1:
        order = (-weights).argsort(kind="stable")
        if p < 1:
            mass = weights[order[:k]].cumsum()
            k = int(mass.searchsorted(p * mass[-1])) + 1
        weights[order[k:]] = 0.0
    if min_p > 0:
        weights[weights < min_p] = 0.0
    cumulative = weights.cumsum()
    return _search(cumulative, rng.random() * cumulative[-1], weights)


def _reject(cdf: Cdf, rng: np.random.Generator, p: float, min_p: float) -> int | None:
    """Draw from everything until what was drawn is in the nucleus (and not below min-p); None after some tries."""
    for _ in range(TRIES):
        token = cdf.find(rng.random())
        weight = cdf.weights[token]
        alone = weight > (1 - p) * cdf.total  # then what comes before weighs less than p without any sum
        if weight >= min_p and (alone or _mass_before(cdf.weights, token) < p * cdf.total):
            return token
    return None


def nucleus(scores: Scores, p: float, tau: float = 1.0) -> NDArray[np.bool_]:
    """Return which tokens are in the nucleus of mass ``p``; among equals the lower ids, as many as it takes."""
    cdf = Cdf(scores, tau)
    floor = (1 - p) * cdf.total / scores.size  # what is lighter than this weighs at most 1 - p all together
    heavy = _at_least(cdf.weights, floor)
    edge, size = _edge(heavy, _sum(heavy) - p * cdf.total)
    inside: NDArray[np.bool_] = cdf.weights >= edge
    if surplus := np.count_nonzero(inside) - size:
        equals = np.flatnonzero(cdf.weights == edge)
        inside[equals[(-scores[equals]).argsort(kind="stable")[-surplus:]]] = False
    return inside


def _at_least(weights: Scores, floor: float) -> Scores:
    """Return a copy of those weights that are no lighter than ``floor``."""
    heavy = weights >= floor
    # by index: a mask that is true here and there, at random, is several times slower
    return weights.copy() if heavy.all() else weights[np.flatnonzero(heavy)]


def _edge(weights: Scores, spare: float) -> tuple[float, int]:
    """Drop the lightest of ``weights`` up to a mass of ``spare``; return the next one, and how many are left.

    Weighted quickselect: cut in two, see on which side the edge is, go on with that one. Reorders the weights.
    """
    first, last = 0, weights.size
    while last - first > SMALL:
        cut = first + _cut(weights[first:last], spare)
        weights[first:last].partition(cut - first)
        lighter = _sum(weights[first:cut])
        if lighter <= spare:
            first, spare = cut, spare - lighter
        else:
            last = cut
    rest = np.sort(weights[first:last])
    dropped = min(int(rest.cumsum(dtype=np.float64).searchsorted(spare, side="right")), rest.size - 1)
    return float(rest[dropped]), weights.size - first - dropped


def _sum(weights: Scores) -> float:
    """The sum in double precision, blocks of it in single: summing everything as float64 would copy it first."""
    return float(np.add.reduceat(weights, np.arange(0, weights.size, BLOCK)).sum(dtype=np.float64))


def _cut(weights: Scores, spare: float) -> int:
    """Where to cut: just beyond the rank at which a sample puts the edge, so that the larger side can go."""
    every = weights.size // SAMPLE
    sample = np.sort(weights[::every])
    rank = every * int(sample.cumsum(dtype=np.float64).searchsorted(spare / every))
    margin = weights.size // 32
    return max(rank - margin, 1) if 2 * rank > weights.size else rank + margin


def _mass_before(weights: Scores, token: int) -> float:
    """The weight of all tokens that come before ``token`` in descending order."""
    own = weights[token]
    return float(weights @ (weights > own)) + float(own) * np.count_nonzero(weights[:token] == own)


def _search(cumulative: NDArray[np.float64], mass: float, weights: Scores) -> int:
    """Return the first index whose cumulative weight is above ``mass``; never one without weight."""
    index = int(cumulative.searchsorted(mass, side="right"))
    return index if index < weights.size else int(np.flatnonzero(weights)[-1])


def _peak(scores: Scores) -> Any:
    """The largest score; NaN, +inf and rows of -inf are refused."""
    return scores[best_ids(scores)]
