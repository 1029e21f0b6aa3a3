"""Describe each page to search engines by its first paragraph, unless it says otherwise in `myst: html_meta:`."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LONGEST = 160
"""What a result page shows of a description, in characters."""


def shortened(text: str, longest: int = LONGEST) -> str:
    """`text` on one line, cut after a whole sentence if there is one that fits, else after a whole word.

    >>> shortened("One two. Three four five.", 12)
    'One two.'
    >>> shortened("one two three", 9)
    'one two…'
    """
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    sentence = text[: longest + 1].rpartition(". ")[0]
    return f"{sentence}." if sentence else f"{text[:longest].rpartition(' ')[0]}…"


def describe(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the description to the page's `<head>`."""
    tags = context.get("metatags", "")
    if doctree is None or 'name="description"' in tags:
        return
    body = (node for node in doctree.findall(nodes.paragraph) if isinstance(node.parent, nodes.section))
    first = next((text for node in body if (text := node.astext())), None)
    if first:
        context["metatags"] = f'{tags}\n<meta name="description" content="{escape(shortened(first))}">'


def setup(app: Sphinx) -> None:
    """Connect to the writing of each page."""
    app.connect("html-page-context", describe)
