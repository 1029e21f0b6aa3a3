"""A language model in one line of arithmetic, to try a decode loop on by hand."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class Adder:
    """A model whose favourite next word is the sum of all the words that it sees, modulo its vocabulary.

    From its favourite on, each following id (0 comes after the last) is liked by 1 less.

    Args:
        vocab_size: V; ids run from 0 to V - 1.
        context_length: how many words it can look at.
        eos_id: the id that ends a text, None where there is none.

    Attributes:
        seen: the words that it was shown, call by call.

    Examples:
        >>> adder = Adder(vocab_size=4)
        >>> adder([1, 1])  # after 1, the favourite is 1; after 1, 1 it is 2
        array([[-3.,  0., -1., -2.],
               [-2., -3.,  0., -1.]])
        >>> adder.seen
        [[1, 1]]
    """

    def __init__(self, *, vocab_size: int = 10, context_length: int = 8, eos_id: int | None = 0) -> None:
        self.vocab_size, self.context_length, self.eos_id = vocab_size, context_length, eos_id
        self.seen: list[list[int]] = []

    def __repr__(self) -> str:
        return f"Adder(vocab_size={self.vocab_size}, context_length={self.context_length})"

    def __call__(self, token_ids: Iterable[int]) -> NDArray[np.float64]:
        """Return logits of shape ``(T, V)`` for ids of shape ``(T,)``; row t scores the word after position t.

        Raises:
            ValueError: there are more words than the model can look at.
        """
        words = [int(token) for token in token_ids]
        self.seen.append(words)
        if len(words) > self.context_length:
            raise ValueError(f"{len(words)} words: this model can look at {self.context_length}; show it the last ones")
        favourites = np.cumsum(words, dtype=int)[:, np.newaxis]
        steps_on: NDArray[np.intp] = (np.arange(self.vocab_size) - favourites) % self.vocab_size
        return (-steps_on).astype(np.float64)
