"""Small books in two languages, on the course's own configuration, style and templates."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml

from coursekit.site.layout import LANGUAGES, Layout

ROOT = Path(__file__).resolve().parents[3]


class Tree:
    """A book under construction: `pages` of one language or of both, then `finish()`."""

    def __init__(self, root: Path, *, execute: str = "off") -> None:
        self.layout = Layout(root)
        self.pages: list[str] = []
        for name in ("_static", "_templates"):
            shutil.copytree(ROOT / "book" / name, root / "book" / name)
        self.config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
        self.config["execute"]["execute_notebooks"] = execute
        self.write("book/references.bib", "@book{shannon, author={Claude Shannon}, title={Theory}, year={1948}}\n")
        self.write("book/es/_lang.yml", "config: {title: El libro}\ntoc: {Chapters: Capítulos}\n")
        self.write("src/minimodel/nothing.py", "")
        self.page("index", "(sec-start)=\n# Start\n\nWelcome.\n", "(sec-start)=\n# Inicio\n\nTe damos la bienvenida.\n")

    def write(self, path: str, text: str) -> Path:
        file = self.layout.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def page(self, name: str, english: str, spanish: str | None = None, *, cells: bool = False) -> None:
        """Write a page in both languages; without Spanish, the same text. Cells need the head that says so."""
        if name not in self.pages:
            self.pages.append(name)
        for language, text in zip(LANGUAGES, (english, english if spanish is None else spanish), strict=True):
            self.write(f"book/{language}/{name}.md", (EXECUTED if cells else "") + textwrap.dedent(text))

    def lab(self, name: str, *cells: dict[str, Any]) -> None:
        self.pages.append(f"labs/{name}")
        notebook = {"cells": list(cells), "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
        for language in LANGUAGES:
            self.write(f"labs/{language}/{name}/{name}.ipynb", json.dumps(notebook))

    def finish(self) -> Layout:
        self.write("_config.yml", yaml.safe_dump(self.config))
        chapters = [{"file": page} for page in self.pages if page != "index"]
        toc: dict[str, Any] = {"format": "jb-book", "root": "index"}
        if chapters:
            toc["parts"] = [{"caption": "Chapters", "chapters": chapters}]
        self.write("_toc.yml", yaml.safe_dump(toc, sort_keys=False))
        return self.layout


KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

EXECUTED = """\
---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3
---

"""


@pytest.fixture(scope="session")
def make_tree() -> type[Tree]:
    """`make_tree(folder)` starts a book."""
    return Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A book whose cells are not run."""
    return Tree(tmp_path)


@pytest.fixture
def running_tree(tmp_path: Path) -> Tree:
    """A book whose cells are run."""
    return Tree(tmp_path, execute="cache")
