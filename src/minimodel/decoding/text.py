"""Text as it grows: released only in whole characters, and searched for stop strings."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Decode: TypeAlias = Callable[[Sequence[int]], str]

INCOMPLETE = "\N{REPLACEMENT CHARACTER}"  # what a decoder writes for the first bytes of an unfinished character


class GrowingText:
    """The text of the tokens generated so far.

    Args:
        decode: makes text of token ids; prompt and completion are decoded together, since spaces depend on both.
        prompt: the ids that were there before; their text is not part of what grows.
        stop: strings at which the text should end.

    Attributes:
        text: all of it, an unfinished character included.
        stopped: whether a stop string has appeared.

    Raises:
        ValueError: ``stop`` is not a list of strings, one of them is empty, or there are some but no ``decode``.
    """

    def __init__(self, decode: Decode | None, prompt: Sequence[int], stop: Sequence[str] = ()) -> None:
        if isinstance(stop, str) or not all(stop):
            raise ValueError(f"stop is {stop!r}: expected a list of strings, none of them empty")
        if stop and decode is None:
            raise ValueError(f"stop is {stop!r} but decode is None: text can only be searched with a decode function")
        self._decode, self._stop = decode, stop
        self._start = len(decode(prompt)) if decode else 0
        self._released = 0
        self.text = ""
        self.stopped = False

    def grow(self, tokens: Sequence[int], *, last: bool) -> str:
        """Return the text that is new with ``tokens`` (prompt and completion); hold back an unfinished character.

        Args:
            tokens: all ids so far.
            last: whether no more will come, so that nothing is held back.
        """
        if self._decode is None:
            return ""
        self.text = self._decode(tokens)[self._start :]
        self.stopped = any(string in self.text for string in self._stop)
        if self.text.endswith(INCOMPLETE) and not (last or self.stopped):
            return ""
        new = self.text[self._released :]
        self._released = len(self.text)
        return new
