"""Put the built languages and the page that chooses between them into `site/`."""

from __future__ import annotations

import filecmp
import shutil
from typing import TYPE_CHECKING

from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from coursekit.site.layout import Layout

UNPUBLISHED = {".buildinfo", "objects.inv", "reports"}


def assemble(layout: Layout) -> None:
    """Make `site/` hold exactly the languages that were built and the root page."""
    for language in LANGUAGES:
        if layout.html(language).is_dir():
            mirror(layout.html(language), layout.site / language)
    shutil.copyfile(layout.root / "book" / "_templates" / "root.html", layout.site / "index.html")
    (layout.site / ".nojekyll").touch()  # GitHub Pages would drop the folders whose names start with _


def mirror(source: Path, target: Path) -> None:
    """Make `target` hold what `source` holds, touching only what differs, so that a served page never goes missing."""
    target.mkdir(parents=True, exist_ok=True)
    wanted = {child.name for child in source.iterdir()} - UNPUBLISHED
    for extra in (child for child in target.iterdir() if child.name not in wanted):
        shutil.rmtree(extra) if extra.is_dir() else extra.unlink()
    for name in sorted(wanted):
        here, there = source / name, target / name
        if here.is_dir():
            mirror(here, there)
        elif not there.is_file() or not filecmp.cmp(here, there, shallow=False):
            shutil.copy2(here, there)
