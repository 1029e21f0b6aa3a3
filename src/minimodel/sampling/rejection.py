"""Draws from a large vocabulary by rejection (von Neumann 1951): draw from something easier, and throw some away.

* *From everything*, taking no exponential of most tokens: the largest of 64 logits bounds the other 63. A group is
  drawn by its bound, a token of it at random, and kept as often as its weight is a part of the bound.
* *From the nucleus*: a token drawn from everything is in the nucleus exactly if the tokens before it weigh less than p.
  To draw until one is gives the nucleus's law. All this takes rough weights, up to 6 % too heavy: what they draw too
  often is thrown away, and where they cannot tell on which side of p a token is, once or twice in a hundred draws, the
  exact ones do (a squeeze, Marsaglia 1977).
"""

import math

import numpy as np

from minimodel.sampling.cdf import BLOCK, Cdf, mass_of
from minimodel.sampling.logits import Logits, highest
from minimodel.sampling.selection import group_peaks
from minimodel.sampling.weights import EXCESS, ROUNDING, exact_weights, rough_weights

GROUP = 64
ROUND = 128  # tries of a draw by its bound that are made at once; one in 64 is kept where it is worst
PART = 4  # times 1 - p, of the vocabulary: lighter ones that weigh so much are there for three tokens in four
TRIES = 8  # a small p on flat logits would be rejected for long: from then on the nucleus is looked for


def draw_from_all(scores: Logits, rng: np.random.Generator, tau: float) -> int:
    """Draw from everything; only the peaks of groups, and what is drawn, are made weights."""
    peaks = group_peaks(scores, -(-scores.size // GROUP))
    peak = highest(peaks)
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


def draw_from_nucleus(scores: Logits, rng: np.random.Generator, tau: float, p: float, min_p: float) -> int | None:
    """Draw from everything until what was drawn is in the nucleus (and not below min-p); None after some tries."""
    peak = highest(scores)
    rough = Cdf(rough_weights(scores, peak, tau))
    for _ in range(TRIES):
        token = rough.find(rng.random() * rough.total)
        score = float(scores[token])
        weight = math.exp((score - peak) / tau)
        drawn = weight >= min_p and rng.random() * rough.weights[token] < weight
        if drawn and _is_inside(token, scores, rough, tau, p):
            return token
    return None


def _is_inside(token: int, scores: Logits, rough: Cdf, tau: float, p: float) -> bool:
    """Whether the tokens before this one weigh less than ``p``: by the rough weights where those can tell."""
    enough = ((1 - p) * EXCESS + ROUNDING) * rough.total
    if rough.weights[token] > enough or _lighter_ones(token, scores, rough, p) > enough:
        return True  # so much is not before it that what is weighs less than p
    before = np.empty(scores.size, dtype=np.bool_)
    np.greater_equal(scores[:token], scores[token], out=before[:token])
    np.greater(scores[token:], scores[token], out=before[token:])
    heavier, spare = float(rough.weights @ before), ROUNDING * rough.total
    lighter = rough.total - heavier
    if (1 - p) * (heavier + spare) * EXCESS < p * (lighter - spare):
        return True
    if (1 - p) * (heavier - spare) > p * (lighter + spare) * EXCESS:
        return False
    weights = exact_weights(scores, tau)
    return mass_of(weights, before) < p * mass_of(weights)


def _lighter_ones(token: int, scores: Logits, rough: Cdf, p: float) -> float:
    """Return what those tokens weigh that are lighter than this one, of a first part of the vocabulary only.

    For most tokens that are drawn it is enough, and the larger part need not be looked at.
    """
    blocks = math.ceil(PART * (1 - p) * len(rough.blocks))
    if blocks >= len(rough.blocks):
        return 0.0
    first = slice(blocks * BLOCK)
    return float(rough.blocks[blocks - 1] - rough.weights[first] @ (scores[first] >= scores[token]))
