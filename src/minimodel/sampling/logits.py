"""What counts as logits: scores over a vocabulary, on the last axis of an array."""

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
    scores = _floats(logits)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(f"logits have shape {scores.shape}: expected (..., V) with at least one token")
    peak = scores.max(axis=-1)
    if not np.isfinite(peak).all():
        raise ValueError(f"a row of logits is {_fault(peak)}: expected finite scores, or -inf for a forbidden token")
    return scores


def as_row(logits: ArrayLike) -> Logits:
    """Return the logits of one step, shape ``(V,)``, as an array of floats whose values are yet to be checked.

    Raises:
        ValueError: there is no vocabulary, or more than one row.
    """
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
