"""The gallery: every wrong answer loses its own test with the hint of its misconception, every right one loses none."""

from typing import Any

import pytest

from .student import GALLERY, LABS, do_lab, functions

WRONG = [pytest.param(lab, each, id=each["id"]) for lab in LABS for each in GALLERY[lab]["wrong"]]
RIGHT = [pytest.param(lab, each["code"], id=each["id"]) for lab in LABS for each in GALLERY[lab]["right"]]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize(("lab", "wrong"), WRONG)
def test_a_wrong_answer_loses_its_own_points_with_its_hint(lab: str, wrong: dict[str, Any], lang: str) -> None:
    reports = do_lab(lab, lang, {wrong["function"]: wrong["code"]})
    assert [test for test, report in reports.items() if report] == [f"test_{wrong['function']}"]
    report = reports[f"test_{wrong['function']}"]
    assert wrong["hint"][lang] in " ".join(report.text.split())


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize(("lab", "code"), RIGHT)
def test_a_right_answer_in_its_own_style_loses_nothing(lab: str, code: dict[str, str], lang: str) -> None:
    assert [report for report in do_lab(lab, lang, code).values() if report] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_function_has_wrong_answers_and_right_ones(lab: str) -> None:
    assert {wrong["function"] for wrong in GALLERY[lab]["wrong"]} == functions(lab)
    assert {function for right in GALLERY[lab]["right"] for function in right["code"]} == functions(lab)
