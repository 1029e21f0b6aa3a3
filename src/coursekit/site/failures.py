"""Say what stopped a language's build, naming the files and lines that a person edits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from coursekit.site.layout import NAMES
from coursekit.site.progress import COLOUR

if TYPE_CHECKING:
    from pathlib import Path

    from coursekit.site.layout import Layout

NOTEBOOK_LINE = re.compile(r"\.ipynb:(\d+)\d{4}:")
"""myst-nb counts a notebook's lines as cell × 10,000 + line."""
TRACEBACK_SAVED = re.compile(r".*Notebook exception traceback saved in: .*\n?")
BORDER = "------------------\n"
"""Stands before and after the failing cell's code in a report."""


def describe(layout: Layout, language: str, log: Path) -> str:
    """Sphinx's warnings and the traceback of each cell that failed; where there is none, the end of the log."""
    path = layout.work(language) / "warnings.txt"
    said = TRACEBACK_SAVED.sub("", path.read_text("utf-8")).strip() if path.is_file() else ""
    if not said:
        said = "\n".join(log.read_text("utf-8").splitlines()[-15:])
    reports = layout.html(language) / "reports"
    cells = [_failed_cell(layout, language, report) for report in sorted(reports.rglob("*.err.log"))]
    text = layout.real_path(COLOUR.sub("", "\n".join([f"\n{NAMES[language]} has problems:", *cells, said])))
    return NOTEBOOK_LINE.sub(r".ipynb: cell \1:", text)


def _failed_cell(layout: Layout, language: str, report: Path) -> str:
    text = report.read_text("utf-8")
    page = layout.staged(language) / report.relative_to(layout.html(language) / "reports").with_name(
        report.name.replace(".err.log", ".md")
    )
    lines = page.read_text("utf-8").splitlines() if page.is_file() else []
    code = text.split(BORDER)[1].splitlines() if BORDER in text else []
    start = next((number for number, line in enumerate(lines, start=1) if code and line == code[0]), 1)
    return f"{page}:{start}: this cell failed:\n{text.rpartition(BORDER)[2].strip()}\n"
