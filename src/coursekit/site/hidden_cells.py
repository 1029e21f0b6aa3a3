"""The code that a page runs without showing it: it is not in the parsed page, so it is read in the source."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import jupytext

from coursekit.site.masking import masked_lines
from coursekit.site.outline import Fact, Section

if TYPE_CHECKING:
    from pathlib import Path

HIDING = {"remove-cell", "remove_cell", "remove-input", "remove_input"}


def hidden_cells(source: Path) -> Section:
    """The statements of a page's hidden cells, as a section of their own."""
    text = source.read_text("utf-8")
    facts = _facts(text, "md:myst" if source.suffix == ".md" else "ipynb") if any(tag in text for tag in HIDING) else ()
    return Section("(hidden cells)", labelled=True, level=0, line=1, facts=list(facts))


@lru_cache
def _facts(text: str, form: str) -> tuple[Fact, ...]:
    """The statements of a text that may have hidden cells; to parse one takes a while, so a text is parsed once."""
    hidden = [cell for cell in jupytext.reads(text, form).cells if HIDING & set(cell.metadata.get("tags", []))]
    written = text.splitlines()
    return tuple(fact for cell in hidden for fact in _statements(cell.source, written))


def _statements(code: str, written: list[str]) -> list[Fact]:
    lines = code.splitlines()
    return [Fact("line of code", text, _line(lines[first], written)) for first, text in masked_lines(code)]


def _line(code: str, written: list[str]) -> int:
    return written.index(code) + 1 if code in written else 0
