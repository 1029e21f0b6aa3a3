"""The instructors' book: written from the sources with everything shown, notes in their places; never published."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from coursekit.labs.instructor_book import NOTE, write_course
from coursekit.labs.source import read_lab
from coursekit.site.layout import Layout

from .student import LABS, ROOT, points

LANGUAGES = ["en", "es"]
HEADS = {
    "en": ("**Time.**", "**Points.**", "**What goes wrong.**", "**To discuss.**"),
    "es": ("**Tiempo.**", "**Puntos.**", "**Dónde se tropieza.**", "**Para conversar.**"),
}


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = Layout(tmp_path_factory.mktemp("book"))
    write_course(ROOT, layout)
    write_course(ROOT, layout)  # over what an earlier build left
    return layout


def sources(layout: Layout, lang: str, lab: str) -> list[str]:
    page: dict[str, Any] = json.loads((layout.sources(lang) / f"{lab}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in page["cells"]]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_page_shows_the_answers_the_hidden_tests_and_the_notes(layout: Layout, lab: str, lang: str) -> None:
    cells = sources(layout, lang, lab)
    assert sum("### BEGIN HIDDEN TESTS" in cell for cell in cells) == len(points(lab))
    assert sum("### BEGIN SOLUTION" in cell for cell in cells) == len(points(lab))
    written = read_lab(ROOT / f"solutions/{lab}.md").cells
    assert len(cells) == len(written)
    [place] = [number for number, cell in enumerate(written) if cell.role == "note"]
    assert NOTE[lang] in cells[place]
    assert written[place].text[lang] in cells[place]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_the_notes_say_the_time_the_points_the_slips_and_what_to_discuss(lab: str, lang: str) -> None:
    [note] = [cell.text[lang] for cell in read_lab(ROOT / f"solutions/{lab}.md").cells if cell.role == "note"]
    assert sorted(HEADS[lang], key=note.index) == list(HEADS[lang])
    assert [name for name in points(lab) if name.removeprefix("test_") not in note and "temperature" not in name] == []


def test_it_is_built_where_nothing_is_published() -> None:
    ignored = subprocess.run(
        ["git", "check-ignore", "_build/instructors", "work/en"], cwd=ROOT, check=True, capture_output=True
    )
    assert ignored.stdout.split() == [b"_build/instructors", b"work/en"]
    assert "_build" not in (ROOT / ".github/workflows/publish.yml").read_text("utf-8")
    assert "_build" not in Path(ROOT / "Makefile").read_text("utf-8").split("zip:")[1].split("labs:")[0]
