"""Weights: the exponentials of scores at a temperature, the largest 1. Exact ones, and rough ones."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import Logits, highest

EXCESS = 1.0616  # a rough weight is at most so many times the exact one: the largest (1 + x) / 2^x, and rounding
ROUNDING = 2e-4  # what a sum over a large vocabulary in single precision may be off by, as a part of the total

OCTAVE = 2**23 / math.log(2)  # how far apart, in the bits of a float32, two numbers are whose logarithms differ by 1
ROUGH_ONE = 127 * 2**23 + 320  # the bits of 1, and a little: never too light for being rounded
HARMLESS = 40.0  # the exponential of such a score, and a million of them, are far from the largest float32
STEPS = 8  # more than rounding takes, but at temperatures where so many scores are as good as equal
HALF = np.dtype(np.float16)
FAR = 88.0  # a peak so many temperatures from 0 is taken off first, or rounding would take more than that little


def exact_weights(scores: Logits, tau: float) -> Logits:
    """Return the exponentials of scores at a temperature, or all of them times the same number.

    The largest score is taken off where one of them could be too large for its type, or all of them too small.
    """
    peak = highest(scores)
    if tau == 1 and 0 <= peak <= HARMLESS:
        return np.exp(scores)
    weights: Logits = scores - peak
    if tau != 1:
        weights *= scores.dtype.type(1 / tau)
    return np.exp(weights, out=weights)


def rough_weights(scores: Logits, peak: float, tau: float) -> NDArray[np.float32]:
    """Return weights that are up to 6 % too heavy, in a third of the time that ``exp`` takes.

    A float is stored as its exponent, then its mantissa. Read as one integer, that is its binary logarithm, but for a
    straight line between powers of two; so an integer written there is a power of two, nearly (Schraudolph, Neural
    Computation, 1999).
    """
    if abs(peak) > FAR * tau:
        scores, peak = scores - peak, 0.0
    per_score = np.float32(OCTAVE / tau)
    weights = np.multiply(scores, per_score, dtype=np.float32)
    weights += np.float32(ROUGH_ONE - peak * float(per_score))
    if weights.min() < 0:  # asked first, since to find the lowest is faster than to raise it
        np.maximum(weights, 0, out=weights)
    np.copyto(weights.view(np.int32), weights, casting="unsafe")
    return weights


def wide(scores: Logits) -> Logits:
    """Return the scores in single precision at least: sums of half precision are worth nothing."""
    return scores.astype(np.float32) if scores.dtype == HALF else scores


def lowest_kept(scores: Logits, peak: float, tau: float, min_p: float) -> float:
    """Return the lowest score that min-p keeps: the first, of those that there are in the scores' precision.

    The logarithm of ``min_p`` is a step or two away from it, and a step may be a token.
    """
    if min_p == 0:
        return -math.inf
    score = scores.dtype.type(peak + tau * math.log(min_p))
    for _ in range(STEPS):
        below = np.nextafter(score, -np.inf, dtype=scores.dtype)
        if _is_kept(score, peak, tau, min_p) and not _is_kept(below, peak, tau, min_p):
            break
        score = below if _is_kept(score, peak, tau, min_p) else np.nextafter(score, np.inf, dtype=scores.dtype)
    return float(score)


def _is_kept(score: Any, peak: float, tau: float, min_p: float) -> bool:
    return math.exp((float(score) - peak) / tau) >= min_p
