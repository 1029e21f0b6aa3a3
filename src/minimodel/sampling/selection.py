"""What top-k and top-p keep of a large vocabulary, found by selection: it is never sorted as a whole."""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.cdf import SHORT, Cdf, ShortCdf, mass_of
from minimodel.sampling.logits import Logits, best_ids, highest
from minimodel.sampling.weights import exact_weights, wide

SPARE = 8  # so many groups for each of k tokens, at least: then it is rare that two of them are in the same
SHORTEST = 768  # so many groups at least: NumPy is slow on shorter rows
SAMPLE = 2048  # of so many weights, at least, is guessed where a nucleus ends
FEW = 32  # where only one in so many is in the nucleus, to take it whole is faster than to sum it
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
    return beyond_edge(scores, p, tau) > 0


def beyond_edge(scores: Logits, p: float, tau: float = 1.0) -> Logits:
    """Return how far each token is inside the nucleus: above 0 if it is, below 0 if it is not; 0 for none."""
    scores = wide(scores)
    weights = exact_weights(scores, tau)
    edge, surplus = _edge(weights, p)
    if surplus:
        equals = (weights == edge).nonzero()[0]
        weights[equals[(-scores[equals]).argsort(kind="stable")[-surplus:]]] = -1
    weights -= np.nextafter(edge, -1)
    return weights


def _edge(weights: Logits, p: float) -> tuple[Any, int]:
    """Return the lightest of the weights that it takes from the heaviest down for a share ``p``.

    With it, how many that are equal to it are not needed. Only those are sorted that a sample says are near to it
    (Floyd & Rivest, Communications of the ACM, 1975). Should the sample have misled, all are.
    """
    total = mass_of(weights)
    near, missing = _near_edge(weights, p * total, total)
    ranked = _ranked(weights[near.nonzero()[0]])  # by index: a mask with holes is slower
    spare = ranked.total - missing if missing > 0 else -missing
    if not 0 <= spare < ranked.total:
        ranked, spare = _ranked(weights), total - p * total
    dropped = ranked.find(spare)
    edge = ranked.weights[dropped]
    return edge, dropped - int(ranked.weights.searchsorted(edge))


def _ranked(weights: Logits) -> Cdf:
    """Return weights from the lightest up, and what they sum to."""
    return (ShortCdf if weights.size <= SHORT else Cdf)(np.sort(weights))


def _near_edge(weights: Logits, mass: float, total: float) -> tuple[NDArray[np.bool_], float]:
    """Return which weights a sample says the edge is among, and what the heavier ones are short of ``mass``.

    That is less than 0 where there is too much of them already: then those near the edge are the lightest of them.
    """
    every = max(weights.size // SAMPLE, 1)
    sample = np.sort(weights[::every])
    masses = sample.cumsum()
    lightest = (total - mass) / weights.size  # were all lighter than this, they would not sum to what is left over
    guess = min(int(masses.searchsorted((total - mass) / every)), sample.size - 1)
    if sample.size - guess <= sample.size // FEW:
        # a sum of random weights, n times the heaviest of them, is as uncertain as a count of n, by its root
        first = guess - _margin(masses[guess] / max(sample[guess], TINIEST))
        return weights >= max(sample[max(first, 0)], lightest), mass
    heavier = weights > sample[guess]
    short = mass - mass_of(weights, heavier)
    better = int(masses.searchsorted(masses[guess] - short / every))
    if short > 0:
        first = better - _margin(guess - better)
        return (weights >= (max(sample[first], lightest) if first > 0 else lightest)) ^ heavier, short
    last = better + _margin(better - guess)
    return (heavier ^ (weights > sample[last]) if last < sample.size else heavier), short


def _margin(count: float) -> int:
    """Return how far from a place in a sample to look, so many of the sample from where another is known."""
    return 4 + int(SURE * math.sqrt(count))
