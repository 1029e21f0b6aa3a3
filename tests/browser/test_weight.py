"""What a page costs a reader on a slow line: bytes on the wire when compressed, and what its text waits for."""

from __future__ import annotations

import gzip
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

SITE = Path(__file__).resolve().parents[2] / "site"
CHAPTERS = ["00-motivation", "01-temperature", "02-truncation", "03-cost-model"]


def wire(path: Path) -> int:
    """The bytes of a file as a server that compresses sends it."""
    return len(path.read_bytes() if path.suffix in {".png", ".woff"} else gzip.compress(path.read_bytes(), 6))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_light(open_page, traffic, chapter: str) -> None:
    page = open_page(f"es/{chapter}.html")
    files = {SITE / urlsplit(url).path.lstrip("/") for url in traffic.requests if "://" in url}
    sizes = {file.name: wire(file) for file in files}
    model = sizes.pop("minimodel-model-es.js", 0)  # once for the whole site, and never waited for
    assert model < 230_000
    assert sum(sizes.values()) < 220_000, sorted(sizes.items(), key=lambda one: -one[1])[:8]
    styles = sum(size for name, size in sizes.items() if name.endswith(".css"))
    assert styles < 45_000
    blocking = page.locator(
        "head script[src]:not([async], [defer], [src*=minimodel-model])"
    )  # a widget asks for that one
    assert blocking.evaluate_all("scripts => scripts.map(one => one.src)") == []


class Head(HTMLParser):
    """The title, the language and the descriptions of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.language, self.title, self.metas, self._inside = "", "", [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self._inside = tag
        values = dict(attrs)
        if tag == "html":
            self.language = values.get("lang")
        if tag == "meta" and "name" in values:
            self.metas.append((values["name"], values.get("content")))

    def handle_data(self, data):
        if self._inside == "title":
            self.title += data.strip()


def test_every_page_says_what_it_is(site) -> None:
    seen = []
    for path in [one for one in sorted(SITE.glob("e[ns]/**/*.html")) if "_static" not in one.parts]:
        head = Head(path.read_text("utf-8"))
        metas = dict(head.metas)
        assert [name for name, _ in head.metas].count("viewport") == 1, path
        assert head.language == path.relative_to(SITE).parts[0]
        assert head.title, path
        if path.stem not in ("search", "genindex"):
            assert 40 < len(metas["description"]) < 300, path
            seen.append(metas["description"])
    assert len(seen) == len(set(seen)) > 30
