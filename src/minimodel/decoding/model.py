"""What the decode loop asks of a model."""

import reprlib
from collections.abc import Sequence
from operator import index
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Cache = TypeVar("Cache")


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


@runtime_checkable
class CachedModel(Model, Protocol[Cache]):
    """A model that can go on from what it has read."""

    def prefill(self, token_ids: NDArray[np.intp], /) -> tuple[NDArray[np.floating[Any]], Cache]:
        """Read a text: its logits, shape ``(T, V)``, and a cache."""

    def decode_step(self, token: int, cache: Cache, /) -> NDArray[np.floating[Any]]:
        """Read one token more: the logits after it, shape ``(V,)``; the cache grows by it."""


def check_prompt(prompt: Sequence[int], vocab_size: int) -> list[int]:
    """Return a copy of ``prompt``, held to be at least one id of the vocabulary.

    Raises:
        ValueError: the prompt is empty, or one of its ids is outside 0..V-1.
    """
    tokens = [_as_id(token) for token in prompt]
    if not tokens:
        raise ValueError("the prompt is empty: expected at least one token, since the model continues a text")
    for token in tokens:
        if not 0 <= token < vocab_size:
            raise ValueError(f"prompt token {token} is outside the vocabulary: expected 0 to {vocab_size - 1}")
    return tokens


def check_token(token: Any, vocab_size: int) -> int:
    """Return what a strategy picked, held to be an id of the vocabulary.

    Raises:
        ValueError: it is something else, as what a function picks that was written a minute ago may be.
    """
    try:
        chosen = int(token)
    except (TypeError, ValueError, OverflowError, RuntimeError):  # the last of a tensor with several elements
        chosen = -1
    if not 0 <= chosen < vocab_size or chosen != token:
        raise ValueError(
            f"the strategy picked {reprlib.repr(token)}: expected the id of a token, "
            f"one whole number from 0 to {vocab_size - 1}"
        )
    return chosen


def end_ids(model: Model) -> frozenset[int]:
    """Return the ids that end a text: the model's ``eos_id``, or its ``eos_ids`` where it has several."""
    several = getattr(model, "eos_ids", () if model.eos_id is None else (model.eos_id,))
    return frozenset(several)


def _as_id(token: Any) -> int:
    try:
        return index(token)
    except TypeError:
        raise ValueError(
            f"prompt token {token!r} is no whole number: expected token ids, such as a tokenizer's encode() gives"
        ) from None
