"""Read what the checks will ask for while the languages are still being built: all of it is remembered by its content.

So nothing is lost where a file is read too early: the checks find another content, and read it again.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from coursekit.site.config import book_toc, pages
from coursekit.site.hidden_cells import hidden_cells
from coursekit.site.layout import LANGUAGES
from coursekit.site.links import read_page
from coursekit.site.outline import read_outline
from coursekit.site.stage import page_source
from coursekit.site.strays import strays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from coursekit.site.layout import Layout

PAUSE = 0.1
"""Seconds between two looks at what is new."""


def read_ahead(layout: Layout, building: Callable[[str], bool]) -> None:
    """Read the sources, and what has been written of each language, until none is `building` any more."""
    start = time.time_ns()
    kept = [language for language in LANGUAGES if not building(language)]
    for source in (page_source(layout, language, page) for language in LANGUAGES for page in _pages(layout)):
        if source:
            hidden_cells(source)
    done: dict[Path, int] = {}
    while True:
        going_on = any(map(building, LANGUAGES))
        for language in LANGUAGES:
            _read_new(layout, language, 0 if language in kept else start, done)
        if not going_on:
            return
        time.sleep(PAUSE)


def _read_new(layout: Layout, language: str, start: int, done: dict[Path, int]) -> None:
    """Read what was written after `start`, in nanoseconds, and has changed since `done` says that it was read."""
    for path in _written(layout, language, start):
        with contextlib.suppress(FileNotFoundError):  # not yet written, or no more: a build begins with an empty folder
            written = path.stat().st_mtime_ns
            if written < start or done.get(path) == written:
                continue
            done[path] = written
            if path.suffix == ".html":
                read_page(path)
            else:
                read_outline(path)
                strays(path, language)


def _written(layout: Layout, language: str, start: int) -> Iterator[Path]:
    """The parsed pages, once all of them are there, and the pages."""
    environment = layout.doctrees(language) / "environment.pickle"
    with contextlib.suppress(FileNotFoundError):
        if environment.stat().st_mtime_ns >= start:
            yield from (layout.doctrees(language) / f"{page}.doctree" for page in _pages(layout))
    yield from (layout.html(language) / f"{page}.html" for page in _pages(layout))


def _pages(layout: Layout) -> list[str]:
    return pages(book_toc(layout, LANGUAGES[0]))
