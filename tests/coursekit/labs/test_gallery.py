"""The gallery: every wrong answer loses its own test with the hint of its misconception, every right one loses none."""

from typing import Any

import pytest

from .student import GALLERY, LABS, do_lab, functions

WRONG = [pytest.param(lab, each, id=each["id"]) for lab in LABS for each in GALLERY[lab]["wrong"]]
RIGHT = [pytest.param(lab, each["code"], id=each["id"]) for lab in LABS for each in GALLERY[lab]["right"]]


@pytest.mark.parametrize(("lab", "wrong"), WRONG)
def test_a_wrong_answer_loses_its_own_points_with_its_hint(lab: str, wrong: dict[str, Any]) -> None:
    reports = do_lab(lab, "en", {wrong["function"]: wrong["code"]})
    assert [test for test, report in reports.items() if report] == [f"test_{wrong['function']}"]
    assert wrong["hint"]["en"] in " ".join(reports[f"test_{wrong['function']}"].text.split())


@pytest.mark.parametrize(("lab", "wrong"), WRONG)
def test_a_wrong_answer_loses_the_same_points_in_spanish_with_a_spanish_hint(lab: str, wrong: dict[str, Any]) -> None:
    """The tests are the same cells in both languages, so that only the answer's own is run here."""
    test = f"test_{wrong['function']}"
    report = do_lab(lab, "es", {wrong["function"]: wrong["code"]}, until=test)[test]
    assert report is not None
    assert wrong["hint"]["es"] in " ".join(report.text.split())


@pytest.mark.parametrize(("lab", "code"), RIGHT)
def test_a_right_answer_in_its_own_style_loses_nothing(lab: str, code: dict[str, str]) -> None:
    assert [report for report in do_lab(lab, "en", code).values() if report] == []


@pytest.mark.parametrize(("lab", "code"), RIGHT)
def test_a_right_answer_is_right_in_spanish_too(lab: str, code: dict[str, str]) -> None:
    for function in code:
        assert do_lab(lab, "es", code, until=f"test_{function}") == {f"test_{function}": None}


@pytest.mark.parametrize("lab", LABS)
def test_every_function_has_wrong_answers_and_right_ones(lab: str) -> None:
    assert {wrong["function"] for wrong in GALLERY[lab]["wrong"]} == functions(lab)
    assert {function for right in GALLERY[lab]["right"] for function in right["code"]} == functions(lab)
