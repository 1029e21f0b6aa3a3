"""From a distribution to one token: argmax, inverse-CDF draw, Gumbel-max draw. None makes its own random numbers."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minimodel.sampling.logits import as_logits, as_scores, best_ids

TokenIds: TypeAlias = int | NDArray[np.intp]


def greedy(logits: ArrayLike) -> TokenIds:
    """Return the id of the largest logit; the lowest id where several are largest.

    Args:
        logits: scores, shape ``(..., V)``.

    Returns:
        An int for shape ``(V,)``, else ids of shape ``(...)``.

    Raises:
        ValueError: a row of logits is not valid.

    Examples:
        >>> greedy([1.0, 3.0, 3.0])
        1
    """
    return _as_ids(best_ids(as_scores(logits)))


def draw(probs: ArrayLike, u: ArrayLike) -> TokenIds:
    """Draw by inverse CDF: the first id whose cumulative probability is above ``u``.

    An id of probability 0 is never returned, and no rounding of the cumulative sum leads out of the vocabulary.

    Args:
        probs: probabilities, shape ``(..., V)``, each row summing to 1.
        u: uniform numbers in [0, 1), shape ``(...)``: one for each row.

    Returns:
        An int for shape ``(V,)``, else ids of shape ``(...)``.

    Raises:
        ValueError: ``probs`` is no distribution, or ``u`` is outside [0, 1).

    Source:
        Devroye (1986), "Non-uniform random variate generation", section III.2.

    Examples:
        >>> draw([0.5, 0.25, 0.25], 0.5)
        1
    """
    masses, uniforms = _as_probs(probs), np.asarray(u, dtype=np.float64)
    if not ((uniforms >= 0) & (uniforms < 1)).all():
        raise ValueError(f"u is {uniforms}: expected numbers from 0 up to, not including, 1")
    ids = (np.cumsum(masses, axis=-1) <= uniforms[..., np.newaxis]).sum(axis=-1)
    last = masses.shape[-1] - 1 - (masses[..., ::-1] > 0).argmax(axis=-1)  # the last id that has any probability
    return _as_ids(np.minimum(ids, last))


def gumbel_draw(logits: ArrayLike, noise: ArrayLike) -> TokenIds:
    """Draw by Gumbel-max: the argmax of logits plus standard Gumbel noise follows the softmax of the logits.

    Args:
        logits: scores after every transform, temperature included, shape ``(..., V)``.
        noise: independent Gumbel(0, 1) numbers, the same shape.

    Returns:
        An int for shape ``(V,)``, else ids of shape ``(...)``.

    Raises:
        ValueError: a row of logits is not valid, or the shapes differ.

    Source:
        Gumbel (1954); Maddison, Tarlow & Minka (2014), "A* sampling".

    Examples:
        >>> gumbel_draw([0.0, 1.0], [2.0, 0.5])
        0
    """
    scores, gumbels = as_logits(logits), np.asarray(noise)
    if scores.shape != gumbels.shape:
        raise ValueError(f"noise has shape {gumbels.shape}: expected that of the logits, {scores.shape}")
    return greedy(scores + gumbels)


def _as_probs(probs: ArrayLike) -> NDArray[np.float64]:
    """Return ``probs`` in float64, held to be distributions over the last axis."""
    masses = np.asarray(probs, dtype=np.float64)
    if masses.ndim == 0 or masses.shape[-1] == 0 or not (masses >= 0).all():
        raise ValueError(f"probabilities {masses} are not all 0 or more: expected shape (..., V)")
    totals = masses.sum(axis=-1)
    if not np.allclose(totals, 1, rtol=0, atol=1e-3):
        raise ValueError(f"probabilities sum to {totals}: expected 1")
    return masses


def _as_ids(ids: Any) -> TokenIds:
    """A plain int for one row, an array for many."""
    return int(ids) if ids.ndim == 0 else np.asarray(ids, dtype=np.intp)
