"""Bring a language's chapters and labs together in one folder, where Sphinx finds them.

Sphinx reads one source folder; the labs live outside of the book. Copies, unlike links, work on every system;
`Layout.real_path` turns their names back into those of the files that people edit.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from coursekit.site.config import ConfigError, book_toc, pages
from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from coursekit.site.layout import Layout

SUFFIXES = (".md", ".ipynb")


def stage(layout: Layout, language: str) -> Path:
    """Copy a language's sources to their staged folder, which is made afresh, and return it."""
    staged = layout.staged(language)
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(layout.sources(language), staged, ignore=shutil.ignore_patterns("_*", ".*"))
    for notebook in sorted(layout.labs(language).glob("*/*.ipynb")):
        if notebook.stem == notebook.parent.name:
            (staged / "labs").mkdir(exist_ok=True)
            shutil.copy2(notebook, staged / "labs" / notebook.name)
    return staged


def stage_shared(layout: Layout) -> None:
    """Copy what both languages use, such as `book/figures`, to where their staged chapters look for `../figures`."""
    for path in (layout.root / "book").iterdir():
        target = layout.products / path.name
        if path.is_dir() and path.name not in LANGUAGES:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(path, target)


def page_source(layout: Layout, language: str, page: str) -> Path | None:
    """The file that a page is written in, None if there is none."""
    folder, _, lab = page.rpartition("/")
    stem = layout.labs(language) / lab / lab if folder == "labs" else layout.sources(language) / page
    return next((path for suffix in SUFFIXES if (path := stem.with_name(stem.name + suffix)).is_file()), None)


def check_pages(layout: Layout, language: str) -> None:
    """Make sure that every page of `_toc.yml` exists in `language`.

    Raises:
        ConfigError: naming the missing pages and where they belong.
    """
    listed = pages(book_toc(layout, language))
    missing = [page for page in listed if page_source(layout, language, page) is None]
    if missing:
        raise ConfigError(
            f"_toc.yml lists pages that do not exist in {language!r}: {', '.join(missing)}. A chapter is "
            f"book/{language}/<page>.md; labs/<lab> is labs/{language}/<lab>/<lab>.ipynb, made by `make labs`"
        )
