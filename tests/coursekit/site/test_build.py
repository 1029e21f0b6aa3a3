"""The build repeats what must be repeated, nothing else, and its failures name the file that a person edits."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from coursekit.site.build import build
from coursekit.site.config import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def built(root: Path, languages: Sequence[str] = ("en",)) -> str:
    """Build, and return what was said."""
    said: list[str] = []
    assert build(root, languages, said.append), "\n".join(said)
    return "\n".join(said)


def failure(root: Path, languages: Sequence[str] = ("en",)) -> str:
    said: list[str] = []
    assert not build(root, languages, said.append)
    return "\n".join(said)


def test_cells_run_once_for_each_language_and_code(running_tree) -> None:
    root = running_tree.layout.root
    runs = root / "runs"
    cell = (
        f"import os\nwith open({str(runs)!r}, 'a') as f:\n    f.write('.')\nprint('language', os.environ['BOOK_LANG'])"
    )
    page = f"(sec-cell)=\n# Cell\n\nProse.\n\n```{{code-cell}} python3\n{cell}\n```\n"
    running_tree.page("cell", page, cells=True)
    running_tree.finish()

    def printed(language: str) -> str:
        return (root / "site" / language / "cell.html").read_text("utf-8")

    built(root)
    built(root, ["es"])
    assert "language en" in printed("en")
    assert "language es" in printed("es"), "the Spanish page shows the English page's output"
    assert runs.read_text() == ".."

    running_tree.page("cell", page.replace("Prose", "Other prose"), cells=True)
    built(root)
    assert "Other prose" in printed("en")
    assert runs.read_text() == "..", "a page whose prose changed was run again"

    running_tree.write("book/_static/course.css", "body{margin:0}")
    built(root)
    assert (root / "site/en/_static/course.css").read_text() == "body{margin:0}"
    assert runs.read_text() == ".."

    running_tree.write("src/minimodel/nothing.py", "x = 1\n")
    built(root)
    assert runs.read_text() == "...", "the packages changed, and the page shows old outputs"


def test_nothing_is_done_when_nothing_changed(tree) -> None:
    root = tree.finish().root
    built(root)
    page = root / "site/en/index.html"
    before = page.stat().st_mtime_ns
    start = time.perf_counter()
    assert "Building" not in built(root)
    assert time.perf_counter() - start < 3
    assert page.stat().st_mtime_ns == before


def test_failures_name_the_file_and_line_and_last(running_tree) -> None:
    running_tree.page(
        "bad",
        "(sec-bad)=\n# Bad\n\nSee [](#sec-nowhere).\n\n```{code-cell} python3\nraise OSError('the cell broke')\n```\n",
        cells=True,
    )
    running_tree.lab("01-lab", {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Lab\n\n{ref}`gone`"})
    root = running_tree.finish().root
    for attempt in ("first", "second, with nothing changed"):
        said = failure(root)
        assert "book/en/bad.md:11: WARNING" in said, attempt
        assert "sec-nowhere" in said
        assert "book/en/bad.md:14: this cell failed:" in said
        assert "OSError: the cell broke" in said
        assert "labs/en/01-lab/01-lab.ipynb" in said
        assert "_build" not in said.partition("OSError")[0]
    assert not (root / "site").exists()


def test_a_good_site_outlives_a_bad_build(tree) -> None:
    root = tree.finish().root
    built(root)
    good = (root / "site/en/index.html").read_text()
    tree.page("index", "(sec-start)=\n# Start\n\n[](#nowhere)\n")
    failure(root)
    assert (root / "site/en/index.html").read_text() == good


def test_a_page_missing_in_one_language_is_named(tree) -> None:
    tree.page("only", "(sec-only)=\n# Only\n")
    root = tree.finish().root
    (root / "book/es/only.md").unlink()
    with pytest.raises(ConfigError, match=r"do not exist in 'es': only\."):
        build(root, say=lambda _: None)


def test_a_page_without_a_twin_has_no_switch(tree) -> None:
    tree.page("only", "(sec-only)=\n# Only\n")
    root = tree.finish().root
    (root / "book/es/only.md").unlink()
    built(root)
    assert "language-switch" in (root / "site/en/index.html").read_text("utf-8")
    page = (root / "site/en/only.html").read_text("utf-8")
    assert "language-switch" not in page
    assert "hreflang" not in page


def test_a_shared_file_is_found_beside_the_languages(tree) -> None:
    tree.write("book/figures/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    tree.page("index", "(sec-start)=\n# Start\n\n![A dot](../figures/dot.svg)\n")
    assert built(tree.finish().root)


def test_a_raw_link_that_leads_nowhere_fails(tree) -> None:
    tree.page("index", '(sec-start)=\n# Start\n\n<a href="gone.html#x">Gone</a>\n')
    assert "en/index.html: gone.html#x: there is no such file" in failure(tree.finish().root)
