"""Three ways to write a completion: as text, as tables of what could have been said, as JSON."""

import time
from typing import Protocol

from minimodel.cli.catalogue import Texts
from minimodel.cli.completion import Completion
from minimodel.cli.record import record
from minimodel.cli.settings import Settings
from minimodel.cli.table import step_table, title
from minimodel.cli.terminal import Screen

PACE = 0.04  # seconds a word on a terminal, so that a person sees them come one by one


class Writer(Protocol):
    """Draws a completion and writes it."""

    def write(self, completion: Completion) -> None:
        """Write ``completion``, which is drawn while it is written; Ctrl-C leaves whole lines behind."""


class TextWriter:
    """The text on one line, whole or word by word as it is drawn."""

    def __init__(self, screen: Screen, *, word_by_word: bool) -> None:
        self._screen, self._word_by_word = screen, word_by_word
        self._pace = PACE if word_by_word and screen.is_terminal else 0.0

    def write(self, completion: Completion) -> None:
        """Write prompt and completion."""
        steps = completion if self._word_by_word else list(completion)
        self._screen.put(self._screen.dim(completion.prompt_text))
        try:
            for step in steps:
                time.sleep(self._pace)
                self._screen.put(completion.shown(step))
        finally:
            self._screen.line()


class TableWriter:
    """A table for every step, then the text."""

    def __init__(self, screen: Screen, texts: Texts, top: int) -> None:
        self._screen, self._texts, self._top = screen, texts, top

    def write(self, completion: Completion) -> None:
        """Write the tables as the words are drawn."""
        words, before = completion.voice.tokenizer.words, completion.prompt_text
        for number, step in enumerate(completion, 1):
            self._screen.line(title(number, before, self._texts))
            for line in step_table(step, words, self._top, self._texts):
                self._screen.line(self._screen.bold(line) if line.startswith("▸") else line)
            self._screen.line()
            before += completion.shown(step)
        self._screen.line(completion.text)


class JsonWriter:
    """An object a line."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def write(self, completion: Completion) -> None:
        """Write the object once the text is whole."""
        for _ in completion:
            pass
        self._screen.line(record(completion))


def writer_for(settings: Settings, screen: Screen, texts: Texts) -> Writer:
    """Return the writer that ``settings`` ask for."""
    if settings.json:
        return JsonWriter(screen)
    if settings.show_probs:
        return TableWriter(screen, texts, settings.show_probs)
    return TextWriter(screen, word_by_word=settings.stream)
