"""One submission graded, sandbox and all: the course's own lab, and what is particular about a notebook."""

import json
from pathlib import Path
from typing import Any

import pytest

from coursekit.grading import execute as module
from coursekit.grading.execute import execute
from coursekit.grading.limits import Limits

from .lab import HONEST, POINTS, marks, notebook

ROOT = Path(__file__).parents[3]
LABS = sorted(path.stem for path in (ROOT / "solutions").glob("*.md"))


def graded(submitted: str, source: str = "", **limits: Any) -> dict[str, Any]:
    return json.loads(execute(source or notebook(), submitted, Limits(**limits)))


def plain(result: dict[str, Any]) -> dict[str, Any]:
    """All but the times."""
    for item in result["metadata"]["coursekit"]["items"].values():
        item.pop("seconds")
    return result


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("lab", LABS)
def test_the_labs_solution_earns_all_and_shows_its_figures(lab: str, lang: str) -> None:
    source = (ROOT / f"solutions/{lang}/{lab}/{lab}.ipynb").read_text(encoding="utf-8")
    result = graded(source, source)
    items = result["metadata"]["coursekit"]["items"]
    assert {name: item for name, item in items.items() if item["kind"] != "right"} == {}
    assert result["metadata"]["coursekit"]["language"] == lang
    outputs = [output for cell in result["cells"] for output in cell.get("outputs", ())]
    assert [output for output in outputs if output["output_type"] == "error"] == []
    assert any("image/png" in output.get("data", {}) for output in outputs) == ("plt.show" in source)


@pytest.mark.parametrize("lab", LABS)
def test_the_labs_stub_earns_nothing_and_is_told_so_kindly(lab: str) -> None:
    source, stub = (ROOT / f"{kind}/en/{lab}/{lab}.ipynb" for kind in ("solutions", "labs"))
    result = graded(stub.read_text(encoding="utf-8"), source.read_text(encoding="utf-8"))
    assert {item["kind"] for item in result["metadata"]["coursekit"]["items"].values()} == {"not_started"}


def test_the_same_submission_gets_the_same_result() -> None:
    submitted = notebook(first="import numpy as np\nprint(np.random.random(), hash('a'))", half="def half(x): return x")
    assert plain(graded(submitted)) == plain(graded(submitted))


def test_outputs_are_those_of_a_notebook() -> None:
    first = "import sys\nprint('out')\nprint('err', file=sys.stderr)\ndisplay({'text/html': '<b>'}, raw=True)\n1 / 0"
    outputs = graded(notebook(first=first, last="21 * 2"))["cells"][0]["outputs"]
    assert [output["output_type"] for output in outputs] == ["stream", "stream", "display_data", "error"]
    assert [output.get("name") for output in outputs] == ["stdout", "stderr", None, None]
    assert outputs[3]["ename"] == "ZeroDivisionError"
    last = graded(notebook(last="21 * 2"))["cells"][-1]["outputs"][0]
    assert last["data"] == {"text/plain": "42"}


def test_the_tests_are_the_instructors_and_not_the_submissions() -> None:
    submitted = json.loads(notebook(half="def half(x): return 0"))
    for cell in submitted["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = "print('all right')"
    result = graded(json.dumps(submitted))
    assert marks(result) == POINTS | {"half": 0}
    source = json.loads(notebook())["cells"]
    tests = [cell["source"] for cell in source if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert ["".join(cell["source"]) for cell in result["cells"] if "check(" in "".join(cell["source"])] == tests


def test_a_deleted_test_is_run_after_all_others_and_told() -> None:
    submitted = json.loads(notebook())
    del submitted["cells"][1]
    result = graded(json.dumps(submitted))
    assert marks(result) == POINTS
    assert result["metadata"]["coursekit"]["events"] == [{"event": "test_cell_missing", "item": "test_half"}]
    assert result["cells"][-1]["metadata"]["nbgrader"]["grade_id"] == "test_half"


def test_a_lost_cell_is_told_in_the_notebooks_language() -> None:
    result = graded(notebook(first="import os; print('so far'); os._exit(0)", lang="es"))
    stream, error = result["cells"][0]["outputs"]
    assert stream["text"] == "so far\n"
    assert "Esta celda acabó con Python" in error["evalue"]


TIMED = """
import time
began = told = time.monotonic()
while True:
    if time.monotonic() > told + 0.1:
        told = time.monotonic()
        print(told - began)
"""


def test_after_a_cell_that_never_ends_the_next_is_not_waited_for_as_long() -> None:
    limits = {"cell_seconds": 6, "call_seconds": 1}
    submitted = notebook(first=TIMED, twice=f"{HONEST['twice']}\n{TIMED}", last=TIMED)
    result = graded(submitted, **limits)
    assert marks(result) == POINTS  # what was defined before a loop counts
    late = result["metadata"]["coursekit"]["late"]
    assert len(late) == 3
    times = [float(result["cells"][number]["outputs"][0]["text"].split()[-1]) for number in late]
    assert times[0] > 2.5 > max(times[1:])
    again = json.loads(execute(notebook(), submitted, Limits(**limits), late))
    assert marks(again) == POINTS
    assert max(float(again["cells"][number]["outputs"][0]["text"].split()[-1]) for number in late) < 2.5


def test_minimodels_own_function_earns_nothing_and_is_told() -> None:
    source = json.loads(notebook().replace("half", "entropy"))
    borrowed = notebook(half="from minimodel import half").replace("half", "entropy")
    result = graded(borrowed, json.dumps(source))
    item = result["metadata"]["coursekit"]["items"]["test_entropy"]
    assert (item["points"], item["hint"][:25]) == (0, "It calls minimodel.entropy"[:25])


def test_what_is_no_notebook_is_an_error_that_says_so() -> None:
    with pytest.raises(ValueError, match="not a notebook: 'PK"):
        execute(notebook(), "PK\x03\x04")


def test_a_sandbox_that_died_is_replaced() -> None:
    assert marks(graded(notebook())) == POINTS
    module._kept["sandbox"]._process.kill()
    assert marks(graded(notebook())) == POINTS


def test_a_submission_gets_what_its_own_cells_earn() -> None:
    for name in HONEST:
        assert marks(graded(notebook(**{name: "x = 1"}))) == POINTS | {name: 0}
