"""Sampling strategies: each takes the logits of one step and a random generator, and returns one token id.

A strategy is a list of named transforms and a draw. ``Chain`` joins several into a pipeline.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minimodel.sampling.draws import draw, greedy
from minimodel.sampling.fast import pick
from minimodel.sampling.logits import Logits, as_logits, as_row
from minimodel.sampling.softmax import softmax
from minimodel.sampling.transforms import (
    allow_only,
    apply_frequency_penalty,
    apply_logit_bias,
    apply_presence_penalty,
    apply_repetition_penalty,
    apply_temperature,
    min_p_filter,
    top_k_filter,
    top_p_filter,
    typical_filter,
)

Transform: TypeAlias = tuple[str, Callable[[Logits], Logits]]
"""A transform of the logits, and its name."""

ORDER = (
    "repetition penalty",
    "frequency penalty",
    "presence penalty",
    "logit bias",
    "allowed tokens",
    "temperature",
    "top-k",
    "top-p",
    "min-p",
    "typical",
    "greedy",
)
"""The contract's order, and in it the places of the transforms that the contract does not name."""


Picker: TypeAlias = Callable[[Any, np.random.Generator], int]
"""What the decode loop asks for: any function of the logits of one step and a generator that returns a token id."""


def informed(picker: Picker, token_ids: Sequence[int]) -> Picker:
    """Return what to pick with after ``token_ids``; a plain function does not care."""
    return picker.given(token_ids) if isinstance(picker, Strategy) else picker


class Strategy:
    """What every strategy can do; on its own it draws from the model's distribution as it is."""

    def transforms(self) -> Sequence[Transform]:
        """Return the transforms that come before the draw, in order."""
        return ()

    def given(self, token_ids: Sequence[int]) -> Self:
        """Return the strategy to use after ``token_ids`` (prompt and generated text)."""
        return self

    def warp(self, logits: ArrayLike) -> Logits:
        """Return the logits, shape ``(V,)``, that the token will be drawn from."""
        scores = as_logits(logits)
        for _, transform in self.transforms():
            scores = transform(scores)
        return scores

    def trace(self, logits: ArrayLike) -> list[tuple[str, Logits]]:
        """Return the logits before the first and after every transform, with the names of the transforms."""
        steps = [("model", as_logits(logits))]
        for name, transform in self.transforms():
            steps.append((name, transform(steps[-1][1])))
        return steps

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id, with one uniform number of ``rng``."""
        return int(draw(softmax(self.warp(as_row(logits))), rng.random()))

    def draw_rows(self, logits: ArrayLike, rngs: Iterable[np.random.Generator]) -> NDArray[np.intp]:
        """Draw one token id for each row of ``(B, V)``, each with one uniform number of its own generator."""
        return np.asarray(draw(softmax(self.warp(logits)), [rng.random() for rng in rngs]))


@dataclass(frozen=True)
class Greedy(Strategy):
    """Always the most probable token (lowest id on a tie). Uses no random number, so the seed cannot matter.

    Examples:
        >>> Greedy()([1.0, 3.0, 2.0], np.random.default_rng(0))
        1
    """

    def transforms(self) -> Sequence[Transform]:
        """Drop every token but the most probable."""
        return (("greedy", partial(top_k_filter, k=1)),)

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Return the argmax."""
        return int(greedy(logits))

    def draw_rows(self, logits: ArrayLike, rngs: Iterable[np.random.Generator]) -> NDArray[np.intp]:
        """Return the argmax of each row."""
        return np.asarray(greedy(logits))


class Tempered(Strategy):
    """Temperature first, then whatever a subclass drops; at temperature 0 this is greedy, whatever else is set."""

    tau: float

    def __post_init__(self) -> None:
        for _, transform in self.transforms():
            transform(np.zeros(1))  # the transforms know which values they refuse

    def truncation(self) -> Sequence[Transform]:
        """Return the transform that drops tokens, if there is one."""
        return ()

    def settings(self) -> dict[str, Any]:
        """Return the same as arguments of `pick`."""
        return {"tau": self.tau}

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """The settings, made once: a decode loop asks at every token."""
        return self.settings()

    def transforms(self) -> Sequence[Transform]:
        """Temperature (unless it is 1, which changes nothing), then the truncation."""
        if self.tau == 0:
            return (("temperature", partial(top_k_filter, k=1)), *self.truncation())
        temper: Transform = ("temperature", partial(apply_temperature, tau=self.tau))
        return self.truncation() if self.tau == 1 else (temper, *self.truncation())

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id; at temperature 0 return the argmax, using no random number."""
        return int(greedy(logits)) if self.tau == 0 else pick(as_row(logits), rng, **self._settings)


@dataclass(frozen=True)
class Temperature(Tempered):
    """Draw from the whole distribution at temperature ``tau``; 0 is greedy.

    Raises:
        ValueError: ``tau`` is negative, NaN or infinite.

    Examples:
        >>> Temperature(0.5).warp([2.0, 1.0, 0.0])
        array([4., 2., 0.])
    """

    tau: float


@dataclass(frozen=True)
class TopK(Tempered):
    """Temperature, then a draw from the ``k`` most probable tokens.

    Raises:
        ValueError: ``k`` is below 1 or not a whole number, or ``tau`` is refused.

    Examples:
        >>> TopK(1)([1.0, 3.0, 2.0], np.random.default_rng(0))
        1
    """

    k: int
    tau: float = 1.0

    def truncation(self) -> Sequence[Transform]:
        """Keep the ``k`` most probable tokens."""
        return (("top-k", partial(top_k_filter, k=self.k)),)

    def settings(self) -> dict[str, Any]:
        """Return ``tau`` and ``k``."""
        return {"tau": self.tau, "k": self.k}


@dataclass(frozen=True)
class TopP(Tempered):
    """Temperature, then a draw from the nucleus of mass ``p``.

    Raises:
        ValueError: ``p`` is outside (0, 1], or ``tau`` is refused.

    Examples:
        >>> TopP(0.8, tau=0.5).warp([3.0, 2.0, 1.0])
        array([  6., -inf, -inf])
    """

    p: float
    tau: float = 1.0

    def truncation(self) -> Sequence[Transform]:
        """Keep the nucleus."""
        return (("top-p", partial(top_p_filter, p=self.p)),)

    def settings(self) -> dict[str, Any]:
        """Return ``tau`` and ``p``."""
        return {"tau": self.tau, "p": self.p}


@dataclass(frozen=True)
class MinP(Tempered):
    """Temperature, then a draw from the tokens at least ``min_p`` times as probable as the most probable one.

    Raises:
        ValueError: ``min_p`` is outside [0, 1], or ``tau`` is refused.

    Examples:
        >>> MinP(0.3).warp([3.0, 2.0, 1.0])
        array([  3.,   2., -inf])
    """

    min_p: float
    tau: float = 1.0

    def truncation(self) -> Sequence[Transform]:
        """Keep the tokens that are probable enough."""
        return (("min-p", partial(min_p_filter, min_p=self.min_p)),)

    def settings(self) -> dict[str, Any]:
        """Return ``tau`` and ``min_p``."""
        return {"tau": self.tau, "min_p": self.min_p}


@dataclass(frozen=True)
class Typical(Strategy):
    """A draw from the tokens whose surprise is nearest to the expected one, up to a mass.

    Raises:
        ValueError: ``mass`` is outside (0, 1].

    Examples:
        >>> Typical(0.25).warp(np.log([0.5, 0.3, 0.2])).round(2)
        array([-inf, -1.2, -inf])
    """

    mass: float

    def __post_init__(self) -> None:
        typical_filter([0.0], self.mass)

    def transforms(self) -> Sequence[Transform]:
        """Keep the typical tokens."""
        return (("typical", partial(typical_filter, mass=self.mass)),)


@dataclass(frozen=True)
class LogitBias(Strategy):
    """Add a number to single logits; ``-inf`` forbids a token.

    Examples:
        >>> LogitBias({1: -np.inf}).warp([1.0, 2.0])
        array([  1., -inf])
    """

    bias: Mapping[int, float]

    def transforms(self) -> Sequence[Transform]:
        """Add the biases."""
        return (("logit bias", partial(apply_logit_bias, bias=self.bias)),)


@dataclass(frozen=True)
class AllowOnly(Strategy):
    """Draw from a few tokens only; a single one is forced.

    Examples:
        >>> AllowOnly([2])([5.0, 1.0, 0.0], np.random.default_rng(0))
        2
    """

    token_ids: Sequence[int]

    def transforms(self) -> Sequence[Transform]:
        """Drop all other tokens."""
        return (("allowed tokens", partial(allow_only, token_ids=self.token_ids)),)


class Penalty(Strategy):
    """Makes what has been said less likely; the decode loop tells it the text so far through ``given``."""

    penalty: float
    said: tuple[int, ...]

    def __post_init__(self) -> None:
        for _, transform in self.transforms():
            transform(np.zeros(max(self.said, default=0) + 1))

    def given(self, token_ids: Sequence[int]) -> Self:
        """Return the same penalty on the tokens of ``token_ids``."""
        return replace(self, said=tuple(token_ids))  # type: ignore[type-var]  # subclasses are dataclasses


@dataclass(frozen=True)
class RepetitionPenalty(Penalty):
    """Divide the positive and multiply the negative logits of what has been said (CTRL).

    Raises:
        ValueError: ``penalty`` is not a finite positive number.

    Examples:
        >>> RepetitionPenalty(2.0).given([0]).warp([2.0, 1.0])
        array([1., 1.])
    """

    penalty: float
    said: tuple[int, ...] = ()

    def transforms(self) -> Sequence[Transform]:
        """Penalise each distinct token once."""
        apply = partial(apply_repetition_penalty, token_ids=self.said, penalty=self.penalty)
        return (("repetition penalty", apply),)


@dataclass(frozen=True)
class FrequencyPenalty(Penalty):
    """Lower the logit of a token by ``penalty`` for every time it has been said.

    Raises:
        ValueError: ``penalty`` is not a finite number.

    Examples:
        >>> FrequencyPenalty(0.5).given([0, 0]).warp([2.0, 1.0])
        array([1., 1.])
    """

    penalty: float
    said: tuple[int, ...] = ()

    def transforms(self) -> Sequence[Transform]:
        """Penalise by the count."""
        apply = partial(apply_frequency_penalty, token_ids=self.said, penalty=self.penalty)
        return (("frequency penalty", apply),)


@dataclass(frozen=True)
class PresencePenalty(Penalty):
    """Lower the logit of every token that has been said by ``penalty``, once.

    Raises:
        ValueError: ``penalty`` is not a finite number.

    Examples:
        >>> PresencePenalty(0.5).given([0, 0]).warp([2.0, 1.0])
        array([1.5, 1. ])
    """

    penalty: float
    said: tuple[int, ...] = ()

    def transforms(self) -> Sequence[Transform]:
        """Penalise each distinct token once."""
        apply = partial(apply_presence_penalty, token_ids=self.said, penalty=self.penalty)
        return (("presence penalty", apply),)


class Chain(Strategy):
    """A pipeline: every strategy's transforms, first to last, then one draw.

    Args:
        strategies: in the contract's order: penalties, logit bias, temperature, top-k, top-p, min-p.
        any_order: do not insist on that order.

    Raises:
        ValueError: there is no strategy to chain, or they are in another order.

    Examples:
        >>> Chain(Temperature(0.5), TopP(0.8)).warp([3.0, 2.0, 1.0])
        array([  6., -inf, -inf])
        >>> Chain(TopP(0.8), Temperature(0.5), any_order=True).warp([3.0, 2.0, 1.0])
        array([  6.,   4., -inf])
    """

    def __init__(self, *strategies: Strategy, any_order: bool = False) -> None:
        if not strategies:
            raise ValueError("Chain() is empty: give it at least one strategy, e.g. Chain(Temperature(0.7), TopP(0.9))")
        self.strategies, self.any_order = strategies, any_order
        names = [name for name, _ in self.transforms()]
        if not any_order and not _in_order(names):
            raise ValueError(
                f"Chain has {' → '.join(names)}: expected the order {' → '.join(ORDER)}, each at most once "
                "(any_order=True if another one is meant)"
            )
        self._asks = any(type(strategy).given is not Strategy.given for strategy in strategies)  # about the text
        tempered = [isinstance(strategy, Tempered) for strategy in strategies]
        self._first = strategies[: len(tempered) - tempered[::-1].index(False) if False in tempered else 0]
        self._tempered = any(tempered[len(self._first) :])
        self._pick: dict[str, Any] = {}  # everything from the temperature on, for `pick` to do at once
        for strategy in strategies[len(self._first) :]:
            if isinstance(strategy, Tempered):
                settings = strategy.settings()
                tau = settings.pop("tau")
                self._pick |= settings if tau == 1 else settings | {"tau": tau}  # two of them would be out of order

    def __repr__(self) -> str:
        return f"Chain({', '.join(map(repr, self.strategies))})"

    def transforms(self) -> Sequence[Transform]:
        """Return the transforms of every strategy, first to last."""
        return [transform for strategy in self.strategies for transform in strategy.transforms()]

    def given(self, token_ids: Sequence[int]) -> "Chain":
        """Tell every strategy the text so far."""
        if not self._asks:
            return self
        informed = tuple(strategy.given(token_ids) for strategy in self.strategies)
        same = all(new is old for new, old in zip(informed, self.strategies, strict=True))
        return self if same else Chain(*informed, any_order=self.any_order)

    def __call__(self, logits: ArrayLike, rng: np.random.Generator) -> int:
        """Draw one token id; with ``Greedy()`` or temperature 0 the argmax, using no random number."""
        if isinstance(self.strategies[-1], Greedy):
            return int(greedy(self.warp(logits)))
        if self.any_order or not self._tempered:
            return super().__call__(logits, rng)
        scores = as_row(logits)
        for strategy in self._first:
            for _, transform in strategy.transforms():
                scores = transform(scores)
        return int(greedy(scores)) if self._pick.get("tau") == 0 else pick(scores, rng, **self._pick)


def _in_order(names: Sequence[str]) -> bool:
    """Whether transforms come in the contract's order, none of them twice."""
    ranks = [ORDER.index(name) for name in names]
    return all(one < next_one for one, next_one in pairwise(ranks))
