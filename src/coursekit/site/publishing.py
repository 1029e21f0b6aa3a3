"""What a site can only have where its address is known: canonical links, absolute links between its editions, a map.

The address is that of the site's root page, in the environment variable `BOOK_URL`. Without one every link of the site
is relative, so that it can be put anywhere, and read from disk.
"""

from __future__ import annotations

import os
import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from coursekit.site.config import ConfigError
from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EDITION = re.compile(r'<link rel="alternate" hreflang="(?P<language>[\w-]+)" href="(?P<href>[^"]+)">')
MAP = "sitemap.xml"
ROBOTS = "robots.txt"
"""Search engines read it at the root of a host; below one it only tells a person where the map is."""


def book_address() -> str:
    """The address that `BOOK_URL` gives, with a final slash; nothing where it gives none.

    Raises:
        ConfigError: where it is no address of a site.
    """
    given = os.environ.get("BOOK_URL", "").strip()
    parts = urlsplit(given)
    if given and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise ConfigError(f"BOOK_URL is {given!r}: expected the site's address, such as https://example.org/course/")
    return f"{given.rstrip('/')}/" if given else ""


def at_address(html: str, page: str, address: str) -> str:
    """A page that names its own address and those of its editions in full, if an address is known.

    `page` is the page's path in the site.

    >>> print(at_address('<link rel="alternate" hreflang="es" href="../es/a.html">', "en/a.html", "https://x.org/c/"))
    <link rel="canonical" href="https://x.org/c/en/a.html">
    <link rel="alternate" hreflang="es" href="https://x.org/c/es/a.html">
    """
    first = EDITION.search(html)
    if first is None or not address:
        return html
    here = urljoin(address, "" if page == "index.html" else page)
    canonical = f'<link rel="canonical" href="{escape(here)}">\n'
    html = f"{html[: first.start()]}{canonical}{html[first.start() :]}"
    return EDITION.sub(lambda link: link[0].replace(link["href"], urljoin(here, link["href"])), html)


def site_map(pages: Iterable[str], address: str) -> str:
    """The map of the site for search engines: each page in each language, with its editions (sitemaps.org)."""
    urls = [_entry(page, language, address) for page in pages for language in LANGUAGES]
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<urlset {spaces}>", *urls, "</urlset>", ""])


def _entry(page: str, language: str, address: str) -> str:
    at = {one: escape(f"{address}{one}/{page}.html") for one in LANGUAGES}
    editions = {**at, "x-default": at[LANGUAGES[0]]}.items()
    links = "".join(f'<xhtml:link rel="alternate" hreflang="{tag}" href="{href}"/>' for tag, href in editions)
    return f"<url><loc>{at[language]}</loc>{links}</url>"


def write_map(site: Path, pages: Iterable[str], address: str) -> None:
    """Write the map and the file that names it, or remove them where there is no address."""
    if not address:
        for name in (MAP, ROBOTS):
            (site / name).unlink(missing_ok=True)
        return
    (site / MAP).write_text(site_map(pages, address), "utf-8")
    (site / ROBOTS).write_text(f"User-agent: *\nAllow: /\nSitemap: {address}{MAP}\n", "utf-8")
