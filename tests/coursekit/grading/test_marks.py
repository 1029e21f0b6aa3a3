"""Who is on the class list and handed nothing in is in the marks and in the report, and in no average."""

import csv
import json

import pytest
from nbgrader.api import Gradebook

from coursekit.__main__ import main
from coursekit.grading.course import Course
from coursekit.grading.marks import write_marks
from coursekit.grading.messages import say
from coursekit.grading.report import write_report

from .class_ import LAB, grade, hand_in, new_course
from .lab import POINTS, notebook

FULL = sum(POINTS.values())


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of two, of whom one handed in."""
    course = new_course(tmp_path_factory.mktemp("course"))
    hand_in(course, "ana", notebook(lang="es"))
    grade(course)
    with Gradebook(course.directory.db_url, course.directory.course_id) as book:
        book.add_student("zoe", first_name="Zoe", last_name="Late", email="zoe@example.org")
    return course


def test_the_marks_have_a_row_for_everybody_on_the_class_list(course: Course) -> None:
    count, (table, data) = write_marks(course, LAB)
    assert count == 2
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [(row["student_id"], float(row["score"]), float(row["max_score"])) for row in rows] == [
        ("ana", FULL, FULL),
        ("zoe", 0, FULL),
    ]
    assert rows[1]["last_name"] == "Late"
    assert not rows[1]["timestamp"]
    assert not rows[1]["test_half"]
    assert json.loads(data.read_text(encoding="utf-8"))[1]["items"] == {}


def test_the_report_names_who_handed_nothing_in(course: Course) -> None:
    pages = write_report(course, LAB)
    data = json.loads(pages[-1].read_text(encoding="utf-8"))
    assert (data["students"], data["marks"]["mean"], data["not_handed_in"]) == (1, FULL, ["zoe"])
    for page, said in zip(pages, ("Nothing handed in: zoe", "Sin entrega: zoe"), strict=False):
        assert said in page.read_text(encoding="utf-8")


def test_grading_says_how_many_answers_wait_for_a_person(course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    wait = say("wait_for_you", count=1)
    assert main(["grade", LAB, "--root", str(course.root)]) == 0
    assert wait not in " ".join(capsys.readouterr().out.split())
    with Gradebook(course.directory.db_url, course.directory.course_id) as book:
        book.find_grade("test_half", LAB, LAB, "ana").needs_manual_grade = True
        book.db.commit()
    assert main(["grade", LAB, "--root", str(course.root)]) == 0
    assert wait in " ".join(capsys.readouterr().out.split())
