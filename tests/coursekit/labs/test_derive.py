"""Deriving: the same bytes each time, written only where they differ, and nobody's work lost."""

import datetime
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.converters.base import NbGraderException

from coursekit.labs.derive import course_config, derive_all
from coursekit.labs.source import LabError

from .student import ROOT
from .test_source import LAB

NOTEBOOKS = [f"{kind}/{lang}/00-half/00-half.ipynb" for kind in ("labs", "solutions") for lang in ("en", "es")]
STUDENTS = NOTEBOOKS[1]  # the Spanish one
TODAY = datetime.date.today()


def course(root: Path) -> Path:
    """A course of one small lab, under the repository's own nbgrader configuration."""
    (root / "solutions").mkdir(parents=True)
    (root / "solutions/00-half.md").write_text(LAB, encoding="utf-8")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return root


def derived(root: Path) -> list[str]:
    return [str(path.relative_to(root)) for path in derive_all(root, out=lambda _: None)]


def contents(root: Path) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in NOTEBOOKS}


def edit(notebook: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Change a notebook's content as Jupyter would, and return the new text."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    change(content)
    notebook.write_text(json.dumps(content), encoding="utf-8")
    return notebook.read_text(encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = course(tmp_path / "course")
    derive_all(root, out=lambda _: None)
    return root


def test_every_notebook_is_written_once_and_the_same_everywhere(tmp_path: Path) -> None:
    said: list[str] = []
    first, second = course(tmp_path / "first"), course(tmp_path / "second")
    assert derived(first) == derived(second) == NOTEBOOKS
    assert contents(first) == contents(second)
    before = {name: (first / name).stat().st_mtime_ns for name in NOTEBOOKS}
    assert derive_all(first, out=said.append) == []
    assert said == ["labs: 1 up to date, in en and es"]
    assert {name: (first / name).stat().st_mtime_ns for name in NOTEBOOKS} == before
    assert sorted(path.name for path in first.rglob("*.ipynb")) == ["00-half.ipynb"] * 4


@pytest.mark.parametrize(("lang", "stub"), [("en", "# YOUR CODE HERE"), ("es", "# TU CÓDIGO AQUÍ")])
def test_a_student_gets_a_stub_and_the_visible_test_alone(root: Path, lang: str, stub: str) -> None:
    notebook = json.loads((root / f"labs/{lang}/00-half/00-half.ipynb").read_text(encoding="utf-8"))
    _, _, answer, test, _ = ("".join(cell["source"]) for cell in notebook["cells"])
    docstring = {"en": "Half of x.", "es": "La mitad de x."}[lang]
    assert answer == f'def half(x):\n    """{docstring}"""\n    {stub}\n    raise NotImplementedError'
    assert test.endswith('es="Divide entre dos.")')
    title = {"en": "A lab", "es": "Un laboratorio"}[lang]
    assert notebook["metadata"].items() >= {"lab": "00-half", "lang": lang, "title": title}.items()


def test_cells_are_marked_for_nbgrader(root: Path) -> None:
    cells = json.loads((root / "solutions/en/00-half/00-half.ipynb").read_text(encoding="utf-8"))["cells"]
    answer, test = (cells[place]["metadata"]["nbgrader"] for place in (2, 3))
    both = {"schema_version": 3, "task": False, "cell_type": "code"}
    assert answer.items() >= (both | {"grade_id": "half", "grade": False, "locked": False, "solution": True}).items()
    assert "points" not in answer
    marks = {"grade_id": "test_half", "grade": True, "locked": True, "solution": False, "points": 2}
    assert test.items() >= (both | marks).items()
    assert [cell["id"] for cell in cells[2:4]] == ["half", "test_half"]
    assert cells[1]["metadata"] == {"tags": ["remove-cell"]}


def test_cells_of_the_same_text_get_ids_of_their_own(tmp_path: Path) -> None:
    root = course(tmp_path / "course")
    same = "```{code-cell} ipython3\nplot = 1\n```\n\n"
    (root / "solutions/00-half.md").write_text(LAB + same * 3, encoding="utf-8")
    assert derived(root) == NOTEBOOKS
    ids = [cell["id"] for cell in json.loads((root / STUDENTS).read_text(encoding="utf-8"))["cells"]]
    assert len(set(ids)) == len(ids)
    (root / "solutions/00-half.md").write_text(LAB, encoding="utf-8")
    assert derived(root) == NOTEBOOKS
    assert list(root.rglob(f"*{TODAY}*")) == []


def test_a_changed_source_changes_its_notebooks_and_keeps_no_copy(root: Path) -> None:
    (root / "solutions/00-half.md").write_text(LAB.replace("Fin.", "Se acabó."), encoding="utf-8")
    assert derived(root) == [name for name in NOTEBOOKS if "/es/" in name]
    assert list(root.rglob(f"*{TODAY}*")) == []


def test_a_notebook_that_was_only_opened_and_saved_is_no_work(root: Path) -> None:
    edit(root / STUDENTS, lambda content: content["metadata"].update(language_info={"name": "python"}))
    assert derived(root) == [STUDENTS]
    assert list(root.rglob(f"*{TODAY}*")) == []


@pytest.mark.parametrize(
    "work",
    [
        lambda content: content["cells"][2].update(source="def half(x):\n    return x / 2"),
        lambda content: content["cells"][0].update(source="# My notes"),
        lambda content: content["cells"][1]["outputs"].append(
            {"output_type": "stream", "name": "stdout", "text": "uno"}
        ),
        lambda content: content["cells"].append({"cell_type": "markdown", "id": "1", "metadata": {}, "source": "Mine"}),
        lambda content: content["cells"][2]["metadata"].update(nbgrader={"grade_id": "half", "schema_version": 99}),
    ],
    ids=["answer", "prose", "output", "new-cell", "metadata"],
)
def test_work_is_kept_aside_with_its_date(root: Path, work: Callable[[dict[str, Any]], object]) -> None:
    said: list[str] = []
    fresh = contents(root)
    worked = edit(root / STUDENTS, work)
    derive_all(root, out=said.append)
    kept = root / f"labs/es/00-half.{TODAY}.ipynb"
    assert kept.read_text(encoding="utf-8") == worked
    assert contents(root) == fresh
    assert any(str(kept.relative_to(root)) in line for line in said)


def test_two_days_work_is_kept_twice_and_so_is_what_cannot_be_read(root: Path) -> None:
    for number, text in enumerate(("{", "not a notebook"), 1):
        (root / STUDENTS).write_text(text)
        derive_all(root, out=lambda _: None)
        name = f"00-half.{TODAY}.ipynb" if number == 1 else f"00-half.{TODAY}-{number}.ipynb"
        assert (root / "labs/es" / name).read_text() == text


def test_an_instructors_edit_of_a_derived_solution_is_kept_too(root: Path) -> None:
    edit(root / NOTEBOOKS[2], lambda content: content["cells"][2].update(source="def half(x):\n    return 0.5 * x"))
    assert derived(root) == [NOTEBOOKS[2]]
    assert (root / f"solutions/en/00-half.{TODAY}.ipynb").exists()


def test_a_broken_source_leaves_everything_as_it_was(root: Path) -> None:
    before = contents(root)
    (root / "solutions/01-broken.md").write_text(LAB.replace("    call.hide()\n", ""), encoding="utf-8")
    (root / "solutions/00-half.md").write_text(LAB.replace("Fin.", "Se acabó."), encoding="utf-8")
    with pytest.raises(LabError, match="01-broken.md, line"):
        derive_all(root, out=lambda _: None)
    assert contents(root) == before


def test_no_source_is_an_error_that_says_where_one_is_expected(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected one file solutions/<lab>.md"):
        derive_all(tmp_path)


def test_what_nbgrader_has_against_a_notebook_is_logged(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = root / "nbgrader_config.py"
    config.write_text(config.read_text("utf-8").replace('{"python":', '{"R":'), encoding="utf-8")
    with pytest.raises(NbGraderException):
        derive_all(root, out=lambda _: None)
    logged = "".join(record.getMessage() for record in caplog.records if record.name == "nbgrader")
    assert "language 'python' has not been specified in ClearSolutions.code_stub" in logged


def test_the_configuration_knows_the_courses_languages_and_no_other(root: Path) -> None:
    english, spanish = (course_config(root, lang) for lang in ("en", "es"))
    assert english.CourseDirectory.course_id == "inference-and-sampling-en"
    assert spanish.CourseDirectory.course_id == "inference-and-sampling-es"
    assert english.CourseDirectory.submitted_directory == spanish.CourseDirectory.submitted_directory
    assert english.CourseDirectory.db_url == spanish.CourseDirectory.db_url
    with pytest.raises(SystemExit, match="COURSE_LANG is 'fr': expected one of en, es"):
        course_config(root, "fr")
