"""Put the built languages and the page that chooses between them into `site/`."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

from coursekit.site.config import book_toc, pages
from coursekit.site.layout import LANGUAGES
from coursekit.site.publishing import at_address, write_map

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from coursekit.site.layout import Layout

UNPUBLISHED = {".buildinfo", "objects.inv", "reports"}


def assemble(layout: Layout, site: Path, address: str = "") -> None:
    """Make `site` hold exactly the languages that were built and the root page, as they are to stand at `address`."""
    for language in LANGUAGES:
        built = layout.html(language)
        if built.is_dir():
            mirror(built, site / language, partial(_published, built, language, address))
    root = (layout.root / "book" / "_templates" / "root.html").read_text("utf-8")
    (site / "index.html").write_text(at_address(root, "index.html", address), "utf-8")
    (site / ".nojekyll").touch()  # GitHub Pages would drop the folders whose names start with _
    write_map(site, pages(book_toc(layout, LANGUAGES[0])), address)


def _published(built: Path, language: str, address: str, file: Path) -> bytes:
    """What a file of the built language holds once it is published."""
    if file.suffix != ".html" or not address:
        return file.read_bytes()
    page = f"{language}/{file.relative_to(built).as_posix()}"
    return at_address(file.read_text("utf-8"), page, address).encode()


def mirror(source: Path, target: Path, published: Callable[[Path], bytes]) -> None:
    """Make `target` hold what `source` holds, as `published` reads it.

    Only what differs is touched, so that a served page never goes missing.
    """
    target.mkdir(parents=True, exist_ok=True)
    wanted = {child.name for child in source.iterdir()} - UNPUBLISHED
    for extra in (child for child in target.iterdir() if child.name not in wanted):
        shutil.rmtree(extra) if extra.is_dir() else extra.unlink()
    for name in sorted(wanted):
        here, there = source / name, target / name
        if here.is_dir():
            mirror(here, there, published)
        elif not there.is_file() or there.read_bytes() != published(here):
            there.write_bytes(published(here))
