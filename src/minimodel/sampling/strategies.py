"""Sampling strategies: each takes the logits of one step and a random generator, and returns one token id.

A strategy *warps* the logits with the contract's transforms, then draws. ``Chain`` joins several into a pipeline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from minimodel.sampling.draws import draw, greedy
from minimodel.sampling.logits import Logits, as_logits
from minimodel.sampling.softmax import softmax
from minimodel.sampling.transforms import (
    apply_logit_bias,
    apply_repetition_penalty,
    apply_temperature,
    min_p_filter,
    top_k_filter,
    top_p_filter,
)


class Strategy:
    """What every strategy can do; on its own it draws from the model's distribution as it is."""

    def warp(self, logits: ArrayLike) -> Logits:
        """Return the logits, shape ``(V,)``, that the token will be drawn from."""
        return as_logits(logits)

    def given(self, token_ids: Sequence[int]) -> Self:
        """Return the strategy to use after ``token_ids`` (prompt and generated text)."""
        return self

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id, with one uniform number of ``rng``."""
        return int(draw(softmax(self.warp(logits)), rng.random()))


@dataclass(frozen=True)
class Greedy(Strategy):
    """Always the most probable token (lowest id on a tie). Uses no random number, so the seed cannot matter.

    Examples:
        >>> Greedy()([1.0, 3.0, 2.0], np.random.default_rng(0))
        1
    """

    def warp(self, logits: ArrayLike) -> Logits:
        """Drop every token but the most probable."""
        return top_k_filter(logits, 1)

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Return the argmax."""
        return int(greedy(logits))


class _Tempered(Strategy):
    """Temperature first, then whatever a subclass drops; at temperature 0 this is greedy, whatever else is set."""

    tau: float

    def __post_init__(self) -> None:
        if self.tau != 0:
            apply_temperature([0.0], self.tau)  # the transforms know which values they refuse
        self.truncate([0.0])

    def truncate(self, logits: ArrayLike) -> Logits:
        """Drop the tokens that this strategy does not draw from."""
        return as_logits(logits)

    def warp(self, logits: ArrayLike) -> Logits:
        """Divide by the temperature, then truncate."""
        if self.tau == 0:
            return top_k_filter(logits, 1)
        return self.truncate(apply_temperature(logits, self.tau))

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id; at temperature 0 return the argmax, using no random number."""
        return int(greedy(logits)) if self.tau == 0 else super().__call__(logits, rng)


@dataclass(frozen=True)
class Temperature(_Tempered):
    """Draw from the whole distribution at temperature ``tau``; 0 is greedy.

    Raises:
        ValueError: ``tau`` is negative, NaN or infinite.

    Examples:
        >>> Temperature(0.5).warp([2.0, 1.0, 0.0])
        array([4., 2., 0.])
    """

    tau: float


@dataclass(frozen=True)
class TopK(_Tempered):
    """Temperature, then a draw from the ``k`` most probable tokens.

    Raises:
        ValueError: ``k`` is below 1 or not a whole number, or ``tau`` is refused.

    Examples:
        >>> TopK(1)([1.0, 3.0, 2.0], np.random.default_rng(0))
        1
    """

    k: int
    tau: float = 1.0

    def truncate(self, logits: ArrayLike) -> Logits:
        """Keep the ``k`` most probable tokens."""
        return top_k_filter(logits, self.k)


@dataclass(frozen=True)
class TopP(_Tempered):
    """Temperature, then a draw from the nucleus of mass ``p``.

    Raises:
        ValueError: ``p`` is outside (0, 1], or ``tau`` is refused.

    Examples:
        >>> TopP(0.8, tau=0.5).warp([3.0, 2.0, 1.0])
        array([  6., -inf, -inf])
    """

    p: float
    tau: float = 1.0

    def truncate(self, logits: ArrayLike) -> Logits:
        """Keep the nucleus."""
        return top_p_filter(logits, self.p)


@dataclass(frozen=True)
class MinP(_Tempered):
    """Temperature, then a draw from the tokens at least ``min_p`` times as probable as the most probable one.

    Raises:
        ValueError: ``min_p`` is outside [0, 1], or ``tau`` is refused.

    Examples:
        >>> MinP(0.3).warp([3.0, 2.0, 1.0])
        array([  3.,   2., -inf])
    """

    min_p: float
    tau: float = 1.0

    def truncate(self, logits: ArrayLike) -> Logits:
        """Keep the tokens that are probable enough."""
        return min_p_filter(logits, self.min_p)


@dataclass(frozen=True)
class RepetitionPenalty(Strategy):
    """Make what has been said less likely; the decode loop tells it the text so far through ``given``.

    Raises:
        ValueError: ``penalty`` is not a finite positive number.

    Examples:
        >>> RepetitionPenalty(2.0).given([0]).warp([2.0, 1.0])
        array([1., 1.])
    """

    penalty: float
    token_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        apply_repetition_penalty([0.0], [], self.penalty)

    def given(self, token_ids: Sequence[int]) -> Self:
        """Return the same penalty on the distinct ids of ``token_ids``."""
        return replace(self, token_ids=tuple(token_ids))

    def warp(self, logits: ArrayLike) -> Logits:
        """Penalise the tokens said so far."""
        return apply_repetition_penalty(logits, self.token_ids, self.penalty)


@dataclass(frozen=True)
class LogitBias(Strategy):
    """Add a number to single logits; ``-inf`` forbids a token.

    Examples:
        >>> LogitBias({1: -np.inf}).warp([1.0, 2.0])
        array([  1., -inf])
    """

    bias: Mapping[int, float]

    def warp(self, logits: ArrayLike) -> Logits:
        """Add the biases."""
        return apply_logit_bias(logits, self.bias)


class Chain(Strategy):
    """A pipeline: every strategy warps what the one before it left, and the last one draws.

    The contract's order is repetition penalty, logit bias, temperature, top-k, top-p, min-p.

    Raises:
        ValueError: there is no strategy to chain.

    Examples:
        >>> Chain(Temperature(0.5), TopP(0.8)).warp([3.0, 2.0, 1.0])
        array([  6., -inf, -inf])
        >>> Chain(TopP(0.8), Temperature(0.5)).warp([3.0, 2.0, 1.0])
        array([  6.,   4., -inf])
    """

    def __init__(self, *strategies: Strategy) -> None:
        if not strategies:
            raise ValueError("Chain() is empty: give it at least one strategy, e.g. Chain(Temperature(0.7), TopP(0.9))")
        self.strategies = strategies

    def __repr__(self) -> str:
        return f"Chain({', '.join(map(repr, self.strategies))})"

    def given(self, token_ids: Sequence[int]) -> "Chain":
        """Tell every strategy the text so far."""
        return Chain(*(strategy.given(token_ids) for strategy in self.strategies))

    def warp(self, logits: ArrayLike) -> Logits:
        """Apply every strategy's transforms, first to last."""
        for strategy in self.strategies:
            logits = strategy.warp(logits)
        return as_logits(logits)

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id as the last strategy does (``Greedy()`` at the end uses no random number)."""
        *first, last = self.strategies
        for strategy in first:
            logits = strategy.warp(logits)
        return last(logits, rng)
