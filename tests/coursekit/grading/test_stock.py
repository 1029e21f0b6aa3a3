"""The same attacks against stock nbgrader: they are seen to succeed there, so the attack suite attacks something real.

Slow: each case starts a kernel.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.preprocessors import Execute
from nbgrader.utils import determine_grade, is_grade

from .lab import POINTS, notebook

ATTACKS = tomllib.loads((Path(__file__).parent / "attacks.toml").read_text(encoding="utf-8"))["attack"]
CELLS = ("first", "half", "twice", "calls", "last")

pytestmark = pytest.mark.slow


def stock(**cells: str) -> tuple[dict[str, float], str]:
    """What each function earns from nbgrader's own Execute, and all that is shown."""
    done, _ = Execute(timeout=20).preprocess(nbformat.reads(notebook(**cells), as_version=4), {})
    grades = {cell.metadata.nbgrader.grade_id: determine_grade(cell)[0] for cell in done.cells if is_grade(cell)}
    shown = json.dumps([cell.outputs for cell in done.cells])
    return {name.removeprefix("test_"): points for name, points in grades.items()}, shown


def test_the_honest_notebook_earns_all_there_too() -> None:
    assert stock()[0] == POINTS


@pytest.mark.parametrize("attack", [pytest.param(each, id=each["id"]) for each in ATTACKS if each.get("stock")])
def test_it_succeeds_against_stock_nbgrader(attack: dict[str, Any]) -> None:
    earned, _ = stock(**{name: attack[name] for name in CELLS if name in attack})
    assert earned.items() >= attack["stock"].items()
    assert attack["marks"]["half"] == 0


def test_stock_shows_the_machine_and_the_tests_inputs(tmp_path: Path) -> None:
    secret = tmp_path / "gradebook.db"
    secret.write_text("TOP-SECRET", encoding="utf-8")
    _, shown = stock(first=f"print(open({str(secret)!r}).read())", last="print(In)")
    assert "TOP-SECRET" in shown
    assert "call.hide" in shown
