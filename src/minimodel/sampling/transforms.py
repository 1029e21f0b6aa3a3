"""The logit transforms: logits in, logits out, same shape, nothing normalised and the input never changed.

A token is *kept* when its logit is unchanged and *dropped* when it becomes ``-inf``. Every row of a batch is treated on
its own, and the most probable token always survives. The order in which a pipeline applies them is
repetition penalty, logit bias, temperature, top-k, top-p, min-p.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minimodel.sampling.logits import Logits, as_logits, as_scores, best_ids
from minimodel.sampling.selection import beyond_edge, top
from minimodel.sampling.small_rows import SMALL
from minimodel.sampling.softmax import log_softmax, softmax
from minimodel.sampling.tensors import tensors_too


@tensors_too
def apply_temperature(logits: ArrayLike, tau: float) -> Logits:
    """Divide ``logits`` by the temperature: below 1 the distribution sharpens, above 1 it flattens.

    Args:
        logits: scores, shape ``(..., V)``.
        tau: the temperature, finite and above 0. (τ = 0, "greedy", is a matter for the strategies.)

    Raises:
        ValueError: ``tau`` is not a finite positive number, or a row of logits is not valid.

    Source:
        Ackley, Hinton & Sejnowski (1985), "A learning algorithm for Boltzmann machines".

    Examples:
        >>> apply_temperature([2.0, 1.0, 0.0], 0.5)
        array([4., 2., 0.])
    """
    if not (math.isfinite(tau) and tau > 0):
        raise ValueError(f"temperature is {tau}: expected a finite number above 0 (for greedy decoding use Greedy())")
    scores = as_logits(logits)
    with np.errstate(all="ignore"):
        tempered: Logits = scores / float(tau)
    return tempered if np.isfinite(tempered.max(axis=-1)).all() else _at_an_extreme(scores, float(tau))


@tensors_too
def top_k_filter(logits: ArrayLike, k: int) -> Logits:
    """Keep exactly ``min(k, V)`` tokens, the highest; among equal logits the lowest index wins.

    Args:
        logits: scores, shape ``(..., V)``.
        k: how many tokens to keep, at least 1.

    Raises:
        ValueError: ``k`` is below 1 or not a whole number, or a row of logits is not valid.

    Source:
        Fan, Lewis & Dauphin (2018), "Hierarchical neural story generation".

    Examples:
        >>> top_k_filter([1.0, 3.0, 2.0, 2.0], 2)
        array([-inf,   3.,   2., -inf])
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k is {k!r}: expected a whole number, 1 or more")
    scores = as_scores(logits)
    if scores.shape[-1] > SMALL:  # the same tokens without sorting them all
        return _by_rows(scores, lambda row: _keep(row, top(row, k)))
    best_ids(scores)  # refuses what is not a row of logits
    return _keep(scores, _descending(scores)[..., :k])


@tensors_too
def top_p_filter(logits: ArrayLike, p: float) -> Logits:
    """Keep the nucleus: the smallest set of most probable tokens whose probability is at least ``p``.

    In descending order of probability (equal ones by lowest index) a token is kept while the mass *before* it is
    still short of ``p``; so the token that crosses the line is kept.

    Args:
        logits: scores, shape ``(..., V)``.
        p: the probability to cover, above 0 and at most 1; 1 keeps all.

    Raises:
        ValueError: ``p`` is outside (0, 1], or a row of logits is not valid.

    Source:
        Holtzman et al. (2020), "The curious case of neural text degeneration".

    Examples:
        >>> top_p_filter(np.log([0.5, 0.25, 0.25]), 0.75).round(3)
        array([-0.693, -1.386,   -inf])
    """
    if not 0 < p <= 1:
        raise ValueError(f"p is {p}: expected a number above 0 and at most 1")
    scores = as_scores(logits)
    if scores.shape[-1] > SMALL and p < 1:  # the same tokens without sorting them all
        return _by_rows(scores, lambda row: _only_nucleus(row, p))
    best_ids(scores)  # refuses what is not a row of logits
    # probabilities in float64: over a large vocabulary a float32 sum loses whole parts of a thousand
    return _keep_prefix(scores, _descending(scores), softmax(scores.astype(np.float64)), p)


@tensors_too
def min_p_filter(logits: ArrayLike, min_p: float) -> Logits:
    """Keep every token whose probability is at least ``min_p`` times the largest one.

    Args:
        logits: scores, shape ``(..., V)``.
        min_p: the share of the largest probability, from 0 (keep all) to 1 (keep only the top and its equals).

    Raises:
        ValueError: ``min_p`` is outside [0, 1], or a row of logits is not valid.

    Source:
        Nguyen et al. (2024), "Turning up the heat: min-p sampling for creative and coherent LLM outputs".

    Examples:
        >>> min_p_filter(np.log([0.5, 0.25, 0.125, 0.125]), 0.5).round(3)
        array([-0.693, -1.386,   -inf,   -inf])
    """
    if not 0 <= min_p <= 1:
        raise ValueError(f"min_p is {min_p}: expected a number from 0 to 1")
    scores = as_logits(logits)
    below = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=np.float64)
    relative = np.exp(below)  # probability over the largest probability; in float64, as where a token is drawn
    return np.where(relative >= min_p, scores, -np.inf).astype(scores.dtype)


@tensors_too
def apply_repetition_penalty(logits: ArrayLike, token_ids: ArrayLike, penalty: float) -> Logits:
    """Make the tokens seen so far less likely: a positive logit is divided by ``penalty``, a negative one multiplied.

    Each *distinct* id counts once, however often it occurs. A penalty below 1 rewards repetition.

    Args:
        logits: scores, shape ``(..., V)``.
        token_ids: the ids of prompt and generated text, shape ``(T,)``, or ``(..., T)`` with one list a row.
        penalty: ρ, above 0; 1 changes nothing.

    Raises:
        ValueError: ``penalty`` is not a finite positive number, an id is outside the vocabulary, or a row is not valid.

    Source:
        Keskar et al. (2019), "CTRL: a conditional transformer language model for controllable generation", who divide
        every logit; to look at the sign first, so that a negative one is not rewarded, is the rule of the libraries.

    Examples:
        >>> apply_repetition_penalty([2.0, -1.0, 0.5], [0, 1, 1], 2.0)
        array([ 1. , -2. ,  0.5])
    """
    if not (math.isfinite(penalty) and penalty > 0):
        raise ValueError(f"repetition penalty is {penalty}: expected a finite number above 0 (1 changes nothing)")
    scores = as_logits(logits).copy()
    said = _places(token_ids, scores)
    seen = scores[said]
    scores[said] = np.where(seen > 0, seen / penalty, seen * penalty)
    return scores


@tensors_too
def apply_frequency_penalty(logits: ArrayLike, token_ids: ArrayLike, penalty: float) -> Logits:
    """Lower the logit of a token by ``penalty`` for every time it occurs in the text so far.

    Args:
        logits: scores, shape ``(..., V)``.
        token_ids: the ids of the text, shape ``(T,)``, or ``(..., T)`` with one list a row.
        penalty: what each occurrence costs, in logits; below 0 it rewards repetition.

    Raises:
        ValueError: ``penalty`` is not finite, an id is outside the vocabulary, or a row is not valid.

    Source:
        OpenAI's API reference, "frequency_penalty".

    Examples:
        >>> apply_frequency_penalty([2.0, 1.0], [0, 0, 1], 0.5)
        array([1. , 0.5])
    """
    if not math.isfinite(penalty):
        raise ValueError(f"frequency penalty is {penalty}: expected a finite number (0 changes nothing)")
    scores = as_logits(logits).copy()
    np.subtract.at(scores, _places(token_ids, scores), penalty)
    return scores


@tensors_too
def apply_presence_penalty(logits: ArrayLike, token_ids: ArrayLike, penalty: float) -> Logits:
    """Lower the logit of every token that occurs in the text so far by ``penalty``, once.

    Args:
        logits: scores, shape ``(..., V)``.
        token_ids: the ids of the text, shape ``(T,)``, or ``(..., T)`` with one list a row.
        penalty: what having occurred costs, in logits; below 0 it rewards repetition.

    Raises:
        ValueError: ``penalty`` is not finite, an id is outside the vocabulary, or a row is not valid.

    Source:
        OpenAI's API reference, "presence_penalty".

    Examples:
        >>> apply_presence_penalty([2.0, 1.0, 0.0], [0, 0, 1], 0.5)
        array([1.5, 0.5, 0. ])
    """
    if not math.isfinite(penalty):
        raise ValueError(f"presence penalty is {penalty}: expected a finite number (0 changes nothing)")
    scores = as_logits(logits).copy()
    said = _places(token_ids, scores)
    scores[said] = scores[said] - penalty  # in one go: a token said twice pays once
    return scores


@tensors_too
def apply_logit_bias(logits: ArrayLike, bias: Mapping[int, float]) -> Logits:
    """Add a number to the logits of single tokens; ``-inf`` forbids a token.

    Args:
        logits: scores, shape ``(..., V)``.
        bias: what to add, by token id.

    Raises:
        ValueError: an id is outside the vocabulary, a bias is NaN or +inf, or a row of logits is not valid.

    Examples:
        >>> apply_logit_bias([1.0, 2.0, 3.0], {0: 5.0, 2: -np.inf})
        array([  6.,   2., -inf])
    """
    biased = as_logits(logits).copy()
    ids = vocabulary_ids(list(bias), biased.shape[-1])
    amounts = np.array(list(bias.values()), dtype=biased.dtype)
    if not (amounts < np.inf).all():
        raise ValueError(f"logit bias {dict(bias)} holds NaN or +inf: expected finite numbers, or -inf (forbidden)")
    biased[..., ids] += amounts
    return biased


@tensors_too
def allow_only(logits: ArrayLike, token_ids: ArrayLike) -> Logits:
    """Keep the tokens of ``token_ids`` and drop all others; a single one is thereby forced.

    Args:
        logits: scores, shape ``(..., V)``.
        token_ids: the ids that may come, shape ``(T,)``, or ``(..., T)`` with one list a row.

    Raises:
        ValueError: no token is allowed, an id is outside the vocabulary, or a row of logits is not valid.

    Examples:
        >>> allow_only([1.0, 2.0, 3.0], [0, 1])
        array([  1.,   2., -inf])
    """
    scores = as_logits(logits)
    kept = np.zeros(scores.shape, dtype=bool)
    kept[_places(token_ids, scores)] = True
    if not kept.any():
        raise ValueError("no token is allowed: expected at least one id")
    return _where(kept, scores)


@tensors_too
def typical_filter(logits: ArrayLike, mass: float) -> Logits:
    """Keep the smallest set of tokens of probability ``mass`` whose surprise is nearest to the expected one.

    The surprise of a token is minus its log-probability; its expectation is the entropy. Taken in order of distance
    from it (equal ones by lowest index), a token is kept while the mass before it is short of ``mass``. The most
    probable token can be dropped.

    Args:
        logits: scores, shape ``(..., V)``.
        mass: the probability to cover, above 0 and at most 1; 1 keeps all.

    Raises:
        ValueError: ``mass`` is outside (0, 1], or a row of logits is not valid.

    Source:
        Meister, Pimentel, Wiher & Cotterell (2023), "Locally typical sampling".

    Examples:
        >>> typical_filter(np.log([0.5, 0.3, 0.2]), 0.25).round(2)
        array([-inf, -1.2, -inf])
    """
    if not 0 < mass <= 1:
        raise ValueError(f"mass is {mass}: expected a number above 0 and at most 1")
    scores = as_logits(logits)
    surprise = -log_softmax(scores.astype(np.float64))
    probs = np.exp(-surprise)
    expected = (probs * np.where(probs > 0, surprise, 0.0)).sum(axis=-1, keepdims=True)
    return _keep_prefix(scores, np.argsort(np.abs(surprise - expected), axis=-1, kind="stable"), probs, mass)


def _at_an_extreme(scores: Logits, tau: float) -> Logits:
    """Divide by a temperature for which the scores' precision has no such number, their largest taken off first.

    No probability depends on that, and what is left can overflow to -inf only.
    """
    below = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=np.float64)
    with np.errstate(over="ignore"):
        tempered: Logits = (below / tau).astype(scores.dtype)
    return tempered


def _descending(scores: Logits) -> NDArray[np.intp]:
    """Token ids from the highest score to the lowest; the stable sort puts the lower id first among equals."""
    return np.argsort(-scores, axis=-1, kind="stable")


def _keep(scores: Logits, ids: NDArray[np.intp], flags: NDArray[np.bool_] | bool = True) -> Logits:
    """Return ``scores`` with every token dropped but those in ``ids`` (whose ``flags`` are true)."""
    kept = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(kept, ids, flags, axis=-1)
    return np.where(kept, scores, -np.inf).astype(scores.dtype)


def _where(kept: NDArray[np.bool_], row: Logits) -> Logits:
    """Return ``row`` with -inf where it is not kept; without a branch, since ``np.where`` is slow on a mixed mask."""
    ceiling = kept.astype(row.dtype)
    ceiling -= 0.5
    ceiling *= np.inf
    return np.minimum(row, ceiling, out=ceiling)


def _only_nucleus(row: Logits, p: float) -> Logits:
    """Return ``row`` with -inf outside the nucleus, without a branch either."""
    ceiling = beyond_edge(row, p)
    ceiling *= np.inf
    return np.minimum(row, ceiling, out=ceiling).astype(row.dtype, copy=False)


def _by_rows(scores: Logits, transform: Callable[[Logits], Logits]) -> Logits:
    """Return the transform of every row."""
    if scores.ndim == 1:
        return transform(scores)
    rows = [transform(row) for row in scores.reshape(-1, scores.shape[-1])]
    return np.array(rows, dtype=scores.dtype).reshape(scores.shape)


def _keep_prefix(scores: Logits, order: NDArray[np.intp], probs: NDArray[Any], mass: float) -> Logits:
    """Return ``scores`` with only the shortest start of ``order`` kept whose probability is at least ``mass``."""
    if mass == 1:  # the cumulative sum may round to 1 before the last token
        return scores.copy()
    so_far = np.cumsum(np.take_along_axis(probs, order, axis=-1), axis=-1)
    before = np.concatenate([np.zeros_like(so_far[..., :1]), so_far[..., :-1]], axis=-1)
    return _keep(scores, order, before < mass)


def _places(token_ids: ArrayLike, scores: Logits) -> tuple[Any, ...]:
    """Return where in ``scores`` the ids are, as an index: the same ids in each row, or each row's own."""
    ids = vocabulary_ids(token_ids, scores.shape[-1])
    if ids.ndim == 1:
        return (..., ids)
    rows: tuple[NDArray[np.intp], ...] = np.indices(scores.shape[:-1], sparse=True)
    return (*(row[..., np.newaxis] for row in rows), np.broadcast_to(ids, (*scores.shape[:-1], ids.shape[-1])))


def vocabulary_ids(token_ids: ArrayLike, vocab_size: int) -> NDArray[np.intp]:
    """Return ``token_ids`` as an array, each held to 0..V-1.

    Raises:
        ValueError: one of them is outside, or they are no whole numbers.
    """
    ids = np.asarray(token_ids)
    if ids.size == 0:
        return ids.astype(np.intp)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"token ids are {ids.dtype}: expected whole numbers")
    outside = ids[(ids < 0) | (ids >= vocab_size)]
    if outside.size:
        raise ValueError(f"token id {outside[0]} is outside the vocabulary: expected 0 to {vocab_size - 1}")
    return ids.astype(np.intp)
