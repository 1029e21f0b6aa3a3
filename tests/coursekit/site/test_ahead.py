"""What the checks read is read while the languages are built, and once; what comes too early or goes does no harm."""

import os
import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from coursekit.site import ahead, links, outline, strays
from coursekit.site.ahead import read_ahead
from coursekit.site.build import build
from coursekit.site.layout import Layout

MEMORIES = (outline._outline, strays._strays, links._parsed)


@pytest.fixture
def layout(tree, monkeypatch: pytest.MonkeyPatch) -> Layout:
    """A book of one page, built; and nothing is remembered of it."""
    layout: Layout = tree.finish()
    said: list[str] = []
    build(layout.root, say=said.append)
    assert (layout.html("es") / "index.html").is_file(), "\n".join(said)
    for memory in MEMORIES:
        memory.cache_clear()
    monkeypatch.setattr(ahead, "PAUSE", 0)
    return layout


def building(*rounds: Callable[[], object]) -> Callable[[str], bool]:
    """English is being built for so many rounds, in each of which something happens."""
    left: Iterator[Callable[[], object] | None] = chain([lambda: None], rounds, repeat(None))

    def asked(language: str) -> bool:
        happens = next(left) if language == "en" else None
        if happens:
            happens()
        return bool(happens)

    return asked


def read() -> list[int]:
    return [memory.cache_info().misses for memory in MEMORIES]


def again(path: Path, text: bytes | None = None) -> None:
    """Write a file anew."""
    path.write_bytes(path.read_bytes() if text is None else text)
    os.utime(path, ns=(time.time_ns() + 10**9,) * 2)


def test_the_language_that_stays_is_read_once_and_the_checks_read_it_no_more(layout: Layout) -> None:
    read_ahead(layout, building(lambda: None, lambda: None))
    assert read() == [1, 1, 1]
    assert not any(memory.cache_info().hits for memory in MEMORIES)  # nor is it opened in every round
    outline.read_outline(layout.doctrees("es") / "index.doctree")
    strays.strays(layout.doctrees("es") / "index.doctree", "es")
    links.read_page(layout.html("es") / "index.html")
    assert read() == [1, 1, 1]


def test_pages_are_read_as_they_are_written_and_parsed_pages_once_all_are_there(layout: Layout) -> None:
    doctree, page = layout.doctrees("en") / "index.doctree", layout.html("en") / "index.html"
    counts: list[list[int]] = []

    def look(does: Callable[[], object]) -> Callable[[], object]:
        return lambda: (counts.append(read()), does())

    read_ahead(
        layout,
        building(
            look(lambda: again(page, b"<p>torn")),
            look(lambda: again(page, b"<p>whole</p>")),
            look(lambda: again(doctree)),
            look(lambda: again(layout.doctrees("en") / "environment.pickle")),
            look(lambda: None),
        ),
    )
    assert [count[2] for count in counts] == [0, 2, 3, 3, 3]
    assert [count[0] for count in counts] == [0, 1, 1, 1, 2]


def test_a_build_that_empties_its_folder_disturbs_nobody(layout: Layout) -> None:
    def empty() -> None:
        for path in (layout.doctrees("en") / "environment.pickle", layout.html("en") / "index.html"):
            path.unlink()

    read_ahead(layout, building(empty, lambda: None))
    assert read() == [1, 1, 1]
