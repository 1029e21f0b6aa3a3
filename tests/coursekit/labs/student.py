"""A student at work on a lab: the notebooks' cells, the gallery of answers, and a lab done in this process."""

import contextlib
import io
import json
import linecache
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coursekit.labs.report import CheckFailed

ROOT = Path(__file__).parents[3]
LABS = sorted(path.stem for path in (ROOT / "solutions").glob("*.md"))
GALLERY = {lab: tomllib.loads((Path(__file__).parent / f"gallery/{lab}.toml").read_text("utf-8")) for lab in LABS}


def cells(kind: str, lang: str, lab: str) -> list[dict[str, Any]]:
    """The cells of ``solutions/…`` or ``labs/…``, each one's source as one text."""
    notebook = json.loads((ROOT / kind / lang / lab / f"{lab}.ipynb").read_text("utf-8"))
    return [cell | {"source": "".join(cell["source"])} for cell in notebook["cells"]]


def grade_id(cell: Mapping[str, Any]) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def points(lab: str) -> dict[str, float]:
    """What each test of a lab is worth, by its grade id."""
    return {name: cell["metadata"]["nbgrader"]["points"] for name, cell in graded(lab) if cell["cell_type"] == "code"}


def written(lab: str) -> dict[str, float]:
    """What each written answer of a lab is worth, by its grade id."""
    return {name: cell["metadata"]["nbgrader"]["points"] for name, cell in graded(lab) if cell["cell_type"] != "code"}


def graded(lab: str) -> list[tuple[str, dict[str, Any]]]:
    """The cells of a lab that have points, by grade id."""
    return [(str(grade_id(cell)), cell) for cell in cells("labs", "en", lab) if is_graded(cell)]


def functions(lab: str) -> set[str]:
    """What a lab asks its students to program."""
    return {test.removeprefix("test_") for test in points(lab)}


def is_graded(cell: Mapping[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("grade"))


def run_cell(source: str, names: dict[str, Any], title: str) -> None:
    """Run one cell as Jupyter does: in the notebook's names, its lines at hand for whoever reports an error."""
    linecache.cache[title] = (len(source), None, source.splitlines(keepends=True), title)
    exec(compile(source, title, "exec"), names)


def do_lab(
    lab: str, lang: str, answers: Mapping[str, str], kind: str = "solutions", *, until: str | None = None
) -> dict[str, CheckFailed | None]:
    """Each test's report by its grade id, None where it passed, for these answers (code by function).

    What is not answered is as in the notebook: solved in ``solutions/``, blank in ``labs/``. Only the set-up, the
    answers and the tests are run, in this process, so that it takes no time; with ``until``, that one
    test alone.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    reports: dict[str, CheckFailed | None] = {}
    for number, cell in enumerate(cells(kind, lang, lab)):
        name = grade_id(cell)
        if until and str(name).startswith("test_") and name != until:
            continue
        if cell["cell_type"] != "code" or (name is None and "speak(" not in cell["source"]):
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                run_cell(answers.get(str(name), cell["source"]), names, f"<cell {number}>")
            reports |= {name: None} if str(name).startswith("test_") else {}
        except CheckFailed as report:
            reports[str(name)] = report
        if until and name == until:
            break
    return reports
