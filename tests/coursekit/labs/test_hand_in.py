"""Before handing in: what would be lost is said, and why; the points are never more than what can be known."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from coursekit.labs import hand_in
from coursekit.labs.clean_run import CleanRun, run_clean
from coursekit.labs.hand_in import Report, look_over
from coursekit.labs.hand_in_report import shown

from .student import GALLERY, ROOT, cells, grade_id

LAB = "03-diversity-vs-accuracy"
NAME = f"{LAB}.ipynb"
Notebook = Any
A_WRONG_ONE = next(wrong["code"] for wrong in GALLERY[LAB]["wrong"] if wrong["function"] == "accuracy")


def original(lang: str) -> Path:
    return ROOT / "labs" / lang / LAB / NAME


def notebook(lang: str) -> Notebook:
    """A student's notebook without its plots, which only take time; solved, and run here as far as Jupyter knows."""
    blank = nbformat.read(original(lang), as_version=4)
    blank.cells = [cell for cell in blank.cells if grade_id(cell) or "speak(" in cell.source]
    answers = {grade_id(cell): cell["source"] for cell in cells("solutions", lang, LAB)}
    for number, cell in enumerate(blank.cells):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = answers[grade_id(cell)]
        if cell.cell_type == "code":
            cell.execution_count = number + 1
    return blank


def marked(content: Notebook, name: str) -> Any:
    return next(cell for cell in content.cells if grade_id(cell) == name)


def handed_in(folder: Path, content: Notebook, name: str = NAME) -> Path:
    place = folder / "work" / LAB / NAME
    place.parent.mkdir(parents=True, exist_ok=True)
    place.with_name(name).write_text(json.dumps(content), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One English notebook with many things wrong with it, looked over once."""
    content = notebook("en")
    content.cells.insert(1, new_code_cell("early = late + 1", execution_count=9))
    content.cells.append(new_code_cell("late = 1", execution_count=8))
    content.cells.append(new_code_cell("def ask():\n    return input('?')"))
    content.cells.append(new_code_cell("open('notes.txt').read()", execution_count=10))
    content.cells.append(new_code_cell("try:\n    import tools\nexcept ImportError:\n    pass", execution_count=11))
    content.cells.append(new_code_cell("open('made.txt', 'w').write('1')\nopen('made.txt').read()\n1 / 0"))
    marked(content, "accuracy").source = A_WRONG_ONE
    marked(content, "distinct").source = "def distinct(completions):\n    raise NotImplementedError"
    marked(content, "test_accuracy").source = "assert True"
    marked(content, "recommendation").source = "✎ …"
    content.cells.remove(marked(content, "test_distinct_n"))
    place = handed_in(tmp_path_factory.mktemp("spoilt"), content, "mine.ipynb")
    for name in ("notes.txt", "tools.py", "made.txt"):
        (place.parent / name).write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_LANG", "es")  # the notebook's own language counts
        return look_over(original("en"), place)


@pytest.mark.parametrize(
    "words",
    [
        f"is called mine.ipynb, and only {NAME} is collected",
        "The check of accuracy was edited. Grading uses the original",
        f"3 points may go with it. Copy your answers into a fresh notebook: make lab NAME={LAB} AGAIN=1",
        "Cell 2 (“early = late + 1”) worked on your screen, but not from the top in a fresh kernel: NameError",
        "late is made only below, in cell 11 (“late = 1”)",
        "(“def ask():”) calls input()",
        "It reads notes.txt, which is not handed in",
        "It reads tools.py, which is not handed in",
        "(“open('made.txt', 'w').write('1')”) stops with ZeroDivisionError: division by zero",
    ],
)
def test_what_would_be_lost_is_said_with_its_reason(spoilt: Report, words: str) -> None:
    assert any(words in text for text in spoilt.lost), spoilt.lost


def test_nothing_else_is_complained_of(spoilt: Report) -> None:
    assert len(spoilt.lost) == 9, spoilt.lost
    assert "Traceback" not in shown(spoilt)


def test_the_points_come_from_the_original_checks_and_are_never_more_than_known(spoilt: Report) -> None:
    states = {task.name: task.state for task in spoilt.tasks}
    assert states == {
        "distinct": "not_started",
        "distinct_n": "passes",
        "accuracy": "wrong",
        "tradeoff": "passes",
        "recommendation": "blank",
    }
    assert "At most 7 of 15 as it stands. Grading also runs checks that you do not see." in shown(spoilt)


def test_a_good_notebook_is_told_so_in_its_language(tmp_path: Path) -> None:
    report = look_over(original("es"), handed_in(tmp_path, notebook("es")))
    assert (report.lost, report.notes) == ((), ())
    assert "El cuaderno está entero" in shown(report)
    assert "Como mucho 15 de 15" in shown(report)
    assert "la lee una persona" in shown(report)


@pytest.fixture
def not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what can be seen without running anything."""
    monkeypatch.setattr(hand_in, "run_clean", lambda *_: CleanRun({}, None, "", [], 121))


def spoil(change: Callable[[Notebook], object]) -> Notebook:
    content = notebook("en")
    change(content)
    return content


@pytest.mark.usefixtures("not_run")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda it: it.cells.remove(marked(it, "tradeoff")), "The cell for tradeoff is gone"),
        (lambda it: it.cells.remove(marked(it, "recommendation")), "The cell for recommendation is gone"),
        (lambda it: it.cells.append(copy.deepcopy(marked(it, "test_tradeoff"))), "2 cells marked test_tradeoff"),
        (lambda it: it.cells.append(copy.deepcopy(marked(it, "distinct"))), "2 cells marked distinct"),
        (lambda it: marked(it, "test_tradeoff").metadata.nbgrader.update(points=99), "The cell test_tradeoff is no"),
        (lambda it: marked(it, "tradeoff").update(cell_type="markdown"), "The cell tradeoff is no longer"),
        (lambda it: it.metadata.update(lab="another"), f"its metadata needs lab = {LAB}"),
        (lambda it: it.metadata.pop("lang"), "its metadata needs lang = en"),
    ],
)
def test_damage_is_seen(tmp_path: Path, change: Callable[[Notebook], object], words: str) -> None:
    report = look_over(original("en"), handed_in(tmp_path, spoil(change)))
    assert any(words in text for text in report.lost), report.lost
    assert len(report.lost) == 2
    assert "took 121 s, and grading stops after 120" in report.lost[-1]


@pytest.mark.usefixtures("not_run")
def test_another_notebook_beside_it_is_pointed_out(tmp_path: Path) -> None:
    place = handed_in(tmp_path, notebook("en"))
    shutil.copy(place, place.with_name("copy.ipynb"))
    assert "copy.ipynb lies beside your notebook" in look_over(original("en"), place).notes[0]


def test_a_damaged_file_is_no_traceback(tmp_path: Path) -> None:
    place = handed_in(tmp_path, notebook("en"))
    place.write_text("{")
    with pytest.raises(ValueError, match="It is damaged, so it cannot be graded"):
        look_over(original("en"), place)


@pytest.mark.parametrize(("code", "reason"), [("while True: pass", "timeout"), ("import os; os._exit(1)", "dead")])
def test_what_ends_the_run_leaves_the_rest_unknown(tmp_path: Path, code: str, reason: str, monkeypatch: Any) -> None:
    content = nbformat.v4.new_notebook(cells=[new_code_cell("1 + 1"), new_code_cell(code), new_code_cell("1")])
    run = run_clean(content, tmp_path, cell_seconds=2)
    assert (run.stopped, run.reason, run.errors) == (1, reason, {})
    assert [run.reached(number) for number in range(3)] == [True, False, False]
    spoilt = notebook("en")
    spoilt.cells.insert(5, content.cells[1])
    monkeypatch.setattr(hand_in, "run_clean", lambda *_: CleanRun({}, 5, reason, [], 1))
    report = look_over(original("en"), handed_in(tmp_path, spoilt))
    assert [task.state for task in report.tasks] == ["passes", "passes", "unknown", "unknown", "written"]
    assert "Nothing below it was run" in report.lost[0]
