"""The page of feedback: what the instructor and nbgrader say of an answer, as its student reads it."""

from typing import Any

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from coursekit.grading.feedback import LONGEST, feedback_page
from coursekit.grading.safe import Marks


def page(comment: str, lang: str = "en") -> str:
    """The feedback on a written answer that has this comment."""
    mark: dict[str, Any] = {"grade_id": "why", "grade": True, "solution": True, "points": 4, "score": 1}
    cell = new_markdown_cell("An answer.", metadata={"nbgrader": mark | {"comment": comment}})
    notebook = new_notebook(cells=[cell], metadata={"lang": lang})
    return feedback_page(notebook, {"notebook": "lab", "score": 1, "max_score": 4})


def test_a_comment_is_markdown_as_the_formgrader_says() -> None:
    shown = page("**Why** so?\n\n- one\n- two <script>alert(1)</script>")
    assert "<strong>Why</strong> so?" in shown
    assert "<li>one</li>" in shown
    assert "<script" not in shown


def test_of_very_long_code_the_page_shows_where_it_begins() -> None:
    notebook = new_notebook(cells=[new_code_cell("z = 1\n" * LONGEST)])
    shown = feedback_page(notebook, {"notebook": "lab", "score": 0, "max_score": 4})
    assert LONGEST / 8 < shown.count("z") < LONGEST / 4  # six characters a line
    assert "…" in shown


@pytest.mark.parametrize(("lang", "said"), [("en", "No answer."), ("es", "Sin respuesta.")])
def test_what_nbgrader_says_of_no_answer_is_in_the_students_language(lang: str, said: str) -> None:
    shown = page("No response.", lang)
    assert said in shown
    assert "No response" not in shown


@pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning")  # of nbgrader's own making
@pytest.mark.parametrize(("by_hand", "unmarked"), [(None, True), (1.0, False)])
def test_a_mark_given_by_hand_is_one_though_nbgrader_wants_it_reviewed(by_hand: float | None, unmarked: bool) -> None:
    marks = Marks()
    marks.assignment_id, marks.notebook_id, marks.student_id = "lab", "lab", "ada"
    with Gradebook("sqlite:///:memory:") as marks.gradebook:
        marks.gradebook.add_assignment("lab")
        marks.gradebook.add_notebook("lab", "lab")
        marks.gradebook.add_grade_cell("why", "lab", "lab", max_score=4, cell_type="markdown")
        marks.gradebook.add_student("ada")
        marks.gradebook.add_submission("lab", "ada")
        grade = marks.gradebook.find_grade("why", "lab", "lab", "ada")
        grade.manual_score, grade.needs_manual_grade = by_hand, True  # as after a second run
        cell = new_markdown_cell("An answer.", metadata={"nbgrader": {"grade_id": "why"}})
        marks._get_score(cell, {})
    assert cell.metadata.nbgrader.unmarked is unmarked
