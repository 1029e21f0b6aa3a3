"""The decode loop: ask the model for logits, let the strategy pick a token, append it, repeat until told to stop."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.strategies import Strategy

Reason: TypeAlias = Literal["eos", "length", "stop"]


class Model(Protocol):
    """Anything that gives the logits of the next token at each position of a text."""

    @property
    def vocab_size(self) -> int:
        """V: ids run from 0 to V - 1."""

    @property
    def context_length(self) -> int:
        """How many tokens the model can look at."""

    @property
    def eos_id(self) -> int | None:
        """The id that ends a text, None where there is none."""

    def __call__(self, token_ids: NDArray[np.intp], /) -> NDArray[np.floating[Any]]:
        """Return logits of shape ``(T, V)`` for ids of shape ``(T,)``; row t scores the token after position t."""


@dataclass(frozen=True)
class Step:
    """One generated token, and on the last one why the text ended there."""

    token: int
    reason: Reason | None


@dataclass(frozen=True)
class Stop:
    """Strings that end a text once they occur in what was generated, and the ``decode`` that makes text of tokens."""

    strings: Sequence[str]
    decode: Callable[[Sequence[int]], str]

    def __post_init__(self) -> None:
        if isinstance(self.strings, str) or not all(self.strings):
            raise ValueError(f"stop strings are {self.strings!r}: expected a list of strings, none of them empty")

    def found(self, tokens: Sequence[int]) -> bool:
        """Whether the text of ``tokens`` holds one of the strings."""
        text = self.decode(tokens)
        return any(string in text for string in self.strings)


def stream(
    model: Model,
    prompt: Sequence[int],
    *,
    max_tokens: int,
    seed: int | None,
    strategy: Strategy,
    stop: Stop | None = None,
) -> Iterator[Step]:
    """Generate one token at a time, recomputing the whole text each time.

    The model sees at most its last ``context_length`` tokens and is called once for each token generated. The one
    random generator is made here, from ``seed``; global random state is neither read nor changed.

    Args:
        model: what gives the logits.
        prompt: token ids, at least one; an EOS among them stops nothing.
        max_tokens: how many tokens to generate at most; 0 generates none.
        seed: of the random generator; None takes a fresh one from the system.
        strategy: how a token is picked from the logits.
        stop: strings at which to stop.

    Yields:
        Steps; the last has a ``reason``: "eos" (the end token was drawn; it is included), "stop" (a stop string
        appeared) or "length" (``max_tokens`` reached).

    Raises:
        ValueError: at once, for an empty prompt, an id outside the vocabulary or a negative ``max_tokens``.
    """
    tokens = check_prompt(prompt, model.vocab_size)
    if max_tokens < 0:
        raise ValueError(f"max_tokens is {max_tokens}: expected 0 or more")
    rng = np.random.default_rng(seed)
    return _steps(model, tokens, max_tokens=max_tokens, rng=rng, strategy=strategy, stop=stop)


def sample(
    model: Model,
    prompt: Sequence[int],
    *,
    max_tokens: int,
    seed: int | None,
    strategy: Strategy,
    stop: Stop | None = None,
) -> list[int]:
    """Generate a completion of ``prompt`` and return its ids, never the prompt; an EOS that was drawn comes last.

    Arguments, errors and guarantees are those of `stream`, which also tells why the text ended.

    Examples:
        >>> from minimodel import Greedy, MiniGPT
        >>> len(sample(MiniGPT.load("en"), [5, 12], max_tokens=4, seed=0, strategy=Greedy()))
        4
    """
    steps = stream(model, prompt, max_tokens=max_tokens, seed=seed, strategy=strategy, stop=stop)
    return [step.token for step in steps]


def check_prompt(prompt: Sequence[int], vocab_size: int) -> list[int]:
    """Return a copy of ``prompt``, held to be at least one id of the vocabulary.

    Raises:
        ValueError: the prompt is empty, or one of its ids is outside 0..V-1.
    """
    tokens = [int(token) for token in prompt]
    if not tokens:
        raise ValueError("the prompt is empty: expected at least one token, since the model continues a text")
    for token in tokens:
        if not 0 <= token < vocab_size:
            raise ValueError(f"prompt token {token} is outside the vocabulary: expected 0 to {vocab_size - 1}")
    return tokens


def _steps(
    model: Model,
    tokens: list[int],
    *,
    max_tokens: int,
    rng: np.random.Generator,
    strategy: Strategy,
    stop: Stop | None,
) -> Iterator[Step]:
    """Extend ``tokens`` by one token a step."""
    start = len(tokens)
    for left in reversed(range(max_tokens)):
        logits = model(np.array(tokens[-model.context_length :], dtype=np.intp))[-1]
        token = strategy.given(tokens)(logits, rng)
        tokens.append(token)
        reason = _reason(token, tokens[start:], left, model.eos_id, stop)
        yield Step(token, reason)
        if reason:
            return


def _reason(token: int, generated: list[int], left: int, eos_id: int | None, stop: Stop | None) -> Reason | None:
    """Why the text ends after ``token``, or None where it goes on."""
    if token == eos_id:
        return "eos"
    if stop is not None and stop.found(generated):
        return "stop"
    return None if left else "length"
