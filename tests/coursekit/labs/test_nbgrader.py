"""A lab's whole life in stock nbgrader, by its own commands, on the repository's own configuration.

Commands and kernels take seconds each, so one class goes through it once. Eva works in Spanish and hands in by the
exchange; the others' notebooks are put where `nbgrader collect` puts them. All are graded under the English
configuration.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from coursekit.grading.sandbox import NO_SANDBOX, lacking

from .student import GALLERY, ROOT, cells, grade_id, points

LAB = "01-temperature-sweep"
WRONG = {wrong["id"]: wrong for wrong in GALLERY[LAB]["wrong"]}
WARNS = next(right["code"] for right in GALLERY[LAB]["right"] if "warnings" in right["id"])
CLASS = {  # who made which slips
    "bits": ["entropy-in-bits"],
    "border": ["draw-greater-or-equal"],
    "two-slips": ["temperature-nan-slips-through", "sweep-sorts"],
}


class Course:
    """A course folder, an exchange and a student's folder, all new, and nbgrader at work in them."""

    def __init__(self, base: Path) -> None:
        self.root, self.student, self.exchange = base / "course", base / "eva", base / "exchange"
        for folder in (self.root, self.student, self.exchange, base / "home"):
            folder.mkdir()
        for folder in (self.root, self.student):
            shutil.copy(ROOT / "nbgrader_config.py", folder)
        shutil.copytree(ROOT / "solutions", self.root / "solutions")
        self.release("es").parent.mkdir(parents=True)
        shutil.copytree(ROOT / "labs/es" / LAB, self.release("es"))
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # nbgrader calls a bare `alembic`
            "HOME": str(base / "home"),
            "COURSE_EXCHANGE": str(self.exchange),
        }
        if lacking():  # what is tested here is not the sandbox, and everybody in this class is honest
            self.environment[NO_SANDBOX] = "1"

    def release(self, lang: str) -> Path:
        return self.root / f"labs/{lang}" / LAB

    def nbgrader(self, *command: str, lang: str = "en", folder: Path | None = None) -> str:
        """What the command says; it has to succeed."""
        done = subprocess.run(
            ["nbgrader", *command],
            check=False,
            cwd=folder or self.root,
            env=self.environment | {"COURSE_LANG": lang},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def submit_for(self, student: str, answers: Mapping[str, str]) -> None:
        """Hand in the English notebook with these answers, without its plots, which only take time."""
        notebook = self.root / f"grading/submitted/{student}/{LAB}/{LAB}.ipynb"
        notebook.parent.mkdir(parents=True)
        fill_in(self.release("en") / f"{LAB}.ipynb", notebook, answers)
        content = json.loads(notebook.read_text(encoding="utf-8"))
        content["cells"] = [cell for cell in content["cells"] if grade_id(cell) or "speak(" in "".join(cell["source"])]
        notebook.write_text(json.dumps(content), encoding="utf-8")


def fill_in(blank: Path, done: Path, answers: Mapping[str, str]) -> None:
    """Write the answers, code by function, into a student's notebook."""
    notebook = json.loads(blank.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = answers.get(str(grade_id(cell)), cell["source"])
    done.write_text(json.dumps(notebook), encoding="utf-8")


def solved(lang: str) -> dict[str, str]:
    return {
        name: cell["source"]
        for cell in cells("solutions", lang, LAB)
        if (name := grade_id(cell)) and "test" not in name
    }


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The class, graded, with feedback written and marks exported."""
    course = Course(tmp_path_factory.mktemp("class"))
    course.nbgrader("generate_assignment", LAB)
    course.nbgrader("release_assignment", LAB, lang="es")

    course.nbgrader("fetch_assignment", LAB, lang="es", folder=course.student)
    fetched = course.student / LAB / f"{LAB}.ipynb"
    fill_in(fetched, fetched, solved("es"))
    course.nbgrader("submit", LAB, "--student=eva", lang="es", folder=course.student)
    course.nbgrader("collect", LAB, lang="es")

    course.submit_for("right", solved("en") | WARNS)
    course.submit_for("blank", {})
    for student, slips in CLASS.items():
        course.submit_for(student, solved("en") | {WRONG[slip]["function"]: WRONG[slip]["code"] for slip in slips})

    course.nbgrader("autograde", LAB)
    course.nbgrader("generate_feedback", LAB)
    course.nbgrader("export", "--to=grades.csv")
    return course


@pytest.fixture(scope="session")
def scores(course: Course) -> dict[str, dict[str, float]]:
    """By student, what the gradebook has for each test."""
    with Gradebook(f"sqlite:///{course.root}/grading/gradebook.db") as book:
        return {
            work.student.id: {grade.name: grade.score for notebook in work.notebooks for grade in notebook.grades}
            for work in book.assignment_submissions(LAB)
        }


def feedback(course: Course, student: str) -> str:
    """The text of a student's feedback page."""
    page = (course.root / f"grading/feedback/{student}/{LAB}/{LAB}.html").read_text(encoding="utf-8")
    return " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_nbgraders_own_release_is_the_committed_one(course: Course) -> None:
    released = (course.release("en") / f"{LAB}.ipynb").read_bytes()
    assert released == (ROOT / "labs/en" / LAB / f"{LAB}.ipynb").read_bytes()
    assert [path.name for path in course.release("en").iterdir()] == [f"{LAB}.ipynb"]


def test_everybody_has_a_mark_and_it_went_into_the_export(course: Course, scores: Mapping[str, Any]) -> None:
    assert scores.keys() == {"eva", "right", "blank", *CLASS}
    with (course.root / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        student: sum(marks.values()) for student, marks in scores.items()
    }
    assert {float(row["max_score"]) for row in rows.values()} == {sum(points(LAB).values())}


def test_right_answers_get_full_marks_whatever_they_warn_of(scores: Mapping[str, Any]) -> None:
    assert scores["right"] == points(LAB)


def test_the_untouched_stub_gets_nothing(scores: Mapping[str, Any]) -> None:
    assert scores["blank"] == dict.fromkeys(points(LAB), 0)


@pytest.mark.parametrize("student", CLASS)
def test_a_slip_costs_its_own_points_and_no_others(scores: Mapping[str, Any], student: str) -> None:
    lost = {f"test_{WRONG[slip]['function']}": 0 for slip in CLASS[student]}
    assert scores[student] == points(LAB) | lost


def test_spanish_work_gets_the_same_marks_under_the_english_configuration(
    course: Course, scores: Mapping[str, Any]
) -> None:
    assert scores["eva"] == scores["right"]
    collected = json.loads((course.root / f"grading/submitted/eva/{LAB}/{LAB}.ipynb").read_text(encoding="utf-8"))
    assert collected["metadata"]["lang"] == "es"


def test_feedback_tells_the_misconception_in_the_notebooks_language(course: Course) -> None:
    assert "entropy: supera todas las comprobaciones" in feedback(course, "eva")
    assert "base 2 would give bits" in feedback(course, "bits")
    assert "log_softmax is not started yet" in feedback(course, "blank")


def test_validating_tells_a_student_what_is_missing(course: Course) -> None:
    notebook = course.student / LAB / "unfinished.ipynb"
    fill_in(course.student / LAB / f"{LAB}.ipynb", notebook, {"draw": WRONG["draw-greater-or-equal"]["code"]})
    said = course.nbgrader("validate", str(notebook), lang="es", folder=course.student)
    assert "VALIDATION FAILED ON 1 CELL(S)" in said
    assert "✗ draw aún no es correcta." in said
    assert "Traceback" not in said
    assert "..." not in said[said.index("✗ draw") :]  # nbgrader cuts long lines
