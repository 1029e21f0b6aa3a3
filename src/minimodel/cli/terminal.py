"""The streams: UTF-8 whatever the locale, colour only on a terminal, every word out at once."""

import io
import os
import sys
import unicodedata
from pathlib import Path
from typing import TextIO


class Screen:
    """Where text is written to.

    Args:
        out: the stream.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.is_terminal = out.isatty()
        self._colour = self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def put(self, text: str) -> None:
        """Write ``text`` and do not keep it waiting."""
        self._out.write(text)
        self._out.flush()

    def line(self, text: str = "") -> None:
        """Write ``text`` and end the line."""
        self.put(text + "\n")

    def dim(self, text: str) -> str:
        """Return ``text`` in a fainter colour, if there is colour."""
        return f"\x1b[2m{text}\x1b[22m" if self._colour else text

    def bold(self, text: str) -> str:
        """Return ``text`` in bold, if there is colour."""
        return f"\x1b[1m{text}\x1b[22m" if self._colour else text


def speak_utf8() -> None:
    """Read and write UTF-8, whatever the locale says; a stream that was closed is one of nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def command_line() -> list[str]:
    """Return the arguments of the process as UTF-8, even where Python took them for ASCII or Latin-1."""
    return [_as_utf8(argument) for argument in sys.argv[1:]]


def _as_utf8(argument: str) -> str:
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeDecodeError:
        return argument


def composed(text: str) -> str:
    """Return ``text`` with each accented letter as one character, as the vocabulary has them."""
    return unicodedata.normalize("NFC", text)
