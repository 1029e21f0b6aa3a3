"""The grader's small lab with a set-up cell, its notebooks damaged, and what they earn, without a sandbox."""

import copy
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..lab import POINTS, notebook

SETUP = "import numpy as np  # what every cell uses"
SOURCE = notebook(first=SETUP)
DAMAGES = tomllib.loads(Path(__file__).with_name("damages.toml").read_text(encoding="utf-8"))["damage"]


def honest() -> dict[str, Any]:
    """A submission with everything right, as JSON; one of its answers has a comment."""
    nb = json.loads(SOURCE)
    at(nb["cells"], "half")["source"] = "def half(x): return x / 2  # half."
    return nb


def at(cells: list[dict[str, Any]], grade_id: str) -> dict[str, Any]:
    """The first cell with this grade id."""
    return next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def damaged(damage: Mapping[str, Any]) -> bytes:
    """The honest submission after the damage."""
    nb = honest()
    names = {"nb": nb, "cells": nb["cells"], "copy": copy.deepcopy, "at": lambda grade_id: at(nb["cells"], grade_id)}
    exec(damage.get("change", ""), names)
    data = json.dumps(nb, indent=1).encode()
    return eval(damage.get("bytes", "data"), {"data": data})  # type: ignore[no-any-return]


def earned(notebook_text: str) -> dict[str, float]:
    """What each function earns when the notebook is run from top to bottom in this process."""
    names: dict[str, Any] = {"__name__": "__main__"}
    marks = dict.fromkeys(POINTS, 0.0)
    for cell in json.loads(notebook_text)["cells"]:
        if cell["cell_type"] != "code":
            continue
        mark = cell["metadata"].get("nbgrader", {})
        try:
            exec("".join(cell["source"]), names)
        except Exception:  # noqa: BLE001  whatever a student's cell raises
            continue
        if mark.get("grade"):
            marks[mark["grade_id"].removeprefix("test_")] = mark["points"]
    return marks


def expected_marks(damage: Mapping[str, Any]) -> dict[str, float]:
    """What the honest submission earns after the damage."""
    lost = POINTS if damage.get("all_lost") else damage.get("lost", ())
    return {name: 0 if name in lost else points for name, points in POINTS.items()}


def released_source(lang: str) -> str:
    """The instructor's notebook, as `nbgrader generate_assignment` accepts it."""
    nb = json.loads(SOURCE)
    nb["metadata"]["lang"] = lang
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = f"### BEGIN SOLUTION\n{cell['source']}\n### END SOLUTION"
    return json.dumps(nb)
