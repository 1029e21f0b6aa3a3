"""What top-k and top-p keep of a large vocabulary, found by selection: it is never sorted as a whole."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import Logits, highest
from minimodel.sampling.small_rows import SMALL
from minimodel.sampling.weights import exact_weights, mass_of, wide

SPARE = 8  # so many groups for each of k tokens: then it is rare that two of them are in the same
SAMPLE = 1024  # of so many weights, at least, is guessed where a nucleus ends

Ids: TypeAlias = NDArray[np.intp]


def top(scores: Logits, k: int) -> Ids:
    """Return the ids of the ``k`` highest scores, from the highest down; the lower id first among equals."""
    ids = reaching(scores, k)
    return ids[(-scores[ids]).argsort(kind="stable")[:k]]


def reaching(scores: Logits, k: int) -> Ids:
    """Return, in their order, the ids of at least ``k`` scores that no other score is above."""
    groups = SPARE * k
    if 2 * groups > scores.size:
        highest(scores)
        return np.arange(scores.size)
    peaks = group_peaks(scores, groups)
    highest(peaks)
    bound = np.partition(peaks, -k)[-k]  # k groups have a score as high as this, so k scores are
    ids: Ids = (scores >= bound).nonzero()[0]
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
    scores = wide(scores)
    weights = exact_weights(scores, tau)
    total = mass_of(weights)
    floor = (1 - p) * total / scores.size  # what is lighter than this weighs at most 1 - p all together
    heavy = _at_least(weights, floor)
    edge, size = _edge(heavy, mass_of(heavy) - p * total)
    inside: NDArray[np.bool_] = weights >= edge
    if surplus := np.count_nonzero(inside) - size:
        equals = np.flatnonzero(weights == edge)
        inside[equals[(-scores[equals]).argsort(kind="stable")[-surplus:]]] = False
    return inside


def _at_least(weights: Logits, floor: float) -> Logits:
    """Return a copy of those weights that are no lighter than ``floor``."""
    heavy = weights >= floor
    # by index: a mask that is true here and there, at random, is several times slower
    return weights.copy() if heavy.all() else weights[heavy.nonzero()[0]]


def _edge(weights: Logits, spare: float) -> tuple[float, int]:
    """Drop the lightest of ``weights`` up to a mass of ``spare``; return the next one, and how many are left.

    Weighted quickselect: cut in two, see on which side the edge is, go on with that one. Reorders the weights.
    """
    first, last = 0, weights.size
    while last - first > SMALL:
        cut = first + _cut(weights[first:last], spare)
        weights[first:last].partition(cut - first)
        lighter = mass_of(weights[first:cut])
        if lighter <= spare:
            first, spare = cut, spare - lighter
        else:
            last = cut
    rest = np.sort(weights[first:last])
    dropped = min(int(rest.cumsum(dtype=np.float64).searchsorted(spare, side="right")), rest.size - 1)
    return float(rest[dropped]), weights.size - first - dropped


def _cut(weights: Logits, spare: float) -> int:
    """Where to cut: just beyond the rank at which a sample puts the edge, so that the larger side can go."""
    every = weights.size // SAMPLE
    sample = np.sort(weights[::every])
    rank = every * int(sample.cumsum(dtype=np.float64).searchsorted(spare / every))
    margin = weights.size // 32
    return max(rank - margin, 1) if 2 * rank > weights.size else rank + margin
