"""Grade one submission: notebook in, executed notebook out, and nothing else touched.

The cells come from the submission, the tests from the instructor's notebook. The result is the submission with its
outputs, each test with the instructor's source and its verdict, and the verdicts once more as plain data in
``metadata.coursekit``: ``{"language", "items", "events", "late"}``, and in ``items`` for each grade id ``{"points",
"max", "kind", "starved", "hint", "seconds", "portrait"}``.
"""

import ast
import atexit
import contextlib
import json
import math
import os
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import nbformat
from nbformat import NotebookNode

from coursekit.grading.limits import Limits
from coursekit.grading.messages import say
from coursekit.grading.portrait import portrait
from coursekit.grading.sandbox import NO_SANDBOX, NoSandboxError, Sandbox, Submission, TooMuchMemoryError
from coursekit.grading.scoring import Item, Student, Verdict, score
from coursekit.grading.wire import TimedOutError, WireError, receive, send
from minimodel.language import LANGUAGES

Output = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What the instructor's notebook asks for.

    Attributes:
        items: its tests, in order.
        names: what its solution cells define.
        modules: what its cells import.
    """

    items: tuple[Item, ...]
    names: tuple[str, ...]
    modules: tuple[str, ...]


@dataclass
class Outcome:
    """What came of a run of a submission's cells; ``late`` are those that took too long, in whatever run."""

    outputs: dict[int, list[Output]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    late: set[int] = field(default_factory=set)


class CellFailed(Exception):  # noqa: N818  it is the student's
    """A cell took the notebook's process down with it, or had to be stopped from outside."""

    def __init__(self, cell: int, kind: str) -> None:
        super().__init__(f"cell {cell}: {kind}")
        self.cell, self.kind = cell, kind


ENDED = {
    "crash": "This cell ended Python itself: nothing after such a line can run. Was it an exit?",
    "timeout": "This cell ran for longer than a cell may and could not be stopped: does a loop in it never end?",
    "memory": "This cell used more memory than a notebook may.",
}
ENDED_ES = {
    "crash": "Esta celda acabó con Python: tras una línea así ya no se ejecuta nada. ¿Fue un exit?",
    "timeout": "Esta celda tardó demasiado y no se dejó parar: ¿contiene un bucle que nunca termina?",
    "memory": "Esta celda usó más memoria de la que puede usar un cuaderno.",
}


def execute(source_nb: str, submitted_nb: str, limits: Limits | None = None, late: Collection[int] = ()) -> str:
    """Return the submission in ``submitted_nb`` as executed, graded by the tests of the instructor's ``source_nb``.

    Both are the text of a notebook, and so is the result. The sandbox is kept warm for the next call. Cells that are
    known to be ``late``, from an earlier run, are not waited for as long again.

    Raises:
        ValueError: one of the two is no notebook.
        NoSandboxError: this machine cannot make the sandbox, and the environment does not say COURSE_NO_SANDBOX=1.
    """
    limits = limits or Limits()
    plan, submitted = read_plan(source_nb), _read(submitted_nb)
    lang = language_of(submitted)
    steps, events = _steps(plan, submitted)
    with _warm(plan) as sandbox:
        outcome = _run_all(sandbox, plan, steps, lang, limits, late=set(late))
    outcome.events[:0] = events
    text = json.dumps(_filled_in(submitted, plan, outcome, lang), ensure_ascii=False)
    return text.encode(errors="replace").decode()  # half a character, which no file could hold


@lru_cache(maxsize=16)
def read_plan(source_nb: str) -> Plan:
    """What the instructor's notebook asks for."""
    items, names, modules, others = list[Item](), list[str](), set[str](), list[str]()
    for cell in _read(source_nb).cells:
        mark = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        modules |= _imported(cell.source)
        if mark.get("grade") and not mark.get("solution"):
            before = _needed_before(cell.source, others)
            items.append(Item(mark["grade_id"], float(mark["points"]), cell.source, before))
        elif mark.get("solution"):
            names += _defined(cell.source)
        else:
            others.append(cell.source)
    return Plan(tuple(items), tuple(dict.fromkeys(names)), tuple(sorted(modules)))


def language_of(notebook: NotebookNode) -> str:
    """The language that a notebook says it is in; English where it says none of the course's."""
    lang = notebook.metadata.get("lang")
    return lang if lang in LANGUAGES else "en"


def _read(text: str) -> NotebookNode:
    try:
        notebook: NotebookNode = nbformat.reads(text, as_version=4)
    except Exception as error:
        raise ValueError(f"not a notebook: {text[:40]!r} … ({error})") from error
    return notebook


def _imported(code: str) -> set[str]:
    """The modules that a cell imports at its top level."""
    modules = set[str]()
    with contextlib.suppress(SyntaxError):
        for node in ast.parse(code).body:
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
    return modules


def _defined(code: str) -> list[str]:
    """The functions, classes and variables that a cell defines."""
    names = list[str]()
    with contextlib.suppress(SyntaxError):
        for node in ast.parse(code).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.append(node.name)
            elif isinstance(node, ast.Assign):
                targets = (each for target in node.targets for each in ast.walk(target))
                names += [target.id for target in targets if isinstance(target, ast.Name)]
    return names


def _needed_before(code: str, cells: list[str]) -> tuple[str, ...]:
    """Those of the cells that define a name which ``code`` uses and does not define, and what they need in turn."""
    needed, chosen = _used(code) - {*_defined(code), *_bound_by_imports(code)}, list[str]()
    for cell in reversed(cells):
        if needed & {*_defined(cell), *_bound_by_imports(cell)}:
            chosen.insert(0, cell)
            needed |= _used(cell)
    return tuple(chosen)


def _bound_by_imports(code: str) -> list[str]:
    """The names that the imports of a cell bind."""
    with contextlib.suppress(SyntaxError):
        imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import | ast.ImportFrom)]
        return [(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names]
    return []


def _used(code: str) -> set[str]:
    """The names that a cell reads."""
    with contextlib.suppress(SyntaxError):
        return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return set()


def _steps(plan: Plan, submitted: NotebookNode) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The submission's cells and, where its test cells stand, the tests; those that it has not come last."""
    tests = {item.grade_id for item in plan.items}
    steps, left = list[dict[str, Any]](), dict.fromkeys(item.grade_id for item in plan.items)
    for number, cell in enumerate(submitted.cells):
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in left:
            del left[grade_id]
            steps.append({"test": grade_id})
        elif cell.cell_type == "code" and grade_id not in tests:
            steps.append({"cell": number, "source": cell.source})
    steps += [{"test": grade_id} for grade_id in left]
    return steps, [{"event": "test_cell_missing", "item": grade_id} for grade_id in left]


_kept: dict[str, Any] = {}


@contextlib.contextmanager
def _warm(plan: Plan) -> Iterator[Sandbox]:
    """The sandbox of this process for this lab; one of another lab makes way."""
    key = (plan.names, plan.modules, os.environ.get(NO_SANDBOX) == "1")
    if _kept.get("key") != key:
        cool_down()
        _kept.update(key=key, sandbox=Sandbox(plan.names, plan.modules, boxed=not key[2]))
    yield _kept["sandbox"]


def cool_down() -> None:
    """End the sandbox that is kept warm."""
    if _kept:
        _kept.pop("sandbox").close()
        _kept.clear()


atexit.register(cool_down)


def _run_all(
    sandbox: Sandbox, plan: Plan, steps: list[dict[str, Any]], lang: str, limits: Limits, *, late: set[int]
) -> Outcome:
    """Run the cells, again without each that takes the others down, then the tests."""
    outcome, skipped, renewed = Outcome(late=late), set[int](), False
    while True:
        todo = [step for step in steps if step.get("cell") not in skipped]
        last = len(skipped) >= limits.restarts
        with sandbox.submission([item.grade_id for item in plan.items], limits) as submission:
            try:
                _run_cells(submission, todo, lang, limits, outcome)
            except CellFailed as failure:
                if failure.cell < 0 and renewed:
                    raise NoSandboxError(say("died_at_once")) from failure
                if failure.cell < 0:  # the sandbox itself died: it is replaced, once
                    renewed = True
                    continue
                skipped.add(failure.cell)
                outcome.outputs.setdefault(failure.cell, []).append(_ended(failure.kind, lang))
                outcome.events.append({"event": f"cell_{failure.kind}", "cell": failure.cell})
                outcome.late |= {failure.cell} if failure.kind == "timeout" else set()
                if not last:
                    continue
            _run_tests(submission, plan, lang, limits, outcome)
            return outcome


def _run_cells(submission: Submission, todo: list[dict[str, Any]], lang: str, limits: Limits, outcome: Outcome) -> None:
    """Run the cells in the notebook's process, and end it.

    Raises:
        CellFailed: a cell ended it, or would not end.
    """
    cell, room = -1, float(limits.notebook_bytes)
    cells = {step["cell"] for step in todo if "cell" in step}
    run_ends = ends = time.monotonic() + limits.run_seconds
    known = set(outcome.late)
    steps = [step | {"late": _late_before(step, known), "known": step.get("cell") in known} for step in todo]
    send(submission.notebook, {"steps": steps, "lang": lang, "limits": asdict(limits)})
    try:
        while True:
            message = receive(submission.notebook, ends, submission.watch)
            match message:
                case {"end": _}:
                    break
                case {"started": int(started)} if started in cells:
                    cells.remove(cell := int(started))
                    outcome.outputs[cell] = []
                    late = _late_before({"cell": cell}, outcome.late)
                    seconds, _ = limits.for_a_cell(late, known=cell in known)
                    ends = min(run_ends, time.monotonic() + seconds + limits.grace_seconds)
                case {"done": _, "late": True} if cell in outcome.outputs:
                    outcome.late.add(cell)
                case {"output": dict(output)} if cell in outcome.outputs and (size := _size(output)) < room:
                    room -= size
                    _add(outcome.outputs[cell], _plain(output))
    except TooMuchMemoryError:
        raise CellFailed(cell, "memory") from None
    except TimedOutError:
        raise CellFailed(cell, "timeout") from None
    except WireError:
        raise CellFailed(cell, "crash") from None
    submission.end("notebook")


def _late_before(step: dict[str, Any], late: set[int]) -> int:
    """How many of the cells that took too long stand before that of a step."""
    return sum(each < step.get("cell", 0) for each in late)


def _size(output: Output) -> float:
    """About how many characters it takes."""
    try:
        return len(str(output))
    except RecursionError:
        return math.inf


def _add(outputs: list[Output], new: list[Output]) -> None:
    """Append an output; text that goes on where the last stopped is joined to it."""
    for output in new:
        if outputs and output["output_type"] == "stream" and outputs[-1].get("name") == output["name"]:
            outputs[-1]["text"] += output["text"]
        else:
            outputs.append(output)


def _plain(output: Output) -> list[Output]:
    """The output, if it is one that nbformat knows."""
    try:
        kind = output["output_type"]
        fields = {
            "stream": ("name", "text"),
            "error": ("ename", "evalue", "traceback"),
            "display_data": ("data", "metadata"),
            "execute_result": ("data", "metadata", "execution_count"),
        }[kind]
        if kind == "stream" and not isinstance(output["text"], str):
            return []
        node = nbformat.from_dict({"output_type": kind} | {name: output[name] for name in fields})
        nbformat.validate(node, ref="output", version=4)
    except Exception:  # noqa: BLE001  forged by a student's code
        return []
    return [node]


def _run_tests(submission: Submission, plan: Plan, lang: str, limits: Limits, outcome: Outcome) -> None:
    """Run what students can see of every test, and then the hidden rest.

    Snapshots may talk to each other (by a file, a pipe): once one has seen hidden inputs, no report repeats what any
    of them says.
    """
    left = list[tuple[Item, Student, dict[str, Any] | None]]()
    for item in plan.items:
        channel = submission.tests[item.grade_id]
        student = Student(channel, plan.names, limits, submission.watch, submission.processor_seconds)
        verdict = outcome.verdicts[item.grade_id] = score(item.visible, student, lang)
        picture = portrait(item.grade_id.removeprefix("test_"), student, lang)
        if item.visible != item and not verdict.stopped:
            left.append((item, student, picture))
            continue
        _draw(verdict, picture)
        submission.end(student.pid)
    for item, student, picture in left:
        verdict = outcome.verdicts[item.grade_id] = score(item, student, lang, repeat=False)
        _draw(verdict, picture)
        submission.end(student.pid)


def _draw(verdict: Verdict, picture: dict[str, Any] | None) -> None:
    """Put the picture to a wrong sampler's verdict."""
    if verdict.kind == "wrong":
        verdict.portrait = picture


def _ended(kind: str, lang: str) -> Output:
    text = (ENDED_ES if lang == "es" else ENDED)[kind]
    return {"output_type": "error", "ename": "CellEnded", "evalue": text, "traceback": [text]}


def _filled_in(submitted: NotebookNode, plan: Plan, outcome: Outcome, lang: str) -> NotebookNode:
    """The submission with its outputs, its tests and their verdicts."""
    items = {item.grade_id: item for item in plan.items}
    for number, cell in enumerate(submitted.cells):
        if cell.cell_type == "code":
            cell.outputs = [nbformat.from_dict(output) for output in outcome.outputs.get(number, [])]
    for cell in submitted.cells:
        item = items.pop(cell.metadata.get("nbgrader", {}).get("grade_id"), None)
        if item:
            _fill_in_test(cell, item, outcome.verdicts[item.grade_id])
    for item in items.values():
        cell = nbformat.v4.new_code_cell(metadata={"nbgrader": _mark(item)}, id=item.grade_id[:64])
        _fill_in_test(cell, item, outcome.verdicts[item.grade_id])
        submitted.cells.append(cell)
    submitted.metadata["coursekit"] = {
        "language": lang,
        "items": {item.grade_id: _row(item, outcome.verdicts[item.grade_id]) for item in plan.items},
        "events": outcome.events,
        "late": sorted(outcome.late),
    }
    return submitted


def _fill_in_test(cell: NotebookNode, item: Item, verdict: Verdict) -> None:
    cell.cell_type, cell.source, cell.execution_count = "code", item.source, None
    cell.outputs = [nbformat.from_dict(output) for output in verdict.outputs]


def _mark(item: Item) -> Mapping[str, Any]:
    marks = {"grade_id": item.grade_id, "points": item.points, "cell_type": "code", "schema_version": 3}
    return marks | {"grade": True, "locked": True, "solution": False, "task": False}


def _row(item: Item, verdict: Verdict) -> dict[str, Any]:
    measured = {"points": verdict.points, "max": item.points, "kind": verdict.kind, "starved": verdict.starved}
    return measured | {"hint": verdict.hint, "seconds": verdict.seconds, "portrait": verdict.portrait}
