"""Say in the reader's language what the theme and myst-nb have written into their pages in English.

The templates in `book/_templates` that replace the theme's take their words from the context. From a page's body, the
attributes that keep it from being accessible are dropped: myst-nb's English name of a fold, which has a visible one of
its own, and docutils' roles for a bibliography.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from coursekit.site.strings import strings

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config

DROPPED = (
    ' aria-label="Toggle hidden content"',
    ' role="doc-biblioentry"',  # deprecated, and
    ' role="list" class="citation-list"',  # then a list without items
)
VIEWPORT = re.compile(r'<meta [^>]*name="viewport"[^>]*>')
"""docutils' own; the theme has written one before."""


def give_words(_app: Sphinx, config: Config) -> None:
    """Give every template the catalogue of the book's language."""
    config.html_context["words"] = strings(str(config.language))


def localise(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Mend a page that the theme has prepared."""
    for attribute in DROPPED:
        context["body"] = context.get("body", "").replace(attribute, "")
    context["metatags"] = VIEWPORT.sub("", context.get("metatags", ""))
    for button in context.get("header_buttons", []):
        if button.get("label") == "download-buttons":
            button["tooltip"] = strings(str(app.config.language))["download_page"]


def setup(app: Sphinx) -> None:
    """Connect to the configuration and, after the theme, to the writing of each page."""
    app.connect("config-inited", give_words)
    app.connect("html-page-context", localise, priority=900)
