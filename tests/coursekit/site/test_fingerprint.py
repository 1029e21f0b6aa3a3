"""A fingerprint changes with everything that a page is made from, and with nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coursekit.site.fingerprint import code_fingerprint, language_fingerprint

ROOT = Path(__file__).resolve().parents[3]

BOTH = [
    "_config.yml", "_toc.yml", "book/_static/course.css", "book/_templates/new.html", "book/references.bib",
    "src/coursekit/site/new.py",
]  # fmt: skip
SHOWN = re.compile(r"^````.*?^````$", re.MULTILINE | re.DOTALL)  # sources that a page shows and does not run
CELL = re.compile(r"^```\{code-cell\} ipython3$(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = ["src/minimodel/nothing.py", "requirements.txt", "book/_data/new.json"]


@pytest.mark.parametrize("path", [*BOTH, *CODE])
def test_what_both_languages_share(tree, path: str) -> None:
    layout = tree.finish()
    before = [language_fingerprint(layout, language) for language in ("en", "es")]
    code = code_fingerprint(layout)
    tree.write(path, "changed")
    assert all(
        language_fingerprint(layout, language) != old for language, old in zip(("en", "es"), before, strict=True)
    )
    assert (code_fingerprint(layout) != code) == (path in CODE)


def test_no_page_s_cells_need_coursekit() -> None:
    pages = [SHOWN.sub("", page.read_text("utf-8")) for page in (ROOT / "book").glob("*/*.md")]
    cells = [cell for page in pages for cell in CELL.findall(page)]
    assert len(cells) > 100
    assert [cell for cell in cells if re.search(r"(import|from) coursekit", cell)] == []


@pytest.mark.parametrize("path", ["book/en/index.md", "book/en/new.svg", "labs/en/01-a/01-a.ipynb"])
def test_what_belongs_to_one_language(tree, path: str) -> None:
    layout = tree.finish()
    english, spanish = (language_fingerprint(layout, language) for language in ("en", "es"))
    tree.write(path, "changed")
    assert language_fingerprint(layout, "en") != english
    assert language_fingerprint(layout, "es") == spanish


@pytest.mark.parametrize(
    "path", ["book/es/_reviewed.json", "book/es/_terms.txt", "src/minimodel/__pycache__/x.pyc", "README.md", "_build/x"]
)
def test_what_no_page_is_made_from(tree, path: str) -> None:
    layout = tree.finish()
    before = language_fingerprint(layout, "es")
    tree.write(path, "changed")
    assert language_fingerprint(layout, "es") == before


def test_a_renamed_file_counts(tree) -> None:
    layout = tree.finish()
    before = language_fingerprint(layout, "en")
    (layout.sources("en") / "index.md").rename(layout.sources("en") / "other.md")
    assert language_fingerprint(layout, "en") != before
