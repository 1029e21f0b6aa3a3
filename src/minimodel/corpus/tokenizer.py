"""Words to ids and back. A word is a token; the full stop is one too; case is only a matter of spelling."""

import re
from collections.abc import Iterable, Sequence


class Tokenizer:
    """A vocabulary of words, the first of which ends a text.

    Args:
        words: the vocabulary; a word's id is its place in it.
        full_stop: the word that is written without a space before it and ends a sentence.

    Raises:
        ValueError: a word occurs twice.
    """

    def __init__(self, words: Sequence[str], full_stop: str = ".") -> None:
        self.words = tuple(words)
        self.eos_id, self._full_stop = 0, full_stop
        self._ids = {word.casefold(): number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            raise ValueError(f"the vocabulary of {len(self.words)} words holds {len(self._ids)} different ones")

    def encode(self, text: str) -> list[int]:
        """Return the ids of the words of ``text``, in any case.

        Raises:
            ValueError: a word is not in the vocabulary.
        """
        return [self._id(word) for word in re.findall(r"<\w+>|\w+|[^\w\s]", text)]

    def decode(self, token_ids: Iterable[int], *, sentence_start: bool = True) -> str:
        """Return the text of ``token_ids``: spaces between words, a capital where a sentence starts.

        Args:
            token_ids: ids in the vocabulary; the end of text is written out, as ``<eos>``.
            sentence_start: whether the first word starts a sentence (False for the completion of a prompt).

        Raises:
            ValueError: an id is outside the vocabulary.
        """
        text, capital = "", sentence_start
        for word in map(self._word, token_ids):
            text += word if word == self._full_stop else " " + (word[0].upper() + word[1:] if capital else word)
            capital = word in (self._full_stop, self.words[self.eos_id])
        return text.removeprefix(" ")

    def _id(self, word: str) -> int:
        try:
            return self._ids[word.casefold()]
        except KeyError:
            raise ValueError(f"{word!r} is not in the vocabulary. Its words are: {' '.join(self.words)}") from None

    def _word(self, token_id: int) -> str:
        if not 0 <= token_id < len(self.words):
            raise ValueError(f"token id {token_id} is outside the vocabulary: expected 0 to {len(self.words) - 1}")
        return self.words[token_id]
