"""Stock nbgrader and ours give the same marks: all to the solutions, none to the stubs, and to the gallery its own."""

import json
import os
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from benchmarks.grading import STOCK
from coursekit.grading.execute import execute
from coursekit.grading.limits import Limits

from ..labs.student import GALLERY, LABS, ROOT, points

PATIENT = Limits(call_seconds=15, test_seconds=60)  # what a submission gets at the second try: torch is slow to load
Marks = dict[str, float]


def committed(kind: str, lang: str, lab: str) -> dict:
    """A notebook as it is committed: solved in ``solutions/``, blank in ``labs/``."""
    notebook: dict = json.loads((ROOT / kind / lang / lab / f"{lab}.ipynb").read_text(encoding="utf-8"))
    return notebook


def submissions(lab: str) -> list[dict]:
    """Notebooks in which each function has one of the gallery's answers, as few as hold them all; outputs left out."""
    by_function: dict[str, list[str]] = {}
    for each in GALLERY[lab]["wrong"]:
        by_function.setdefault(each["function"], []).append(each["code"])
    sets = [dict(zip(by_function, codes, strict=True)) for codes in zip_longest(*by_function.values())]
    sets += [right["code"] for right in GALLERY[lab]["right"]]
    source = committed("solutions", "en", lab)
    return [source | {"cells": [answered(cell, answers) for cell in source["cells"]]} for answers in sets]


def answered(cell: dict, answers: dict[str, str | None]) -> dict:
    name = cell["metadata"].get("nbgrader", {}).get("grade_id")
    return cell | {"source": answers.get(name) or cell["source"]}


def our_marks(lab: str, notebook: dict) -> Marks:
    """What the grader gives."""
    source = json.dumps(committed("solutions", notebook["metadata"]["lang"], lab))
    items = json.loads(execute(source, json.dumps(notebook), PATIENT))["metadata"]["coursekit"]["items"]
    return {name: item["points"] for name, item in items.items()}


def stock_marks(base: Path, lab: str, notebooks: list[dict]) -> list[Marks]:
    """What stock `nbgrader autograde` gives."""
    shutil.copytree(ROOT / "solutions", base / "solutions")
    config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    (base / "nbgrader_config.py").write_text(config + STOCK, encoding="utf-8")
    for number, notebook in enumerate(notebooks):
        folder = base / f"grading/submitted/s{number:02}/{lab}"
        folder.mkdir(parents=True)
        (folder / f"{lab}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in ("generate_assignment", "autograde"):
        subprocess.run(["nbgrader", command, lab], cwd=base, env=environment, check=True, capture_output=True)
    with Gradebook(f"sqlite:///{base}/grading/gradebook.db") as book:
        works = sorted(book.assignment_submissions(lab), key=lambda work: work.student.id)
        return [{grade.name: grade.auto_score for grade in work.notebooks[0].grades} for work in works]


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_a_solved_lab_earns_all_and_a_blank_one_nothing_in_both_languages(lab: str, tmp_path: Path) -> None:
    notebooks = [committed(kind, lang, lab) for kind in ("solutions", "labs") for lang in ("en", "es")]
    deserved = [worth for worth in (points(lab), dict.fromkeys(points(lab), 0.0)) for _ in range(2)]
    assert [our_marks(lab, each) for each in notebooks] == deserved
    stock = stock_marks(tmp_path, lab, notebooks)
    assert [{name: marks[name] for name in points(lab)} for marks in stock] == deserved


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_stock_and_ours_give_the_same_marks(lab: str, tmp_path: Path) -> None:
    notebooks = submissions(lab)
    ours = [our_marks(lab, each) for each in notebooks]
    stock = stock_marks(tmp_path, lab, notebooks)
    for mine, theirs in zip(ours, stock, strict=True):
        assert mine == {name: theirs[name] for name in mine}
