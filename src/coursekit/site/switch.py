"""Link every page to its twin in the other language: a plain link for the reader, `hreflang` for search engines.

`language.js` adds the section being read to the link and remembers the choice; without it the link still works.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.site.layout import LANGUAGES, NAMES, Layout, other_language
from coursekit.site.stage import page_source

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

GENERATED = {"genindex", "search"}
"""Pages that Sphinx makes in both languages without a source."""


def address(pagename: str, language: str) -> str:
    """Where a page stands in `language`, seen from the page of the same name.

    >>> address("labs/01-sweep", "es")
    '../../es/labs/01-sweep.html'
    """
    return f"{'../' * (pagename.count('/') + 1)}{language}/{pagename}.html"


def alternates(pagename: str) -> str:
    """The `<link>` elements that tell a search engine of both editions, the first language being the default."""
    links = [*((language, language) for language in LANGUAGES), ("x-default", LANGUAGES[0])]
    return "\n".join(
        f'<link rel="alternate" hreflang="{tag}" href="{escape(address(pagename, language))}">'
        for tag, language in links
    )


def add_twin(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Give the page's template its twin, if there is one."""
    twin = other_language(str(app.config.language))
    if pagename not in GENERATED and page_source(Layout(Path(app.config.course_root)), twin, pagename) is None:
        return
    context["twin"] = {"language": twin, "name": NAMES[twin], "href": address(pagename, twin)}
    context["metatags"] = f"{context.get('metatags', '')}\n{alternates(pagename)}"


def setup(app: Sphinx) -> None:
    """Connect to the writing of each page."""
    app.connect("html-page-context", add_twin)
