"""Turn Sphinx's log into a line for each thing that takes time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
STEPS = (
    (re.compile(r"reading sources\.\.\. \[ *(\d+)%\] (\S+)"), r"reading \2 (\1%)"),
    (re.compile(r".*?([^/\s:]+)\.(?:md|ipynb): Executing notebook.*"), r"running the cells of \1"),
    (re.compile(r"writing output\.\.\. \[ *\d+%\]"), "writing the pages"),
)


def step(line: str) -> str | None:
    """What a line of Sphinx's log means to somebody who waits, None if nothing.

    >>> step("reading sources... [ 50%] glossary")
    'reading glossary (50%)'
    >>> step("pickling environment... done") is None
    True
    """
    line = COLOUR.sub("", line).strip()
    return next((match.expand(words) for pattern, words in STEPS if (match := pattern.match(line))), None)


def tell(stream: TextIO, log: Path, say: Callable[[str], None]) -> None:
    """Copy a stream to `log` until it ends, saying each new step as it comes."""
    last = None
    with log.open("w", encoding="utf-8") as copy:
        for line in stream:
            copy.write(line)
            copy.flush()
            if (words := step(line)) and words != last:
                say(words)
                last = words
