"""The notebooks that the pages offer: linked in both languages, plain, and able to run with `minimodel` alone."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.site.layout import LANGUAGES

SITE = Path(__file__).resolve().parents[2] / "site"
PAGES = ["index", "00-motivation", "01-temperature", "02-truncation", "03-cost-model", "knobs", "pitfalls"]
ONLY_MYST = re.compile(r"\{[a-z:]+\}`|^:::|^\([\w-]+\)=|^`{3,}\{", re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_offers_its_notebook(site, language: str, page: str) -> None:
    html = (SITE / language / f"{page}.html").read_text("utf-8")
    (href,) = set(re.findall(r'href="([^"]+\.ipynb)"', html))
    notebook = nbformat.read(SITE / language / href, as_version=4)
    nbformat.validate(notebook)
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert ONLY_MYST.findall(prose) == []
    assert prose.startswith("# ")
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "minimodel" in code
    assert "myst_nb" not in code
    assert not [cell for cell in notebook.cells if cell.get("outputs")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lab_s_page_offers_the_student_s_notebook(site, language: str) -> None:
    page = SITE / language / "labs" / "00-greedy.html"
    (href,) = set(re.findall(r'href="([^"]+_sources[^"]+\.ipynb)"', page.read_text("utf-8")))
    ours = Path(__file__).resolve().parents[2] / "labs" / language / "00-greedy" / "00-greedy.ipynb"
    assert (page.parent / href).read_bytes() == ours.read_bytes()


def test_a_downloaded_chapter_runs_from_top_to_bottom_anywhere(site, tmp_path) -> None:
    notebook = nbformat.read(SITE / "es" / "_sources" / "01-temperature.ipynb", as_version=4)
    forbidden = "import sys; sys.modules.update(dict.fromkeys(('myst_nb', 'coursekit')))"  # their import fails
    notebook.cells.insert(0, nbformat.v4.new_code_cell(forbidden))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/svg+xml" in str(output)]
    assert len(drawn) >= 2
