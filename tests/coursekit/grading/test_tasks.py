"""The task's key, and the structure of code."""

import json
import multiprocessing
import string
import subprocess
import sys
import time
from collections.abc import Collection
from dataclasses import replace

import pytest

from coursekit.grading import tasks
from coursekit.grading.intake import Repair
from coursekit.grading.limits import Limits
from coursekit.grading.messages import CATALOGUE, say
from coursekit.grading.sandbox import NoSandboxError
from coursekit.grading.structure import similar, winnowed
from coursekit.grading.tasks import Graded, Task, grade_apart, grade_one, run_here

from ..labs.student import GALLERY
from .lab import POINTS, marks, notebook

TASK = Task("source", b"submitted")


def test_a_grader_starts_without_the_grammar_of_web_addresses() -> None:
    asked = "import sys, coursekit.grading.tasks as _; print(sorted(name for name in sys.modules if name == 'lark'))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_key_depends_on_all_that_the_result_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [
        replace(TASK, source="other"),
        replace(TASK, submitted=b"other"),
        replace(TASK, repairs=(Repair("empty"),)),
        replace(TASK, limits=Limits(cell_seconds=1)),
        replace(TASK, boxed=False),
    ]
    assert TASK.key == Task("source", b"submitted").key
    assert len({TASK.key, *(task.key for task in others)}) == 6
    key = TASK.key
    monkeypatch.setattr("coursekit.grading.tasks.grader_version", lambda: "a newer one")
    assert TASK.key != key


@pytest.mark.parametrize(
    ("kind", "starved", "tries"),
    [("timeout", True, 2), ("crash", False, 2), ("timeout", False, 1), ("wrong", False, 1)],
)
def test_what_was_cut_short_is_tried_once_more_with_more_time(
    monkeypatch: pytest.MonkeyPatch, kind: str, starved: bool, tries: int
) -> None:
    given = []

    def busy(_: str, __: str, limits: Limits, late: Collection[int] = ()) -> str:
        given.append((limits.call_seconds, list(late)))
        item = {"kind": kind, "starved": starved} if len(given) == 1 else {"kind": "right", "starved": False}
        found = {"items": {"test_half": item}, "late": [7]}
        return json.dumps({"cells": [], "metadata": {"coursekit": found}})

    monkeypatch.setattr("coursekit.grading.tasks.execute", busy)
    graded = grade_one(Task(notebook(), notebook().encode()))
    assert ('"right"' in str(graded.notebook)) == (tries == 2)
    assert given == [(Limits().call_seconds, []), (3 * Limits().call_seconds, [7])][:tries]


def test_a_task_that_comes_to_no_end_is_ended_and_the_rest_is_graded() -> None:
    asleep = notebook(first="import time; time.sleep(60)")
    tasks = {
        "endless": Task(notebook(), asleep.encode(), limits=Limits(task_seconds=1, cell_seconds=100)),
        "honest": Task(notebook(), notebook().encode()),
    }
    graded = dict(run_here(tasks.items(), 1))
    assert graded["endless"] == Graded(None, say("overdue"), final=False)
    assert marks(json.loads(graded["honest"].notebook or "")) == POINTS


def test_what_tests_lend_cannot_take_the_memory_of_the_grader() -> None:
    source = notebook().replace("eos_id = 0", r"eos_id = 0\n    def room(self, n): return len(bytearray(n))")
    taking = """
def calls(model, n):
    try:
        model.room(5 * 2**30)
    except MemoryError:
        return [model(i) for i in range(n)]
"""
    ((_, graded),) = run_here([("taking", Task(source, notebook(calls=taking).encode()))], 1)
    assert marks(json.loads(graded.notebook or "")) == POINTS


@pytest.mark.parametrize(("losses", "done"), [(0, True), (2, True), (3, False)])
def test_on_a_cluster_too_a_lost_process_is_replaced(monkeypatch: pytest.MonkeyPatch, losses: int, done: bool) -> None:
    answers = [None] * losses + [Graded("notebook")]

    class Fleeting:
        ended = False

        def give(self, _: Task) -> None: ...

        def answer(self) -> Graded | None:
            answer = answers.pop(0)
            self.ended = answer is None
            return answer

    monkeypatch.setattr("coursekit.grading.tasks._Worker", Fleeting)
    monkeypatch.setattr("coursekit.grading.tasks._apart", [])
    assert (grade_apart(TASK).notebook == "notebook") == done


def test_a_worker_that_has_no_sandbox_is_ended_and_the_driver_can_end() -> None:
    worker, (ours, theirs) = tasks._Worker(), multiprocessing.Pipe()
    worker._ends = time.monotonic() + 20
    asked, worker.pipe = worker.pipe, ours
    theirs.send(NoSandboxError("no namespaces"))
    with pytest.raises(NoSandboxError, match="no namespaces"):
        worker.answer()
    worker._process.join(20)  # as Python does for every process, before it ends
    code = worker._process.exitcode
    asked.close()  # so that it ends in any case
    assert code is not None


def answers(lab: str) -> list[str]:
    return [each["code"] for each in GALLERY[lab]["wrong"]]


def test_copies_are_found_under_other_names_and_independent_work_is_not() -> None:
    marks = {f"s{i}": sorted(set(winnowed(code))) for i, code in enumerate(answers("00-greedy"))}
    original = "\n".join(answers("02-top-k-and-top-p")[:6])
    disguised = original.replace("logits", "zz").replace("order", "o") + "\n# mine\n"
    assert disguised != original
    class_ = marks | {"ana": sorted(set(winnowed(original))), "bob": sorted(set(winnowed(disguised)))}
    found = similar(class_)
    assert found[0] == ("ana", "bob", 1)
    assert not [pair for pair in found[1:] if {"ana", "bob"} & {*pair[:2]}]


def test_what_everybody_has_is_no_likeness() -> None:
    common = list(range(100))
    class_ = {f"s{i}": [*common, *range(1000 * (i + 1), 1000 * (i + 1) + 40)] for i in range(20)}
    assert similar(class_) == []
    class_["s1"] = class_["s0"]
    assert [pair[:2] for pair in similar(class_)] == [("s0", "s1")]


def test_code_that_does_not_parse_has_no_structure() -> None:
    assert list(winnowed("def f(:")) == []


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_text_is_there_in_both_languages_with_the_same_values(key: str) -> None:
    fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in CATALOGUE[key].values()]
    assert CATALOGUE[key].keys() == {"en", "es"}
    assert fields[0] == fields[1]
