"""A course with the small lab, and submissions of it."""

import json
import shutil
from pathlib import Path
from unittest.mock import patch

from nbgrader.api import Gradebook

from coursekit.grading import driver
from coursekit.grading.course import Course
from coursekit.grading.driver import Grading, Options, Row
from coursekit.grading.tasks import grade_one

from .lab import notebook

ROOT = Path(__file__).parents[3]
LAB = "halves"
OPTIONS = Options(workers=1)


def new_course(root: Path) -> Course:
    """A course folder with the small lab in both languages."""
    root.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for lang in ("en", "es"):
        folder = root / f"solutions/{lang}/{LAB}"
        folder.mkdir(parents=True)
        (folder / f"{LAB}.ipynb").write_text(notebook(lang=lang), encoding="utf-8")
    return Course(root)


def hand_in(course: Course, student: str, text: str | None) -> None:
    """Put a submission where nbgrader collects it; an empty folder for None."""
    folder = course.root / f"grading/submitted/{student}/{LAB}"
    folder.mkdir(parents=True, exist_ok=True)
    if text is not None:
        (folder / f"{LAB}.ipynb").write_text(text, encoding="utf-8")


def grade(course: Course) -> dict[str, Row]:
    """Grade the class in this process, whose sandbox is warm after the first; what came of it, by student."""
    with patch.object(driver, "run_here", lambda tasks, _: ((name, grade_one(task)) for name, task in tasks)):
        return {row.student: row for row in Grading(course, LAB, OPTIONS).run()}


def graded_notebook(course: Course, student: str) -> dict:
    return json.loads((course.root / f"grading/autograded/{student}/{LAB}/{LAB}.ipynb").read_text(encoding="utf-8"))


def points(course: Course) -> dict[str, dict[str, float]]:
    """What the gradebook has, by student and item."""
    with Gradebook(course.directory.db_url, course.directory.course_id) as book:
        return {
            work.student.id: {grade.name: grade.score for part in work.notebooks for grade in part.grades}
            for work in book.assignment_submissions(LAB)
        }
