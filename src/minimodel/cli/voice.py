"""The model of a language with its words."""

import string
from difflib import get_close_matches
from functools import cache
from typing import Self

from minimodel.cli.catalogue import Texts
from minimodel.corpus.grammar import Grammar
from minimodel.gpt import MiniGPT
from minimodel.language import LANGUAGES, Language

NEAREST = 5
PUNCTUATION = string.punctuation + "¿¡«»“”…"


class Voice:
    """A model, and the grammar whose words it speaks."""

    def __init__(self, lang: Language) -> None:
        self.lang, self.model, self.grammar = lang, MiniGPT.load(lang), Grammar.load(lang)
        self.tokenizer = self.grammar.tokenizer

    @classmethod
    @cache
    def load(cls, lang: Language) -> Self:
        """Return the voice of a language, read from its files once."""
        return cls(lang)

    def encode(self, prompt: str, texts: Texts) -> list[int]:
        """Return the ids of ``prompt``.

        Raises:
            ValueError: it is empty, in another language, or has words outside the vocabulary.
        """
        if not prompt.strip():
            raise ValueError(texts("empty_prompt"))
        unknown = unknown_words(prompt, self.lang)
        if not unknown:
            return self.tokenizer.encode(prompt)
        for other in LANGUAGES:
            if not unknown_words(prompt, other):
                raise ValueError(texts("other_language", prompt=prompt, lang=self.lang, other=other))
        raise ValueError("; ".join(texts("unknown_word", word=word, nearest=self._nearest(word)) for word in unknown))

    def _nearest(self, word: str) -> str:
        """The words of the vocabulary that are spelt most like ``word``."""
        words = [known for known in self.tokenizer.words if known[0].isalpha()]
        return ", ".join(get_close_matches(word.casefold(), words, NEAREST, cutoff=0.0))


def unknown_words(text: str, lang: Language) -> list[str]:
    """Return the words of ``text`` that a language's vocabulary lacks, each once.

    Examples:
        >>> unknown_words("Tomorrow the banana will eat", "en")
        ['the', 'banana']
    """
    tokenizer, unknown = Grammar.load(lang).tokenizer, {}
    for piece in text.split():
        try:
            tokenizer.encode(piece)
        except ValueError:
            unknown[piece.strip(PUNCTUATION) or piece] = True
    return list(unknown)
