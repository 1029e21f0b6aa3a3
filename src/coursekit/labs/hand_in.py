"""A last look before a lab is handed in: what would be lost, and why, and the points that can be told so far.

Nothing hidden is needed: the lab as it was handed out says what belongs in it, and its visible checks are run as in
grading. What the hidden checks would say, nobody knows here.
"""

import ast
import copy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from coursekit.labs.clean_run import RUN_SECONDS, CleanRun, run_clean
from coursekit.labs.language import speak
from coursekit.labs.messages import say
from minimodel.language import LANGUAGES

State = Literal["passes", "wrong", "not_started", "unknown", "written", "blank"]


@dataclass(frozen=True)
class Task:
    """How one task stands, as far as can be told: ``worth`` points, of which it cannot earn more."""

    name: str
    state: State
    worth: float


@dataclass(frozen=True)
class Report:
    """What would be lost, what else to look at, and how each task stands."""

    lost: tuple[str, ...]
    notes: tuple[str, ...]
    tasks: tuple[Task, ...]
    seconds: float


def look_over(original: Path, place: Path) -> Report:
    """Look over the notebook that was made from ``original`` and belongs at ``place``.

    From here on the checks speak the notebook's language.

    Raises:
        FileNotFoundError: there is no notebook in that folder.
        ValueError: the notebook cannot be read.
    """
    path = _found(place)
    notebook, release = _read(path), _read(original)
    speak(notebook.metadata.get("lang") if notebook.metadata.get("lang") in LANGUAGES else release.metadata.lang)
    graded = _prepared(notebook, release)
    run = run_clean(graded, place.parent)
    lost = [*_misplaced(path, place), *_damage(notebook, release), *_asks(notebook), *_failures(graded, run)]
    lost += [say("left_behind", file=file) for file in run.left_behind]
    lost += [say("too_long", seconds=round(run.seconds), most=RUN_SECONDS)] if run.seconds > RUN_SECONDS else []
    notes = tuple(say("lies_beside", file=other.name, name=place.name) for other in _beside(path))
    return Report(tuple(dict.fromkeys(lost)), notes, tuple(_tasks(graded, release, run)), run.seconds)


def _found(place: Path) -> Path:
    """The notebook, under whatever name; the one last saved where there are several of another name."""
    if place.exists():
        return place
    others = sorted(place.parent.glob("*.ipynb"), key=lambda path: path.stat().st_mtime)
    if not others:
        raise FileNotFoundError(say("no_copy", path=place, name=place.stem))
    return others[-1]


def _read(path: Path) -> NotebookNode:
    try:
        with warnings.catch_warnings(action="ignore"):  # of cells copied with their ids, which nbformat mends
            return NotebookNode(nbformat.read(path, as_version=4))
    except Exception as error:
        raise ValueError(say("unreadable", path=path, error=f"{type(error).__name__}: {error}")) from error


def _beside(path: Path) -> list[Path]:
    return sorted(other for other in path.parent.glob("*.ipynb") if other != path)


def _misplaced(path: Path, place: Path) -> Iterator[str]:
    if path != place:
        yield say("renamed", found=path.name, name=place.name)


def _damage(notebook: NotebookNode, release: NotebookNode) -> Iterator[str]:
    """What is missing, there twice, or no longer as it was handed out."""
    for key in ("lab", "lang"):
        if notebook.metadata.get(key) != release.metadata[key]:
            yield say("notebook_metadata", name=key, expected=release.metadata[key])
    for name, cell in _marked(release):
        found = [other for other_name, other in _marked(notebook) if other_name == name]
        if not found:
            key = "test_missing" if _is_test(cell) else "answer_missing"
            yield say(key, name=_task(name), points=_points(cell), lab=release.metadata.lab)
        elif len(found) > 1:
            yield say("twice", name=name, count=len(found))
        elif _marks(found[0]) != _marks(cell):
            yield say("cell_metadata", name=name)
        elif _is_test(cell) and found[0].source != cell.source:
            yield say("test_edited", name=_task(name))


def _asks(notebook: NotebookNode) -> Iterator[str]:
    """Calls of ``input``, which nobody answers in grading."""
    for number, cell in enumerate(notebook.cells):
        calls = (node for node in _nodes(cell) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
        if any(call.func.id == "input" for call in calls):  # type: ignore[attr-defined]
            yield say("input", cell=_called(number, cell))


def _failures(notebook: NotebookNode, run: CleanRun) -> Iterator[str]:
    """The cells that stop, other than the checks, whose verdicts are the tasks'."""
    if run.stopped is not None:
        yield say(f"stopped_{run.reason}", cell=_called(run.stopped, notebook.cells[run.stopped]))
    for number, error in run.errors.items():
        cell = notebook.cells[number]
        if _is_test(cell):
            if error.ename not in ("CheckFailed", "NotStarted"):
                yield say("check_broken", name=_task(cell.metadata.nbgrader.grade_id), error=_brief(error))
        elif error.ename != "StdinNotImplementedError":
            key = "only_here" if _worked_here(cell) else "fails"
            yield say(key, cell=_called(number, cell), error=_brief(error)) + _made_below(notebook, number, error)


def _made_below(notebook: NotebookNode, number: int, error: Any) -> str:
    """Where a name is made that a cell could not find, if that is further down."""
    name = error.evalue.split("'")[1] if error.ename == "NameError" and "'" in error.evalue else None
    for below in range(number + 1, len(notebook.cells)):
        if name in _names_made(notebook.cells[below]):
            cell = _called(below, notebook.cells[below])
            return " " + say("made_below", name=name, cell=cell[0].lower() + cell[1:])  # in the middle of a sentence
    return ""


def _tasks(notebook: NotebookNode, release: NotebookNode, run: CleanRun) -> Iterator[Task]:
    numbers = {cell.metadata.get("nbgrader", {}).get("grade_id"): number for number, cell in enumerate(notebook.cells)}
    for name, cell in _marked(release):
        if cell.metadata.nbgrader.grade:
            number = numbers.get(name)
            state = _state(run, number) if _is_test(cell) else _written(notebook, number, cell)
            yield Task(_task(name), state, cell.metadata.nbgrader.points)


def _state(run: CleanRun, number: int | None) -> State:
    if number is None or not run.reached(number):
        return "unknown"
    error = run.errors.get(number)
    return "passes" if error is None else "not_started" if error.ename == "NotStarted" else "wrong"


def _written(notebook: NotebookNode, number: int | None, released: NotebookNode) -> State:
    blank = number is None or notebook.cells[number].source.strip() in ("", released.source.strip())
    return "blank" if blank else "written"


def _prepared(notebook: NotebookNode, release: NotebookNode) -> NotebookNode:
    """The notebook as grading makes it ready: each check once, as it was handed out; one that is missing comes last.

    No other cell changes its number.
    """
    graded = copy.deepcopy(notebook)
    graded.metadata.kernelspec = release.metadata.kernelspec
    tests = {name: cell for name, cell in _marked(release) if _is_test(cell)}
    cells, names = [], {name for name, _ in _marked(release)}
    for cell in graded.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        is_copy = name in names and name not in tests and _is_test(cell)
        cells.append(tests.pop(name) if name in tests else new_code_cell() if is_copy else cell)
    graded.cells = [*cells, *tests.values()]
    return graded


def _marked(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """The answers and checks of a notebook, by grade id."""
    for cell in notebook.cells:
        if name := cell.metadata.get("nbgrader", {}).get("grade_id"):
            yield name, cell


def _marks(cell: NotebookNode) -> dict[str, Any]:
    """What grading goes by; the rest of the metadata is nbgrader's own business, or Jupyter's."""
    kept = ("grade", "solution", "locked", "task", "points", "schema_version")
    return {"cell_type": cell.cell_type} | {key: cell.metadata.nbgrader.get(key) for key in kept}


def _is_test(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("grade")) and not marks.get("solution")


def _task(grade_id: str) -> str:
    return grade_id.removeprefix("test_")


def _points(cell: NotebookNode) -> str:
    return f"{cell.metadata.nbgrader.get('points', 0):g}"


def _worked_here(cell: NotebookNode) -> bool:
    return bool(cell.get("execution_count")) and all(output.output_type != "error" for output in cell.outputs)


def _called(number: int, cell: NotebookNode) -> str:
    """A cell as a student can find it: its number from the top, and how it begins."""
    first = next((line.strip() for line in cell.source.splitlines() if line.strip()), "")
    return say("cell", number=number + 1, first=first if len(first) <= 40 else f"{first[:39]}…")  # noqa: PLR2004


def _brief(error: Any) -> str:
    return f"{error.ename}: {error.evalue.splitlines()[0] if error.evalue else ''}".rstrip(": ")


def _nodes(cell: NotebookNode) -> list[ast.AST]:
    """The syntax of a code cell; nothing where it is not plain Python."""
    try:
        return list(ast.walk(ast.parse(cell.source))) if cell.cell_type == "code" else []
    except SyntaxError:
        return []


def _names_made(cell: NotebookNode) -> set[str]:
    made = {node.id for node in _nodes(cell) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return made | {node.name for node in _nodes(cell) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
