"""The same draws as the plain pipeline, without sorting the vocabulary.

``pick`` applies temperature, top-k, top-p and min-p in the contract's order and draws one token. What it keeps is
what the transforms keep, and it follows the same law; only the way there differs:

* *Top-k* finds a bound that at least k logits reach, from the maxima of slices, and sorts what reaches it.
* *Top-p* draws first and asks afterwards: a token drawn from the whole distribution is in the nucleus exactly if the
  tokens before it weigh less than p. To draw until one is gives the nucleus's law (rejection, von Neumann 1951).
* *A draw* searches cumulative sums of blocks of 512, then inside one block.

A vocabulary of up to 2,048 tokens is small enough to sort, and is: one uniform number, as in the plain pipeline.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import best_ids

SMALL = 2048  # up to here a sort costs less than the calls that avoid it
BLOCK = 512
COLUMNS = 64
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
        return _pick_sorted(scores, rng, tau=tau, k=k or scores.size, p=p, min_p=min_p)
    if k is not None and k < scores.size:
        ids = np.sort(top(scores, k))
        return int(ids[pick(scores[ids], rng, tau=tau, p=p, min_p=min_p)])
    if min_p > 0 and p == 1:
        ids = np.flatnonzero(scores >= _peak(scores) + tau * math.log(min_p))
        return int(ids[pick(scores[ids], rng, tau=tau)])
    cdf = Cdf(scores, tau)
    if p == 1:
        return cdf.find(rng.random())
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


def top(scores: Scores, k: int) -> Ids:
    """Return the ids of the ``k`` highest scores, from the highest down; the lower id first among equals."""
    rows = scores.size // COLUMNS
    if rows < 2 * k:
        _peak(scores)
        return (-scores).argsort(kind="stable")[:k]
    peaks = scores[: COLUMNS * rows].reshape(COLUMNS, rows).max(axis=0)
    _peak(np.append(peaks, scores[COLUMNS * rows :]))
    bound = np.partition(peaks, rows - k)[rows - k]  # k columns have a score as high as this, so k scores are
    ids: Ids = np.flatnonzero(scores >= bound)
    return ids[(-scores[ids]).argsort(kind="stable")[:k]]


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
        if cdf.weights[token] >= min_p and _mass_before(cdf.weights, token) < p * cdf.total:
            return token
    return None


def nucleus(scores: Scores, p: float, tau: float = 1.0) -> NDArray[np.bool_]:
    """Return which tokens are in the nucleus of mass ``p``; among equals the lower ids, as many as it takes."""
    cdf = Cdf(scores, tau)
    floor = (1 - p) * cdf.total / scores.size  # what is lighter than this weighs at most 1 - p all together
    edge = _edge(_at_least(cdf.weights, floor), p * cdf.total)
    inside: NDArray[np.bool_] = cdf.weights > edge
    equals = np.flatnonzero(cdf.weights == edge)
    equals = equals[(-scores[equals]).argsort(kind="stable")]
    missing = p * cdf.total - float(cdf.weights @ inside)
    inside[equals[: max(1, math.ceil(missing / edge))]] = True
    return inside


def _at_least(weights: Scores, floor: float) -> Scores:
    """Return a copy of those weights that are no lighter than ``floor``."""
    heavy = weights >= floor
    # by index: a mask that is true here and there, at random, is several times slower
    return weights.copy() if heavy.all() else weights[np.flatnonzero(heavy)]


def _edge(weights: Scores, mass: float) -> float:
    """Return the lightest of ``weights`` without which the heavier ones weigh less than ``mass``; reorders them.

    Weighted quickselect: cut in two, see on which side the edge is, go on with that one.
    """
    first, last = 0, weights.size
    spare = float(weights.sum(dtype=np.float64)) - mass
    while last - first > SMALL:
        cut = first + _cut(weights[first:last], spare)
        weights[first:last].partition(cut - first)
        lighter = float(weights[first:cut].sum(dtype=np.float64))
        if lighter <= spare:
            first, spare = cut, spare - lighter
        else:
            last = cut
    rest = np.sort(weights[first:last])
    dropped = int(rest.cumsum(dtype=np.float64).searchsorted(spare, side="right"))
    return float(rest[min(dropped, rest.size - 1)])


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
