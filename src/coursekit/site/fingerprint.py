"""Digests of what a build reads, so that nothing is built twice and nothing stale is kept."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING

from coursekit.site.layout import REVIEWED, other_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from coursekit.site.layout import Layout

IGNORED = {REVIEWED, "_terms.txt", "__pycache__", ".ipynb_checkpoints", ".DS_Store", ".mypy_cache", ".ruff_cache"}


def language_fingerprint(layout: Layout, language: str) -> str:
    """Digest of everything that a language's pages are made from."""
    root, twin = layout.root, layout.sources(other_language(language))
    book = [path for path in sorted((root / "book").iterdir()) if path != twin]
    paths = [root / "_config.yml", root / "_toc.yml", *book, layout.labs(language), root / "src" / "coursekit"]
    return digest(root, paths, extra=code_fingerprint(layout))


def code_fingerprint(layout: Layout) -> str:
    """Digest of what a cell's output depends on besides the cell: the package, pinned versions, the data that it reads.

    `coursekit` is left out: no page that is run imports it (a test holds that), and it changes more often.
    """
    root = layout.root
    paths = [root / "src" / "minimodel", root / "requirements.txt", root / "book" / "_data"]
    return digest(root, paths, extra=sys.version)


def digest(root: Path, paths: Iterable[Path], extra: str = "") -> str:
    """SHA-256 over the names and contents of files, folders included whole; a path that is missing counts as such."""
    total = hashlib.sha256(extra.encode())
    for path in paths:
        for file in _files(path):
            content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "missing"
            total.update(f"{file.relative_to(root).as_posix()} {content}\n".encode())
    return total.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for child in sorted(path.iterdir()):
        if child.name not in IGNORED and not child.name.endswith((".pyc", ".mo")):
            yield from _files(child)
