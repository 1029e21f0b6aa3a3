"""Check the site as a visitor would walk it: every link and anchor leads somewhere, and nothing is loaded from outside.

Sphinx checks the references that it resolves; this reads the written pages, raw HTML included.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

LOADS = dict.fromkeys(("script", "img", "iframe", "source", "video", "audio"), "src") | {"link": "href"}
LINK_ONLY = {"alternate", "canonical", "next", "prev", "author", "index", "search", "license"}
"""Relations of a `<link>` that name a page rather than load a file."""
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class Problem(NamedTuple):
    """A page of the site, the address at fault and what is wrong with it."""

    page: str
    href: str
    reason: str

    def __str__(self) -> str:
        return f"{self.page}: {self.href}: {self.reason}"


@dataclass
class Page:
    """What a page offers and asks for."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    widget_views: int = 0


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.page.ids |= {values[key] for key in ("id", "name") if key in values}
        self.page.widget_views += values.get("type") == WIDGET_VIEW
        if tag == "a" and "href" in values:
            self.page.links.append(values["href"])
        elif tag == "link" and set(values.get("rel", "").split()) & LINK_ONLY:
            self.page.links.append(values.get("href", ""))
        elif values.get(LOADS.get(tag, "")):
            self.page.loads.append(values[LOADS[tag]])


def read_page(path: Path) -> Page:
    """What the HTML file at `path` offers and asks for."""
    return _parsed(path.read_text("utf-8"))


@lru_cache(maxsize=512)
def _parsed(html: str) -> Page:
    """What a page offers and asks for; nobody changes it, so a page that stays is parsed once."""
    reader = _Reader()
    reader.feed(html)
    return reader.page


def check_links(site: Path) -> tuple[int, list[Problem]]:
    """Check every HTML page under `site`; links into a language that was not built are left alone.

    Returns:
        How many links and files were looked at, and what is wrong, in the pages' order.
    """
    site = site.resolve()
    pages = {path: read_page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    problems: list[Problem] = []
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        problems += [Problem(name, href, reason) for href, reason in _outside(page)]
        problems += [
            Problem(name, href, reason)
            for href in page.links + page.loads
            for reason in _missing(href, path, site, pages)
        ]
    return sum(len(page.links) + len(page.loads) for page in pages.values()), problems


def _outside(page: Page) -> list[tuple[str, str]]:
    """Files that a page would load from another site, and widgets that would."""
    problems = [(href, "is loaded from another site") for href in page.loads if urlsplit(href).netloc]
    if page.widget_views:
        problems.append((WIDGET_VIEW, "a widget without HTML of its own, which would need scripts from another site"))
    return problems


def _missing(href: str, path: Path, site: Path, pages: dict[Path, Page]) -> list[str]:
    """Why a link of the page at `path` leads nowhere; nothing where it leads somewhere, or out of the site."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return []
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_relative_to(site):
        return ["leads out of the site's folder"]
    folder = target.relative_to(site).parts[0]
    if folder in LANGUAGES and not (site / folder).exists():
        return []  # not built
    if not target.is_file():
        return ["there is no such file"]
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].ids:
        return ["there is no such anchor on that page"]
    return []
