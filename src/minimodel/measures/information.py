"""How open a distribution is, and how far one is from another."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def entropy(probs: ArrayLike, *, base: float = math.e) -> NDArray[np.float64] | float:
    r"""Return the Shannon entropy :math:`-\sum_i p_i \log p_i`, with :math:`0 \log 0 = 0`; never negative.

    Args:
        probs: probabilities, shape ``(..., V)``.
        base: of the logarithm: e for nats (the default), 2 for bits.

    Returns:
        A float for shape ``(V,)``, else an array of shape ``(...)``.

    Raises:
        ValueError: a probability is negative or NaN, or ``base`` is not above 1.

    Source:
        Shannon (1948), "A mathematical theory of communication".

    Examples:
        >>> entropy([0.5, 0.25, 0.25], base=2)
        1.5
        >>> entropy([1.0, 0.0])
        0.0
    """
    if not base > 1:
        raise ValueError(f"base is {base}: expected a number above 1 (e for nats, 2 for bits)")
    surprise = -_log(_as_probs(probs)) / math.log(base)
    return _plain(np.maximum((np.asarray(probs) * surprise).sum(axis=-1), 0))  # less than 0 by rounding only


def perplexity(probs: ArrayLike) -> NDArray[np.float64] | float:
    r"""Return :math:`e^{H}`: how many equally likely tokens would leave the choice just as open.

    Args:
        probs: probabilities, shape ``(..., V)``.

    Returns:
        A number from 1 to V: a float for shape ``(V,)``, else an array of shape ``(...)``.

    Raises:
        ValueError: a probability is negative or NaN.

    Source:
        Jelinek, Mercer, Bahl & Baker (1977), "Perplexity: a measure of the difficulty of speech recognition tasks".

    Examples:
        >>> round(perplexity([0.25, 0.25, 0.25, 0.25]), 9)
        4.0
        >>> perplexity([1.0, 0.0])
        1.0
    """
    return _plain(np.exp(entropy(probs)))


def cross_entropy(truth: ArrayLike, model: ArrayLike) -> NDArray[np.float64] | float:
    r"""Return :math:`-\sum_i p_i \log q_i` in nats: the mean surprise at ``truth`` of one who expects ``model``.

    It is the entropy of the truth plus the divergence from it, and never less than that entropy.

    Args:
        truth: probabilities p, shape ``(..., V)``.
        model: probabilities q, over the same vocabulary.

    Returns:
        A float for shape ``(V,)``, else an array of shape ``(...)``; ``inf`` where the model rules out what can happen.

    Raises:
        ValueError: a probability is negative or NaN, or the vocabularies differ in size.

    Source:
        Shannon (1948), "A mathematical theory of communication"; Good (1952), "Rational decisions".

    Examples:
        >>> round(cross_entropy([0.5, 0.5], [0.25, 0.75]), 4)
        0.837
        >>> cross_entropy([0.5, 0.5], [1.0, 0.0])
        inf
    """
    p, q = _as_pair(truth, model)
    return _plain(-(p * _log_expected(p, q)).sum(axis=-1) + 0.0)  # + 0.0 makes -0.0 plain


def kl_divergence(truth: ArrayLike, model: ArrayLike) -> NDArray[np.float64] | float:
    r"""Return :math:`\sum_i p_i \log (p_i / q_i)` in nats: what it costs to expect ``model`` when ``truth`` holds.

    Args:
        truth: probabilities p, shape ``(..., V)``.
        model: probabilities q, over the same vocabulary.

    Returns:
        A float for shape ``(V,)``, else an array of shape ``(...)``; ``inf`` where the model rules out what can happen.

    Raises:
        ValueError: a probability is negative or NaN, or the vocabularies differ in size.

    Source:
        Kullback & Leibler (1951), "On information and sufficiency".

    Examples:
        >>> kl_divergence([0.5, 0.5], [0.5, 0.5])
        0.0
        >>> kl_divergence([0.5, 0.5], [1.0, 0.0])
        inf
    """
    p, q = _as_pair(truth, model)
    return _plain(np.maximum((p * (_log(p) - _log_expected(p, q))).sum(axis=-1), 0.0))


def _as_probs(probs: ArrayLike) -> NDArray[np.float64]:
    """Return ``probs`` in float64, held to be 0 or more."""
    masses = np.asarray(probs, dtype=np.float64)
    if not (masses >= 0).all():
        raise ValueError(f"probabilities {masses} are not all 0 or more")
    return masses


def _as_pair(truth: ArrayLike, model: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both in float64, held to be probabilities over as many tokens."""
    p, q = _as_probs(truth), _as_probs(model)
    if p.shape[-1:] != q.shape[-1:]:
        raise ValueError(f"truth has shape {p.shape}, model {q.shape}: expected the same vocabulary on the last axis")
    return p, q


def _log_expected(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of q wherever p can happen, -inf included; 0 elsewhere."""
    with np.errstate(divide="ignore"):  # log 0 = -inf, the right answer
        return np.log(np.where(p > 0, q, 1.0))


def _log(probs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms, with that of 0 as 0: a term with no probability counts for nothing."""
    return np.log(np.where(probs > 0, probs, 1.0))


def _plain(value: Any) -> NDArray[np.float64] | float:
    """A plain float for one row, an array for many."""
    return float(value) if np.ndim(value) == 0 else np.asarray(value)
