"""The one task of grading a class, and who does it: worker processes of this machine, or a Dask cluster.

The task is pure: the text of two notebooks and the limits go in, the executed notebook comes out. It needs no shared
disk and no database, and may be done again wherever a worker was lost.
"""

import contextlib
import hashlib
import json
import multiprocessing
import os
import resource
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, cast

import coursekit
import minimodel
from coursekit.grading.execute import execute
from coursekit.grading.intake import Normalised, Repair, normalise
from coursekit.grading.limits import MIB, Limits
from coursekit.grading.messages import say
from coursekit.grading.sandbox import NO_SANDBOX, NoSandboxError
from coursekit.grading.structure import fingerprints

ATTEMPTS = 3  # at a task whose worker is lost each time
KEY = 32  # characters of a task's key
TESTS_BYTES = 4096 * MIB  # of memory, for a worker itself
_PROCESSES = multiprocessing.get_context("forkserver")  # imports once, in a process without threads, for all workers
_PROCESSES.set_forkserver_preload(["coursekit.grading.tasks"])
_one_at_a_time = threading.Lock()  # a Dask worker may have many threads, `execute` has one sandbox


@dataclass(frozen=True)
class Task:
    """A submission to grade.

    Attributes:
        source: the instructor's notebook.
        submitted: the student's, as it was handed in.
        repairs: what was put right already, to be told with the rest.
        limits: what it may use.
        boxed: False to run it without a sandbox.
    """

    source: str
    submitted: bytes
    repairs: tuple[Repair, ...] = ()
    limits: Limits = field(default_factory=Limits)
    boxed: bool = True

    @property
    def key(self) -> str:
        """The hash of all that the result depends on, the grader itself included."""
        told = [each.as_data() for each in self.repairs]
        rest = json.dumps([grader_version(), self.source, told, asdict(self.limits), self.boxed])
        return hashlib.sha256(rest.encode() + self.submitted).hexdigest()[:KEY]


@dataclass(frozen=True)
class Graded:
    """What came of a task.

    Attributes:
        notebook: as executed and graded, None where that could not be done.
        reason: why it could not.
        seconds: how long it took.
        final: whether another try would give the same.
    """

    notebook: str | None
    reason: str = ""
    seconds: float = 0
    final: bool = True


def grader_version() -> str:
    """The hash of the code that grades."""
    if not _version:
        digest = hashlib.sha256()
        for package in (coursekit, minimodel):
            folder = Path(str(package.__file__)).parent
            for path in sorted(folder.rglob("*.py")):
                if path.relative_to(folder).parts[0] != "site":
                    digest.update(path.read_bytes())
        _version.append(digest.hexdigest())
    return _version[0]


_version: list[str] = []


def grade_one(task: Task) -> Graded:
    """Do a task.

    Raises:
        NoSandboxError: this machine cannot make the sandbox.
    """
    with _one_at_a_time:
        began = time.monotonic()
        os.environ[NO_SANDBOX] = "0" if task.boxed else "1"
        try:
            gradable = _normalised(task)
            notebook = execute(task.source, gradable.notebook_text, task.limits)
            if (found := json.loads(notebook)["metadata"]["coursekit"]) and _cut_short(found):  # is the machine busy?
                notebook = execute(task.source, gradable.notebook_text, _patient(task.limits), found["late"])
            return Graded(_described(notebook, task, gradable), seconds=round(time.monotonic() - began, 3))
        except NoSandboxError:
            raise
        except Exception as error:  # noqa: BLE001  one submission never stops the class
            return Graded(None, f"{type(error).__name__}: {error}"[:300], final=False)


def _cut_short(found: Mapping[str, Any]) -> bool:
    """Whether a test ended without an answer, for which there may be other reasons than the student's function."""
    return any(item["kind"] == "crash" or item["starved"] for item in found["items"].values())


def _patient(limits: Limits) -> Limits:
    return replace(limits, call_seconds=3 * limits.call_seconds, test_seconds=3 * limits.test_seconds)


def _normalised(task: Task) -> Normalised:
    """The submission as something that can be graded; the lab's blank where there is nothing of one."""
    normalised = normalise(task.source, task.submitted)
    return Normalised(normalised.notebook_text, (*task.repairs, *normalised.repairs))


def _described(notebook: str, task: Task, normalised: Normalised) -> str:
    """The executed notebook, which also tells of repairs and of its structure."""
    content = json.loads(notebook)
    told = [repair.as_data() for repair in normalised.repairs]
    more = {"repairs": told, "refused": normalised.refusal is not None}
    structure = fingerprints(content, json.loads(task.source))
    content["metadata"]["coursekit"] |= more | {"structure": structure}
    return json.dumps(content, ensure_ascii=False)


def get_ready() -> None:
    """Begin to import what the worker processes need, beside whatever is done meanwhile."""
    forkserver.ensure_running()


def run_here(tasks: Iterable[tuple[str, Task]], workers: int) -> Iterator[tuple[str, Graded]]:
    """Do named tasks by ``workers`` processes of this machine; results come as they are ready.

    Raises:
        NoSandboxError: this machine cannot make the sandbox.
    """
    todo, busy = iter(tasks), dict[Connection, tuple[_Worker, str, Task, int]]()

    def give(worker: _Worker, work: tuple[str, Task, int]) -> None:
        busy[worker.pipe] = (worker, *work)
        worker.give(work[1])

    try:
        for name, task in todo:
            give(_Worker(), (name, task, 1))
            if len(busy) == workers:
                break
        while busy:
            soonest = min(worker.seconds_left for worker, *_ in busy.values())
            for pipe in wait(list(busy), soonest) or [pipe for pipe in busy if not busy[pipe][0].seconds_left]:
                worker, name, task, attempt = busy.pop(cast("Connection", pipe))
                answer = worker.answer()
                if answer is None and attempt < ATTEMPTS:
                    give(_Worker(), (name, task, attempt + 1))
                    continue
                if following := next(todo, None):
                    give(_Worker() if worker.ended else worker, (*following, 1))
                elif not worker.ended:
                    worker.end()
                yield name, answer or lost()
    finally:
        for worker, *_ in busy.values():
            worker.end()


def lost() -> Graded:
    """The result of a task whose workers were lost again and again."""
    return Graded(None, say("worker_lost", times=ATTEMPTS), final=False)


class _Worker:
    """A process that does one task after another, and ends when the driver does."""

    def __init__(self) -> None:
        self.pipe, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_serve, args=(theirs,))
        self._process.start()
        self._ends = 0.0
        theirs.close()

    @property
    def ended(self) -> bool:
        """Whether it can be given nothing more."""
        return self.pipe.closed

    @property
    def seconds_left(self) -> float:
        """For the task that it was given."""
        return max(0.0, self._ends - time.monotonic())

    def give(self, task: Task) -> None:
        """Let it do a task."""
        self._ends = time.monotonic() + task.limits.task_seconds
        with contextlib.suppress(OSError):  # it is gone, as its answer will tell
            self.pipe.send(task)

    def answer(self) -> Graded | None:
        """The result, if it comes in time; None where the process was killed.

        Raises:
            NoSandboxError: that was the result.
        """
        try:
            if not self.pipe.poll(self.seconds_left):
                self.end()
                return Graded(None, say("overdue"), final=False)
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self.end()
            return None
        if isinstance(answer, NoSandboxError):
            self.end()
            raise answer
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """In the worker: do tasks until the driver is gone.

    What tests give to a student's function may be called with arguments that take much memory here: an error for it.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (TESTS_BYTES, TESTS_BYTES))
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            task = pipe.recv()
            try:
                pipe.send(grade_one(task))
            except NoSandboxError as error:
                pipe.send(error)


def grade_apart(task: Task) -> Graded:
    """Do a task in a process beside a Dask worker's.

    In a Dask worker other threads draw from the global random state all the time, and the checks would take that for
    the student's doing.

    Raises:
        NoSandboxError: this machine cannot make the sandbox.
    """
    with _one_at_a_time:
        multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # a nanny's may have no child
        for _ in range(ATTEMPTS):
            worker = _apart.pop() if _apart else _Worker()
            worker.give(task)
            answer = worker.answer()
            if not worker.ended:
                _apart.append(worker)
            if answer:
                return answer
        return lost()


_apart: list[_Worker] = []


def run_on_cluster(tasks: Iterable[tuple[str, Task]], address: str) -> Iterator[tuple[str, Graded]]:
    """Do named tasks on the Dask cluster whose scheduler is at ``address``; results come as they are ready.

    Raises:
        OSError: there is no scheduler.
        NoSandboxError: a worker cannot make the sandbox.
    """
    from distributed import Client, as_completed  # noqa: PLC0415  half a second, and only this needs it

    with Client(address, timeout="10s") as client:
        ahead = 2 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        todo, names, results = iter(tasks), dict[str, str](), as_completed()

        def submit_next() -> None:
            if following := next(todo, None):
                future = client.submit(grade_apart, following[1], pure=False, retries=ATTEMPTS - 1)
                names[future.key] = following[0]
                results.add(future)

        for _ in range(ahead):
            submit_next()
        for future in results:
            error = future.exception()
            if isinstance(error, NoSandboxError):
                raise error
            yield names.pop(future.key), Graded(None, f"{error}"[:300], final=False) if error else future.result()
            submit_next()
