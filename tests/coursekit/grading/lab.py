"""A small lab for the grader's tests: three functions, one of which is given a model to call."""

import json
from collections.abc import Mapping
from typing import Any

HONEST = {
    "half": "def half(x): return x / 2",
    "twice": "def twice(x): return 2 * x",
    "calls": "def calls(model, n): return [model(i) for i in range(n)]",
}
POINTS = {"half": 2.0, "twice": 1.0, "calls": 1.0}
TESTS = {
    "half": """
import numpy as np
from coursekit.labs.check import check
with check("half") as call:
    call(np.array([2.0])).gives([1], en="Halve it.", es="Divide entre dos.")
    ### BEGIN HIDDEN TESTS
    call.hide()
    call(np.array([2.0 * 7919])).gives([7919], en="Halve large numbers too.", es="Divide también los grandes.")
    ### END HIDDEN TESTS
""",
    "twice": """
from coursekit.labs.check import check
with check("twice") as call:
    call(3.0).gives(6, en="Twice the number.", es="El doble del número.")
""",
    "calls": """
from coursekit.labs.check import check
class Model:
    eos_id = 0
    _secret = "15838"
    def __init__(self): self.count = 0
    def __call__(self, i):
        self.count += 1
        return 10 * i
model = Model()
with check("calls") as call:
    call(model, 3).satisfies(
        lambda got: got == [0, 10, 20] and model.count == 3, en="Exactly one call for each.", es="Una por cada uno."
    )
""",
}


def code(source: str, **mark: Any) -> dict[str, Any]:
    """A code cell, with nbgrader's metadata where it has a grade id."""
    marks = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    metadata = {"nbgrader": marks | mark} if mark else {}
    cell = {"cell_type": "code", "execution_count": None, "id": f"c{abs(hash((source, str(mark)))) % 10**12}"}
    return cell | {"metadata": metadata, "outputs": [], "source": source}


def notebook(*, first: str = "", last: str = "", lang: str = "en", **answers: str) -> str:
    """The lab with these answers, honest ones for the rest, and perhaps a cell before and after all others."""
    cells = [code(first)] if first else []
    for name, honest in HONEST.items():
        cells += [
            code(answers.get(name, honest), grade_id=name, solution=True),
            code(TESTS[name], grade_id=f"test_{name}", grade=True, locked=True, points=POINTS[name]),
        ]
    cells += [code(last)] if last else []
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "lang": lang}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def marks(graded: Mapping[str, Any]) -> dict[str, float]:
    """What each function earned."""
    items = graded["metadata"]["coursekit"]["items"]
    return {name.removeprefix("test_"): item["points"] for name, item in items.items()}
