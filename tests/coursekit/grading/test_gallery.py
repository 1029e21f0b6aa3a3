"""The labs' gallery in the grader: every wrong answer costs its own points, with its hint, as in the notebook.

Answers to different functions share a notebook. All of them are slow; two for each function are graded by default.
"""

import json
from itertools import zip_longest
from typing import Any

import pytest

from coursekit.grading.execute import execute
from coursekit.grading.limits import Limits

from ..labs.student import GALLERY, LABS, cells, grade_id

PATIENT = Limits(call_seconds=15, test_seconds=60)  # what a submission gets at the second try: torch is slow to load
Wrong = dict[str, dict[str, Any]]  # by function
QUICK = 2


def by_function(lab: str) -> list[Wrong]:
    """The wrong answers, one for each function that has another, as few sets as hold them all."""
    answers: dict[str, list[dict[str, Any]]] = {}
    for wrong in GALLERY[lab]["wrong"]:
        answers.setdefault(wrong["function"], []).append(wrong)
    return [{wrong["function"]: wrong for wrong in together if wrong} for together in zip_longest(*answers.values())]


def notebook(lab: str, lang: str, answers: dict[str, str]) -> str:
    """The lab with these answers: its set-up, its functions and their tests, to save time."""
    chosen = [
        cell | {"source": answers.get(str(grade_id(cell)), cell["source"]), "id": f"cell-{number}"}
        for number, cell in enumerate(cells("solutions", lang, lab))
        if cell["cell_type"] == "code" and (grade_id(cell) or "speak(" in cell["source"])
    ]
    return json.dumps({"cells": chosen, "metadata": {"lang": lang}, "nbformat": 4, "nbformat_minor": 5})


def graded(lab: str, lang: str, answers: dict[str, str]) -> dict[str, dict[str, Any]]:
    """What the grader says of each test."""
    done = json.loads(execute(notebook(lab, lang, {}), notebook(lab, lang, answers), PATIENT))
    items: dict[str, dict[str, Any]] = done["metadata"]["coursekit"]["items"]
    return {name.removeprefix("test_"): item for name, item in items.items()}


SETS = [
    pytest.param(
        lab, lang, wrong, marks=[pytest.mark.slow] * (number >= QUICK or lang != "en"), id=f"{lab}-{lang}-{number}"
    )
    for lab in LABS
    for lang in ("en", "es")
    for number, wrong in enumerate(by_function(lab))
]
RIGHT = [
    pytest.param(lab, right["code"], marks=[pytest.mark.slow] * (number > 0), id=right["id"])
    for lab in LABS
    for number, right in enumerate(GALLERY[lab]["right"])
]


@pytest.mark.parametrize(("lab", "lang", "wrong"), SETS)
def test_a_wrong_answer_loses_its_own_points_with_its_hint(lab: str, lang: str, wrong: Wrong) -> None:
    items = graded(lab, lang, {name: each["code"] for name, each in wrong.items()})
    assert {name for name, item in items.items() if item["points"] < item["max"]} == set(wrong)
    for name, each in wrong.items():
        assert items[name]["points"] == 0
        assert " ".join(each["hint"][lang].split()) in " ".join(items[name]["hint"].split()), each["id"]


@pytest.mark.parametrize(("lab", "code"), RIGHT)
def test_a_right_answer_in_its_own_style_loses_nothing(lab: str, code: dict[str, str]) -> None:
    assert [item for item in graded(lab, "en", code).values() if item["points"] < item["max"]] == []
