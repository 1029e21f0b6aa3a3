"""The same draws as the plain pipeline, without sorting the vocabulary.

``pick`` applies temperature, top-k, top-p and min-p in the contract's order and draws one token. What it keeps is
what the transforms keep, and it follows the same law; only the way there differs:

* *A draw* from everything takes no exponential of most tokens: the largest of 64 logits bounds the other 63. A group
  is drawn by its bound, a token of it at random, and kept as often as its weight is a part of the bound; else all is
  done again (rejection, von Neumann 1951).
* *Top-k* finds a bound that at least k logits reach, the largest of k groups, and sorts what reaches it.
* *Top-p* draws first and asks afterwards: a token drawn from the whole distribution is in the nucleus exactly if the
  tokens before it weigh less than p. To draw until one is gives the nucleus's law, by rejection again. Both take
  rough weights, up to 6 % too heavy: what they draw too often is rejected, and where they cannot tell on which side of
  p a token is, about one time in a hundred, the exact ones do (a squeeze, Marsaglia 1977).

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
GROUP = 64
ROUND = 128  # tries of a draw by its bound that are made at once; one in 64 is kept where it is worst
SPARE = 8  # so many groups for each of k tokens: then it is rare that two of them are in the same
SAMPLE = 1024  # of so many weights, at least, is guessed where a nucleus ends
TRIES = 8  # a small p on flat logits would be rejected for long: from then on the nucleus is looked for
EXCESS = 1.0616  # a rough weight is at most so many times the true one: the largest (1 + x) / 2^x, and rounding
ROUNDING = 2e-4  # what a sum over a large vocabulary in single precision may be off by, as a part of the total

OCTAVE = 2**23 / math.log(2)  # how far apart, in the bits of a float32, two numbers are whose logarithms differ by 1
ROUGH_ONE = np.float32(127 * 2**23 + 128)  # the bits of 1, and a little: never too light for being rounded

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
    scores = _wide(scores)
    if k is not None and k < scores.size:
        ids = _reaching(scores, k)
        if ids.size > SMALL:
            ids = np.sort(top(scores, k))
        return int(ids[pick(scores[ids], rng, tau=tau, k=k, p=p, min_p=min_p)])
    if min_p > 0 and p == 1:
        ids = (scores >= _floor(_highest(scores), tau, min_p)).nonzero()[0]
        return int(ids[pick(scores[ids], rng, tau=tau)])
    if p == 1:
        return _draw_bounded(scores, rng, tau)
    token = _reject(scores, rng, tau, p, min_p)
    if token is None:
        ids = np.flatnonzero(nucleus(scores, p, tau) & (scores >= _floor(_highest(scores), tau, min_p)))
        return int(ids[pick(scores[ids], rng, tau=tau)])
    return token


class Cdf:
    """The cumulative distribution of some weights, in two levels: blocks, then tokens.

    Block totals are float64: a float32 running sum over a large vocabulary is off by parts of a thousand.
    """

    def __init__(self, weights: Scores) -> None:
        self.weights = weights
        sums = np.add.reduceat(weights, np.arange(0, weights.size, BLOCK))
        self.blocks = sums.astype(np.float64).cumsum()
        self.total = float(self.blocks[-1])

    def find(self, u: float) -> int:
        """Return the first id whose cumulative probability is above ``u``."""
        mass = u * self.total
        block = min(int(self.blocks.searchsorted(mass, side="right")), len(self.blocks) - 1)
        inside = self.weights[block * BLOCK : (block + 1) * BLOCK]
        before = self.blocks[block - 1] if block else 0.0
        return block * BLOCK + _search(inside.astype(np.float64).cumsum(), mass - before, inside)


def _draw_bounded(scores: Scores, rng: np.random.Generator, tau: float) -> int:
    """Draw from everything; only the peaks of groups, and what is drawn, are made weights."""
    peaks = _peaks(scores, -(-scores.size // GROUP))
    peak = _highest(peaks)
    bounds = np.exp((peaks - peak) / tau)
    mass = bounds.astype(np.float64).cumsum()
    while True:
        u = rng.random((3, ROUND))
        groups = mass.searchsorted(u[0] * mass[-1], side="right")
        ids = (u[1] * GROUP).astype(np.intp) * peaks.size + groups
        weights = np.exp((scores.take(ids, mode="clip") - peak) / tau)
        kept = (u[2] * bounds[groups] < weights) & (ids < scores.size)
        first = kept.argmax()
        if kept[first]:
            return int(ids[first])


def top(scores: Scores, k: int) -> Ids:
    """Return the ids of the ``k`` highest scores, from the highest down; the lower id first among equals."""
    ids = _reaching(scores, k)
    return ids[(-scores[ids]).argsort(kind="stable")[:k]]


def _reaching(scores: Scores, k: int) -> Ids:
    """Return, in their order, the ids of at least ``k`` scores that no other score is above."""
    groups = SPARE * k
    if 2 * groups > scores.size:
        _highest(scores)
        return np.arange(scores.size)
    peaks = _peaks(scores, groups)
    _highest(peaks)
    bound = np.partition(peaks, -k)[-k]  # k groups have a score as high as this, so k scores are
    ids: Ids = (scores >= bound).nonzero()[0]
    return ids


def _peaks(scores: Scores, groups: int) -> Scores:
    """Return the largest score of each group: a group is a column of the scores written in rows of ``groups``."""
    whole = scores.size // groups * groups
    peaks: Scores = scores[:whole].reshape(-1, groups).max(axis=0)
    if rest := scores.size - whole:
        np.maximum(peaks[:rest], scores[whole:], out=peaks[:rest])
    return peaks


def _pick_listed(scores: Scores, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one tiny row."""
    values, exp = scores.tolist(), math.exp
    peak = max(values)
    if k < len(values) or p < 1:
        weights = _head(values, peak, tau, k, p)
    else:
        weights = [exp((value - peak) / tau) for value in values]
    if min_p > 0:
        weights = [0.0 if weight < min_p else weight for weight in weights]
    cumulative = list(accumulate(weights))
    if not math.isfinite(cumulative[-1]):  # a NaN, +inf and a row of -inf all come through to here
        best_ids(scores)
    return bisect_right(cumulative, rng.random() * cumulative[-1])


def _head(values: list[float], peak: float, tau: float, k: int, p: float) -> list[float]:
    """Return the weights of those that top-k and top-p keep, and 0 for the others."""
    ranked, exp = sorted(values, reverse=True)[:k], math.exp
    if p < 1:
        mass = list(accumulate([exp((value - peak) / tau) for value in ranked]))
        del ranked[bisect_left(mass, p * mass[-1]) + 1 :]
    edge = ranked[-1]
    weights = [0.0 if value < edge else exp((value - peak) / tau) for value in values]
    surplus = values.count(edge) - ranked.count(edge)
    if surplus:
        for token in [token for token, value in enumerate(values) if value == edge][-surplus:]:
            weights[token] = 0.0
    return weights


def _pick_sorted(scores: Scores, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one small row, in as few calls as it takes."""
    weights = scores.astype(np.float64)
    weights -= _highest(scores)
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


def _reject(scores: Scores, rng: np.random.Generator, tau: float, p: float, min_p: float) -> int | None:
    """Draw from everything until what was drawn is in the nucleus (and not below min-p); None after some tries."""
    peak = _highest(scores)
    floor = _floor(peak, tau, min_p)
    rough = Cdf(_rough_weights(scores, peak, tau))
    for _ in range(TRIES):
        token = rough.find(rng.random())
        score = float(scores[token])
        weight = math.exp((score - peak) / tau)
        drawn = score >= floor and rng.random() * rough.weights[token] < weight
        if drawn and _is_inside(token, scores, rough, tau, p):
            return token
    return None


def _is_inside(token: int, scores: Scores, rough: Cdf, tau: float, p: float) -> bool:
    """Whether the tokens before this one weigh less than ``p``: by the rough weights where those can tell."""
    if rough.weights[token] > (1 - p) * rough.total * EXCESS:
        return True  # all others together weigh less than p
    before = scores > scores[token]
    before[:token] |= scores[:token] == scores[token]
    heavier, spare = float(rough.weights @ before), ROUNDING * rough.total
    lighter = rough.total - heavier
    if (1 - p) * (heavier + spare) * EXCESS < p * (lighter - spare):
        return True
    if (1 - p) * (heavier - spare) > p * (lighter + spare) * EXCESS:
        return False
    weights = _weights(scores, tau)
    return _sum(weights * before) < p * _sum(weights)


def _rough_weights(scores: Scores, peak: float, tau: float) -> NDArray[np.float32]:
    """Return weights that are up to 6 % too heavy, in a third of the time that ``exp`` takes.

    A float is stored as its exponent, then its mantissa. Read as one integer, that is its binary logarithm, but for a
    straight line between powers of two; so an integer written there is a power of two, nearly (Schraudolph, Neural
    Computation, 1999).
    """
    weights = (scores - peak).astype(np.float32, copy=False)
    weights *= np.float32(OCTAVE / tau)
    weights += ROUGH_ONE
    if weights.min() < 0:  # asked first, since to find the lowest is faster than to raise it
        np.maximum(weights, 0, out=weights)
    np.copyto(weights.view(np.int32), weights, casting="unsafe")
    return weights


def _weights(scores: Scores, tau: float) -> Scores:
    """Return the exponentials of scores at a temperature; the largest is 1."""
    weights: Scores = scores - _highest(scores)
    if tau != 1:
        weights *= scores.dtype.type(1 / tau)
    return np.exp(weights, out=weights)


def _floor(peak: float, tau: float, min_p: float) -> float:
    """The lowest score that min-p keeps."""
    return peak + tau * math.log(min_p) if min_p > 0 else -math.inf


def nucleus(scores: Scores, p: float, tau: float = 1.0) -> NDArray[np.bool_]:
    """Return which tokens are in the nucleus of mass ``p``; among equals the lower ids, as many as it takes."""
    scores = _wide(scores)
    weights = _weights(scores, tau)
    total = _sum(weights)
    floor = (1 - p) * total / scores.size  # what is lighter than this weighs at most 1 - p all together
    heavy = _at_least(weights, floor)
    edge, size = _edge(heavy, _sum(heavy) - p * total)
    inside: NDArray[np.bool_] = weights >= edge
    if surplus := np.count_nonzero(inside) - size:
        equals = np.flatnonzero(weights == edge)
        inside[equals[(-scores[equals]).argsort(kind="stable")[-surplus:]]] = False
    return inside


def _at_least(weights: Scores, floor: float) -> Scores:
    """Return a copy of those weights that are no lighter than ``floor``."""
    heavy = weights >= floor
    # by index: a mask that is true here and there, at random, is several times slower
    return weights.copy() if heavy.all() else weights[heavy.nonzero()[0]]


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


def _search(cumulative: NDArray[np.float64], mass: float, weights: Scores) -> int:
    """Return the first index whose cumulative weight is above ``mass``; never one without weight."""
    index = int(cumulative.searchsorted(mass, side="right"))
    return index if index < weights.size else int(np.flatnonzero(weights)[-1])


def _wide(scores: Scores) -> Scores:
    """Return the scores in single precision at least: sums of half precision are worth nothing."""
    return scores.astype(np.float32) if scores.dtype == np.float16 else scores


def _highest(scores: Scores) -> float:
    """The highest score; NaN, +inf and rows of -inf are refused."""
    peak = float(scores.max())
    if not math.isfinite(peak):
        best_ids(scores)  # says what is wrong
    return peak
