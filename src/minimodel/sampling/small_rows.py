"""A draw from a row that is small enough to sort: the plain pipeline in as few calls as it takes, one uniform number.

A row of up to 128 is so small that a dozen calls of NumPy take longer than Python's own lists.
"""

import math
from bisect import bisect_left, bisect_right
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import Logits, best_ids, highest

TINY = 128  # up to here Python's lists are faster than arrays
FAINT = 1e-200  # weights that sum to less may have lost their digits
SMALL = 2048  # up to here a sort costs less than the calls that avoid it


def pick_listed(scores: Logits, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one tiny row; where nothing is dropped, the largest score is only looked for if it must."""
    values, exp = scores.tolist(), math.exp
    drops = k < len(values) or p < 1 or min_p > 0
    try:
        weights = _kept(values, tau, k, p, min_p) if drops else [exp(value / tau) for value in values]
        cumulative = list(accumulate(weights))
    except OverflowError:
        cumulative = [math.inf]
    if not FAINT < cumulative[-1] < math.inf:
        best_ids(scores)  # a NaN, +inf and a row of -inf all come through to here
        cumulative = list(accumulate(_kept(values, tau, k, p, min_p)))
    return bisect_right(cumulative, rng.random() * cumulative[-1])


def _kept(values: list[float], tau: float, k: int, p: float, min_p: float) -> list[float]:
    """Return the weights of those that top-k, top-p and min-p keep, the largest 1, and 0 for the others."""
    exp = math.exp
    if k < len(values) or p < 1:
        weights = _head(values, tau, k, p)
    else:
        peak = max(values)
        weights = [exp((value - peak) / tau) for value in values]
    return [0.0 if weight < min_p else weight for weight in weights] if min_p > 0 else weights


def _head(values: list[float], tau: float, k: int, p: float) -> list[float]:
    """Return the weights of those that top-k and top-p keep, and 0 for the others."""
    ranked, exp, kept = sorted(values, reverse=True), math.exp, k
    peak = ranked[0]
    if p < 1:
        mass = list(accumulate([exp((value - peak) / tau) for value in ranked[:k]]))
        kept = bisect_left(mass, p * mass[-1]) + 1
    edge = ranked[kept - 1]
    weights = [0.0 if value < edge else exp((value - peak) / tau) for value in values]
    if kept < len(ranked) and ranked[kept] == edge:  # of equals the lower ids are kept
        surplus = ranked[kept:].count(edge)
        for token in [token for token, value in enumerate(values) if value == edge][-surplus:]:
            weights[token] = 0.0
    return weights


def pick_sorted(scores: Logits, rng: np.random.Generator, *, tau: float, k: int, p: float, min_p: float) -> int:
    """The plain pipeline on one small row, in as few calls as it takes."""
    weights = scores.astype(np.float64)
    weights -= highest(scores)
    if tau != 1:
        weights /= tau
    np.exp(weights, out=weights)
    if k < weights.size or p < 1:
        order = (-scores).argsort(kind="stable")
        if p < 1:
            mass = weights[order[:k]].cumsum()
            k = int(mass.searchsorted(p * mass[-1])) + 1
        weights[order[k:]] = 0.0
    if min_p > 0:
        weights[weights < min_p] = 0.0
    cumulative = weights.cumsum()
    return search(cumulative, rng.random() * cumulative[-1], weights)


def pick_ranked(scores: Logits, rng: np.random.Generator, *, tau: float, p: float, min_p: float) -> int:
    """The plain pipeline on a row sorted from the highest down: what top-p and min-p keep is its start."""
    weights = np.subtract(scores, scores[0], dtype=np.float64)
    if tau != 1:
        weights /= tau
    np.exp(weights, out=weights)
    mass = weights.cumsum()
    kept = mass.size
    if p < 1:
        kept = int(mass.searchsorted(p * mass[-1])) + 1
    if min_p > 0:
        kept = min(kept, int(np.count_nonzero(weights >= min_p)))
    return int(mass.searchsorted(rng.random() * mass[kept - 1], side="right"))


def search(cumulative: NDArray[np.float64], mass: float, weights: Logits) -> int:
    """Return the first index whose cumulative weight is above ``mass``; never one without weight."""
    index = int(cumulative.searchsorted(mass, side="right"))
    return index if index < weights.size else int(np.flatnonzero(weights)[-1])
