"""A model that keeps count of what it is asked to read: for tests of decode loops."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import CachedModel


class Watched:
    """A model with a cache, and a list of how many positions each of its calls has read.

    Its caches are numbers, by which it finds the model's own: plain data, which can cross to another process.

    Args:
        model: what gives the logits.

    Attributes:
        reads: positions read, a number for each call of whatever kind.
    """

    def __init__(self, model: CachedModel[Any]) -> None:
        self._model, self._caches = model, list[Any]()
        self.vocab_size, self.context_length, self.eos_id = model.vocab_size, model.context_length, model.eos_id
        self.reads: list[int] = []

    def __repr__(self) -> str:
        return "model"

    def __call__(self, token_ids: Sequence[int]) -> NDArray[np.floating[Any]]:
        """Return logits of shape ``(T, V)``, with all T positions read."""
        self.reads.append(len(token_ids))
        return self._model(np.asarray(token_ids))

    def prefill(self, token_ids: Sequence[int]) -> tuple[NDArray[np.floating[Any]], int]:
        """Return logits of shape ``(T, V)`` and the number of a cache."""
        self.reads.append(len(token_ids))
        logits, cache = self._model.prefill(np.asarray(token_ids))
        self._caches.append(cache)
        return logits, len(self._caches) - 1

    def decode_step(self, token: int, cache: int) -> NDArray[np.floating[Any]]:
        """Return logits of shape ``(V,)``; the cache of that number has grown by the token."""
        self.reads.append(1)
        return self._model.decode_step(int(token), self._caches[cache])


class Counting:
    """A toy model: the next token is the number of positions it sees plus the sum of their tokens, modulo V.

    So it depends on every token that is in view, and one that is lost or read twice changes what comes next. Its cache
    is the list of the tokens read.

    Args:
        vocab_size: V.
        context_length: how many tokens it can look at.

    Examples:
        >>> Counting(10, 4)(np.array([2, 3])).argmax(axis=-1)
        array([3, 7])
    """

    eos_id = None

    def __init__(self, vocab_size: int, context_length: int) -> None:
        self.vocab_size, self.context_length = vocab_size, context_length

    def __call__(self, token_ids: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return logits of shape ``(T, V)``."""
        return self.prefill(token_ids)[0]

    def prefill(self, token_ids: NDArray[np.intp]) -> tuple[NDArray[np.float64], list[int]]:
        """Return logits of shape ``(T, V)`` and the tokens read.

        Raises:
            ValueError: there are more than ``context_length``, or none.
        """
        read: list[int] = []
        logits = [self.decode_step(int(token), read) for token in token_ids]
        if not logits:
            raise ValueError("there are no ids to read")
        return np.array(logits), read

    def decode_step(self, token: int, cache: list[int]) -> NDArray[np.float64]:
        """Return logits of shape ``(V,)``.

        Raises:
            ValueError: the context is full.
        """
        if len(cache) == self.context_length:
            raise ValueError(f"the context is full: {self.context_length} tokens")
        cache.append(token)
        logits: NDArray[np.float64] = np.eye(self.vocab_size)[(len(cache) + sum(cache)) % self.vocab_size]
        return logits
