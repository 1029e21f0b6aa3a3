"""A site at a known address names it everywhere, as another parser of HTML and XML reads it; one without names none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from coursekit.site.assemble import assemble
from coursekit.site.config import ConfigError
from coursekit.site.layout import LANGUAGES
from coursekit.site.publishing import book_address
from coursekit.site.switch import alternates

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://example.org/a&b/"
LOC, EDITION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc", "{http://www.w3.org/1999/xhtml}link"
PAGES = ["index", "one", "labs/two"]


@pytest.fixture
def built(tree):
    """A layout as a build leaves it, its pages nothing but their heads."""
    tree.page("one", "")
    tree.lab("two")
    layout = tree.finish()
    for language in LANGUAGES:
        for page in PAGES:
            tree.write(f"_build/work/{language}/html/{page}.html", f"<head>{alternates(page)}</head>")
    return layout


def links(page: Path, relation: str) -> list[str]:
    found = re.findall(rf'<link rel="{relation}"[^>]* href="([^"]+)">', page.read_text("utf-8"))
    return [href.replace("&amp;", "&") for href in found]


def file_at(site: Path, address: str) -> Path:
    path = site / urlsplit(address).path.removeprefix(urlsplit(SITE).path)
    return path / "index.html" if path.is_dir() else path


def test_every_page_and_edition_is_named_in_full_and_is_there(built, tmp_path) -> None:
    site = tmp_path / "public"
    assemble(built, site, SITE)
    for page in site.rglob("*.html"):
        (canonical,) = links(page, "canonical")
        editions = links(page, "alternate")
        assert file_at(site, canonical) == page
        assert len(editions) == 3
        assert all(one.startswith(SITE) and file_at(site, one).is_file() for one in editions)
        assert canonical in editions


def test_the_map_lists_the_pages_that_the_book_lists(built, tmp_path) -> None:
    assemble(built, tmp_path / "public", SITE)
    entries = ElementTree.fromstring((tmp_path / "public" / "sitemap.xml").read_text("utf-8"))
    listed = [entry.find(LOC).text for entry in entries]
    assert sorted(listed) == sorted(urljoin(SITE, f"{one}/{page}.html") for one in LANGUAGES for page in PAGES)
    for entry in entries:
        editions = {link.get("hreflang"): link.get("href") for link in entry.findall(EDITION)}
        assert set(editions) == {"en", "es", "x-default"}
        assert entry.find(LOC).text in editions.values()
    assert f"Sitemap: {SITE}sitemap.xml" in (tmp_path / "public" / "robots.txt").read_text("utf-8")


def test_without_an_address_links_stay_relative_and_there_is_no_map(built, tmp_path) -> None:
    site = tmp_path / "public"
    assemble(built, site, SITE)
    assemble(built, site)
    assert not list(site.glob("*.xml")) + list(site.glob("*.txt"))
    for page in site.rglob("*.html"):
        assert links(page, "canonical") == []
        assert all((page.parent / one).resolve().exists() for one in links(page, "alternate"))


@pytest.mark.parametrize(
    ("given", "meant"), [("https://a.org/b", "https://a.org/b/"), (" http://a.org/ ", "http://a.org/"), ("", "")]
)
def test_the_address_ends_with_a_slash(monkeypatch, given: str, meant: str) -> None:
    monkeypatch.setenv("BOOK_URL", given)
    assert book_address() == meant


@pytest.mark.parametrize("given", ["example.org", "ftp://a.org/", "https://", "https://a.org/?x=1"])
def test_what_is_no_address_is_named(monkeypatch, given: str) -> None:
    monkeypatch.setenv("BOOK_URL", given)
    with pytest.raises(ConfigError, match=re.escape(repr(given))):
        book_address()
