"""Stem each word once a build: Sphinx forgets with every page what the stemmer, which is slow, has said of it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


def remember(app: Sphinx, _doctree: nodes.document, _docname: str) -> None:
    """Give the search index a stemmer that remembers; when pages are resolved, there is an index."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer and not hasattr(indexer.lang.stem, "cache_info"):
        indexer.lang.stem = cache(indexer.lang.stem)


def setup(app: Sphinx) -> None:
    """Connect to the first step of writing a page."""
    app.connect("doctree-resolved", remember)
