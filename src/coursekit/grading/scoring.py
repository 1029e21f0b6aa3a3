"""The tests' side: a test cell, from the instructor's own notebook, run against a student's snapshot.

The names that the solutions define stand, in the test's namespace, for the student's functions in the snapshot. The
test cell is the one that students run in their notebooks and need not know where it is run.
"""

import ast
import builtins
import contextlib
import io
import os
import random
import re
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np

from coursekit.grading.limits import Limits
from coursekit.grading.peer import Peer
from coursekit.grading.wire import TimedOutError, WireError, receive
from coursekit.labs.own_work import OTHER_NAMES, Borrowed
from coursekit.labs.report import CheckFailed, NotStarted
from coursekit.labs.students_code import StudentLine


class CallTimedOut(KeyboardInterrupt):
    """A call of a student's function took too long; checks report it as they report an interrupted one."""


class SnapshotGone(Exception):  # noqa: N818  told to students
    """The student's process ended during a call."""


@dataclass(frozen=True)
class Item:
    """One test cell of the instructor's notebook.

    Attributes:
        grade_id: its name.
        points: what it is worth.
        source: its code.
        before: the instructor's other cells that define what it uses.
    """

    grade_id: str
    points: float
    source: str
    before: tuple[str, ...] = ()

    @property
    def visible(self) -> "Item":
        """The part of it that students have in their notebooks."""
        return replace(self, source=_HIDDEN.sub("", self.source))


ENOUGH = 0.7  # of the time: who had the processor for as long as that was not kept from it by others
LONG = 0.05  # seconds of a call before it is worth a look at what the processor does for it
_HIDDEN = re.compile(r"^[ \t]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*\n?", re.DOTALL | re.MULTILINE)


@dataclass
class Verdict:
    """How a test went.

    Attributes:
        kind: right, wrong, error (the function raised one), not_started, timeout, crash or missing (no such name).
        starved: it ran out of time without having had the processor for most of it.
        points: earned, from 0 to those of the item.
        hint: what the report says of the misconception.
        seconds: how long it took.
        outputs: of the cell, as nbformat has them.
        portrait: of a wrong sampler, see `portrait`.
    """

    kind: str
    points: float
    hint: str = ""
    seconds: float = 0
    outputs: list[dict[str, Any]] = field(default_factory=list)
    portrait: dict[str, Any] | None = None
    starved: bool = False

    @property
    def stopped(self) -> bool:
        """Whether the cell ended in an error."""
        return any(output["output_type"] == "error" for output in self.outputs)


class Student(Peer):
    """A student's snapshot, as the tests see it.

    Args:
        sock: the channel to it.
        wanted: the names that the solutions define.
        limits: for a call, and for all calls together.
        watch: called while an answer is awaited; it raises what ends the wait.
        spent: seconds that the processor has worked for the student until now.
    """

    def __init__(
        self,
        sock: socket.socket,
        wanted: Sequence[str],
        limits: Limits,
        watch: Callable[[], None] = lambda: None,
        spent: Callable[[], float] = time.process_time,
    ) -> None:
        super().__init__(sock, attributes=True)
        self.limits, self._watch, self._wanted, self._spent = limits, watch, wanted, spent
        self._ends, self._deadline, self._began = 0.0, 0.0, (0.0, 0.0)
        self._spent_before: float | None = None
        self._depth, self.failure, self.pid, self.starved = 0, "", 0, False
        self.repeat = True  # what the student's code says of itself
        self.found: dict[str, Any] = {}
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def look_up(self) -> None:
        """Put what the student has of the wanted names into the test's namespace."""
        self._ends = time.monotonic() + self.limits.test_seconds
        answer = self._guarded(lambda: self.ask({"do": "names", "names": list(self._wanted)}))
        self.pid = answer["pid"] if type(answer.get("pid")) is int else 0
        self.found = self._guarded(lambda: self.unpacked(answer))
        self.names |= self.found

    def call(self, ref: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a student's function; what it did to its arguments and to chance, it does here too."""
        return self._guarded(lambda: self._called_there(ref, args, kwargs))

    def receive(self) -> Any:
        """The next message, if it comes in time."""
        self._look()
        return receive(self.sock, self._deadline, self._wait)

    def _wait(self) -> None:
        self._look()
        self._watch()

    def _look(self) -> None:
        """Once a call takes long, note what the processor had done for the student: to ask takes milliseconds."""
        if self._spent_before is None and time.monotonic() > self._began[0] + LONG:
            self._spent_before = self._spent()

    def _called_there(self, ref: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        request = {"do": "call", "ref": ref, "args": self.encode(args), "kwargs": self.encode(kwargs)}
        answer = self.ask(request | {"given": self.encode(self._given())})
        if "after" in answer:
            replay((args, kwargs), tuple(map(self.decode, answer["after"])))
        if answer.get("random"):
            random.random()  # noqa: S311  the check sees a changed state, as it would in the notebook
        return self.unpacked(answer)

    def _given(self) -> dict[str, Any]:
        """The functions that the test has put in the place of the student's."""
        names = {name: self.names[name] for name in self._wanted if name in self.names}
        return {name: value for name, value in names.items() if value is not self.found.get(name, self)}

    def _guarded(self, action: Callable[[], Any]) -> Any:
        """Do what waits for the snapshot, within the time of one call, and remember how it failed."""
        if self.failure:
            raise SnapshotGone(self.failure)
        if not self._depth:
            self._began, self._spent_before = (time.monotonic(), time.process_time()), None
            self._deadline = min(time.monotonic() + self.limits.call_seconds, self._ends)
        self._depth += 1
        try:
            return action()
        except TimedOutError:
            self.run_out()
            raise CallTimedOut from None
        except WireError as error:
            self.failure = "crash"
            raise SnapshotGone(str(error)) from None
        finally:
            self._depth -= 1

    def run_out(self) -> None:
        """Remember that there was no time left, and whether it was for want of the processor."""
        began, own = self._began
        self.failure = "timeout"
        theirs = 0 if self._spent_before is None else self._spent() - self._spent_before
        self.starved = theirs + time.process_time() - own < ENOUGH * (time.monotonic() - began)

    def rebuilt(self, described: Any) -> BaseException:
        """The error, with the line of the student's that it arose in."""
        error = super().rebuilt(described)
        barred = {name for each in self._wanted for name in (each, *OTHER_NAMES.get(each, ()))}
        if described["type"] == Borrowed.__name__ and str(error) in barred:
            error = Borrowed(str(error))
        if isinstance(line := described.get("line"), list) and len(line) == 3:  # noqa: PLR2004  as it was sent
            name, number, text = line
            if not self.repeat and name not in self._wanted:
                return error
            error.student_line = StudentLine(str(name)[:80], int(number), str(text)[:200])  # type: ignore[attr-defined]
        return error


def _importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported there."""
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def replay(value: Any, after: Any) -> None:
    """Do to an argument what the student's function did to its copy of it.

    >>> row, grid = [1, 2], np.zeros(2)
    >>> replay((row, grid), ([2, 1], np.ones(2)))
    >>> row, grid
    ([2, 1], array([1., 1.]))
    """
    if isinstance(value, np.ndarray) and isinstance(after, np.ndarray):
        if value.shape != after.shape:
            raise ValueError(f"it changed the shape of its argument from {value.shape} to {after.shape}")
        value[...] = after
    elif isinstance(value, tuple) and isinstance(after, tuple):
        for one, other in zip(value, after, strict=True):
            replay(one, other)
    elif isinstance(value, list) and isinstance(after, list):
        value[:] = after
    elif isinstance(value, dict) and isinstance(after, dict):
        for key in value.keys() & after.keys():
            replay(value[key], after[key])
        merged = {key: value[key] if _mutable(value.get(key)) else after[key] for key in after}
        value.clear()
        value.update(merged)


def _mutable(value: Any) -> bool:
    return isinstance(value, np.ndarray | list | dict)


def score(item: Item, student: Student, lang: str, *, repeat: bool = True) -> Verdict:
    """Run a test cell against a student's snapshot.

    Unless ``repeat``, the report keeps to the instructor's words: nothing that the student's code said or gave.
    """
    began, printed, student.repeat = time.monotonic(), io.StringIO(), repeat
    try:
        with _surroundings(lang, io.StringIO()):
            for cell in item.before:
                exec(cell, student.names)  # noqa: S102  the instructor's code
        with _surroundings(lang, printed), _no_longer_than(student):
            student.look_up()
            last = _run(item, student.names)
        verdict = _passed(item, last, printed.getvalue())
    except BaseException as error:  # noqa: BLE001  a test may end in anything
        verdict = _failed(item, student, error if repeat else _in_our_words(error))
    verdict.seconds, verdict.starved = round(time.monotonic() - began, 3), student.starved
    return verdict


@contextlib.contextmanager
def _no_longer_than(student: Student) -> Iterator[None]:
    """End a test that takes longer than it may on our side: in what it gave to the student's function to be called.

    The alarm rings again: what it rings in may be a function whose errors are the student's to see, or an import (of
    torch, when the first tensor comes back), which is let through: half of a module would spoil the tests of others.
    """

    def ring(_: int, frame: FrameType | None) -> None:
        if _importing(frame):
            return
        student.run_out()
        raise CallTimedOut

    if threading.current_thread() is not threading.main_thread():  # Python hears signals in its main thread alone
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, student.limits.test_seconds + student.limits.grace_seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _surroundings(lang: str, printed: io.StringIO) -> Iterator[None]:
    """The notebook's language, the same chance each time, and no warnings, which are worth nothing."""
    own_lang, states = os.environ.get("COURSE_LANG"), (random.getstate(), np.random.get_state())  # noqa: NPY002
    os.environ["COURSE_LANG"] = lang
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002  tests may use it
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
        os.environ.pop("COURSE_LANG")
        if own_lang is not None:
            os.environ["COURSE_LANG"] = own_lang


def _run(item: Item, names: dict[str, Any]) -> Any:
    """Run the cell; what its last line gives."""
    title = f"<{item.grade_id}>"
    tree = ast.parse(item.source, title)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, title, "exec"), names)  # noqa: S102  the instructor's code
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), title, "eval"), names)  # noqa: S307


def _passed(item: Item, last: Any, printed: str) -> Verdict:
    """Full marks, or those that the cell's last line gives."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    if type(last) is not float:
        return Verdict("right", item.points, outputs=outputs)
    points = min(max(last, 0.0), item.points) if last == last else 0.0  # noqa: PLR0124  not a NaN
    data = {"data": {"text/plain": repr(points)}, "metadata": {}, "execution_count": None}
    kind = "right" if points == item.points else "wrong"
    return Verdict(kind, points, outputs=[*outputs, {"output_type": "execute_result"} | data])


def _failed(item: Item, student: Student, error: BaseException) -> Verdict:
    """No marks, and a report in place of a traceback, which would show the test."""
    hint = error.hint if isinstance(error, CheckFailed) else str(error)
    lines = error._render_traceback_() if isinstance(error, CheckFailed) else [f"{type(error).__name__}: {error}"]
    output = {"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": lines}
    return Verdict(student.failure or _kind(item, student, error), 0.0, hint, outputs=[output])


def _in_our_words(error: BaseException) -> BaseException:
    """The error without what the student's code put into it, but for which of Python's own errors it is."""
    if isinstance(error, CheckFailed):
        error.rows = tuple(row for row in error.rows if hasattr(builtins, row[1]))
        return error
    if isinstance(error, AssertionError) and not hasattr(error, "_remote_ref"):
        return error
    plain: type[BaseException] = next(
        kind for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind
    )
    return plain()


def _kind(item: Item, student: Student, error: BaseException) -> str:
    if isinstance(error, NotStarted):
        return "not_started" if item.grade_id.removeprefix("test_") in student.found else "missing"
    if isinstance(error, CheckFailed):
        return "error" if hasattr(error.__context__, "_remote_ref") else "wrong"
    return "wrong" if isinstance(error, AssertionError) else "error"
