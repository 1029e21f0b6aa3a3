"""What top-k and top-p keep of a large vocabulary, found by selection: it is never sorted as a whole."""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.cdf import Cdf, mass_of
from minimodel.sampling.logits import Logits, best_ids, highest
from minimodel.sampling.weights import exact_weights, wide

SPARE = 8  # so many groups for each of k tokens, at least: then it is rare that two of them are in the same
SHORTEST = 256  # so many groups at least: NumPy is slow on shorter rows
SAMPLE = 4096  # of so many weights, at least, is guessed where a nucleus ends
SURE = 2.5  # standard deviations, for the guess to be right 99 times in 100
TINIEST = float(np.finfo(np.float32).tiny)  # a sample may hold nothing but weights of 0

Ids: TypeAlias = NDArray[np.intp]


def top(scores: Logits, k: int) -> Ids:
    """Return the ids of the ``k`` highest scores, from the highest down; the lower id first among equals."""
    ids = reaching(scores, k)
    return ids[(-scores[ids]).argsort(kind="stable")[:k]]


def reaching(scores: Logits, k: int) -> Ids:
    """Return, in their order, the ids of at least ``k`` scores that no other score is above."""
    k = int(k)  # a small number of NumPy's own would overflow
    groups = max(SPARE * k, SHORTEST)
    if 2 * groups > scores.size:
        highest(scores)
        return np.arange(scores.size)
    peaks = group_peaks(scores, groups)
    peaks.sort()
    if not math.isfinite(peaks[-1]):
        best_ids(scores)
    ids: Ids = (scores >= peaks[-k]).nonzero()[0]  # k groups have a score as high as this, so k scores are
    return ids


def group_peaks(scores: Logits, groups: int) -> Logits:
    """Return the largest score of each group: a group is a column of the scores written in rows of ``groups``."""
    whole = scores.size // groups * groups
    peaks: Logits = scores[:whole].reshape(-1, groups).max(axis=0)
    if rest := scores.size - whole:
        np.maximum(peaks[:rest], scores[whole:], out=peaks[:rest])
    return peaks


def nucleus(scores: Logits, p: float, tau: float = 1.0) -> NDArray[np.bool_]:
    """Return which tokens are in the nucleus of mass ``p``; among equals the lower ids, as many as it takes."""
    return beyond_edge(scores, p, tau) >= 0


def beyond_edge(scores: Logits, p: float, tau: float = 1.0) -> Logits:
    """Return how much more each token weighs than the lightest in the nucleus: less than 0 where it is not inside."""
    scores = wide(scores)
    weights = exact_weights(scores, tau)
    edge, surplus = _edge(weights, p)
    weights -= edge
    if surplus:
        equals = np.flatnonzero(weights == 0)
        weights[equals[(-scores[equals]).argsort(kind="stable")[-surplus:]]] = -1
    return weights


def _edge(weights: Logits, p: float) -> tuple[Any, int]:
    """Return the lightest of the weights that it takes from the heaviest down for a share ``p``.

    With it, how many that are equal to it are not needed. Two weights of a sample bound it, and only those between them
    are sorted (Floyd & Rivest, Communications of the ACM, 1975). Should the sample have misled, all are.
    """
    total = mass_of(weights)
    missing = mass = p * total
    low, high = _bounds(weights, total - mass)
    between = weights >= low
    if high < math.inf:
        heavier = weights > high
        between ^= heavier
        missing -= mass_of(weights, heavier)
    ranked = Cdf(np.sort(weights[between.nonzero()[0]]))  # by index: a mask with holes is slower
    if not 0 < missing <= ranked.total:
        ranked, missing = Cdf(np.sort(weights)), mass
    return _lightest(ranked, missing)


def _bounds(weights: Logits, spare: float) -> tuple[float, float]:
    """Guess, from every so many weights, one up to which they sum to less than ``spare``, and one where to more."""
    every = max(weights.size // SAMPLE, 1)
    sample = np.sort(weights[::every])
    masses = sample.cumsum()
    rank = min(int(masses.searchsorted(spare / every)), sample.size - 1)
    # a sum of random weights, n times the heaviest of them, is as uncertain as a count of n, by its root
    margin = 4 + int(SURE * math.sqrt(masses[rank] / max(sample[rank], TINIEST)))
    first, last = max(rank - margin, 0), rank + margin
    few = sample.size // 16  # so few are heavier: to take them along is less work than to sum them
    lightest = spare / weights.size  # were all lighter than this, they would not sum to it
    low = lightest if first == 0 else max(float(sample[first]), lightest)
    return low, float(sample[last]) if last < sample.size - few else math.inf


def _lightest(ranked: Cdf, mass: float) -> tuple[Any, int]:
    """Return the same of weights in order, for a mass."""
    dropped = ranked.find(ranked.total - mass)
    edge = ranked.weights[dropped]
    return edge, dropped - int(ranked.weights.searchsorted(edge))
