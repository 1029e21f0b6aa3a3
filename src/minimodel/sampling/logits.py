"""What counts as logits: scores over a vocabulary, on the last axis of an array."""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minimodel.sampling.tensors import as_array, is_tensor

Logits: TypeAlias = NDArray[np.floating[Any]]


def as_logits(logits: ArrayLike) -> Logits:
    """Return ``logits`` as an array of floats that a probability can be made of.

    Args:
        logits: scores, shape ``(..., V)``; integers become float64, floats keep their type.

    Raises:
        ValueError: where there is no vocabulary, or a row holds NaN or +inf, or is all -inf.
    """
    scores = as_scores(logits)
    best_ids(scores)
    return scores


def as_scores(logits: ArrayLike) -> Logits:
    """Return ``logits`` as an array of floats whose values are yet to be checked.

    Raises:
        ValueError: there is no vocabulary.
    """
    scores = _floats(logits)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(f"logits have shape {scores.shape}: expected (..., V) with at least one token")
    return scores


def best_ids(scores: Logits) -> Any:
    """Return the id of the largest score of each row, the lowest where several are largest.

    NaN, +inf and rows that are all -inf show in the score that is found.

    Raises:
        ValueError: one of those is there.
    """
    ids = scores.argmax(axis=-1)
    if scores.ndim == 1:  # what a decode loop asks for at every token: spared the price of general calls
        peaks = scores[ids]
        valid = math.isfinite(peaks)
    else:
        peaks = np.take_along_axis(scores, ids[..., np.newaxis], axis=-1)
        valid = bool(np.isfinite(peaks).all())
    if not valid:
        raise ValueError(f"a row of logits is {_fault(peaks)}: expected finite scores, or -inf for a forbidden token")
    return ids


def highest(scores: Logits) -> float:
    """Return the largest score of one row.

    Raises:
        ValueError: it is NaN or infinite.
    """
    peak = float(scores.max())
    if not math.isfinite(peak):
        best_ids(scores)  # says what is wrong
    return peak


def as_row(logits: ArrayLike) -> Logits:
    """Return the logits of one step, shape ``(V,)``, as an array of floats whose values are yet to be checked.

    Raises:
        ValueError: there is no vocabulary, or more than one row.
    """
    if type(logits) is np.ndarray and logits.ndim == 1 and logits.dtype.kind == "f" and logits.size:
        return logits  # what a decode loop brings at every token: spared the questions
    scores = _floats(logits)
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(f"logits have shape {scores.shape}: a strategy draws from one row, (V,)")
    return scores


def _floats(logits: ArrayLike) -> Logits:
    scores = np.asarray(as_array(logits) if is_tensor(logits) else logits)
    return scores if scores.dtype.kind == "f" else scores.astype(np.float64)


def _fault(peak: NDArray[Any]) -> str:
    """Say what is wrong with the rows that have these largest values."""
    if np.isnan(peak).any():
        return "not a number (NaN)"
    return "infinite (+inf)" if np.isposinf(peak).any() else "all -inf, so that no token is left"
