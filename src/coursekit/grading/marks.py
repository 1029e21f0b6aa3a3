"""The marks of a lab as the gradebook has them, written as CSV, for another gradebook to import, and as JSON."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nbgrader.api import Student, SubmittedAssignment

from coursekit.grading.course import Course, GradingError, write_atomically
from coursekit.grading.messages import say
from coursekit.grading.record import Recorder

COLUMNS = ("student_id", "last_name", "first_name", "email", "assignment", "timestamp", "raw_score",
           "late_submission_penalty", "score", "max_score")  # fmt: skip  # those of nbgrader's own exporter


def marks_of(course: Course, lab: str) -> list[dict[str, Any]]:
    """Each student's marks, late penalty and hand-given marks included; the items' under ``items``.

    Raises:
        GradingError: nobody has any.
    """
    with Recorder(course) as recorder:
        rows = [_row(each) for _, each in sorted(recorder.submissions(lab).items())] if recorder.knows(lab) else []
    if not rows:
        course.source(lab, "en")  # to begin with, is there such a lab?
        raise GradingError(say("not_graded", lab=lab))
    return rows


def absent(course: Course, lab: str) -> list[dict[str, Any]]:
    """The rows of those on the class list who handed nothing in: 0 points, as nbgrader's own exporter has it."""
    with Recorder(course) as recorder:
        came, book = recorder.submissions(lab), recorder.gradebook
        away = sorted((each for each in book.students if each.id not in came), key=lambda each: str(each.id))
        nothing = {"raw_score": 0.0, "late_submission_penalty": 0.0, "max_score": book.find_assignment(lab).max_score}
        nothing |= {"score": 0.0, "needs_manual_grade": False, "items": {}}
        return [_names(each) | {"assignment": lab, "timestamp": ""} | nothing for each in away]


def _names(student: Student) -> dict[str, Any]:
    return {"student_id": student.id} | {
        name: getattr(student, name) or "" for name in ("last_name", "first_name", "email")
    }


def _row(submission: SubmittedAssignment) -> dict[str, Any]:
    penalty = submission.late_submission_penalty or 0.0
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    row = _names(submission.student)
    row |= {"assignment": submission.name, "timestamp": str(submission.timestamp or "")}
    row |= {"raw_score": submission.score, "late_submission_penalty": penalty, "max_score": submission.max_score}
    row |= {"score": max(0.0, submission.score - penalty), "needs_manual_grade": bool(submission.needs_manual_grade)}
    return row | {"items": {grade.name: {"score": grade.score, "max": grade.max_score} for grade in grades}}


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The marks as CSV: nbgrader's own columns, then one an item.

    A text that a spreadsheet would take for a formula is marked as a text.
    """
    items = list(dict.fromkeys(name for row in rows for name in row["items"]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *items])
    for row in rows:
        scores = [row["items"].get(name, {}).get("score", "") for name in items]
        writer.writerow([_no_formula(row[name]) for name in COLUMNS] + scores)
    return out.getvalue()


def _no_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def write_marks(course: Course, lab: str) -> tuple[int, list[Path]]:
    """Write both files; how many students are in them, and where they are.

    Raises:
        GradingError: nobody has a mark, or the disk is full.
    """
    rows = sorted(marks_of(course, lab) + absent(course, lab), key=lambda row: str(row["student_id"]))
    paths = [course.grading / "export" / f"{lab}.{kind}" for kind in ("csv", "json")]
    write_atomically(paths[0], as_csv(rows))
    write_atomically(paths[1], json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    return len(rows), paths
