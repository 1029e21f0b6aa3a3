"""Inside the sandbox: runs a student's cells and, where a test stands, forks a snapshot that waits to be tested.

The snapshots are asked when all cells have run and their outputs are with the grader: so no cell sees what a test
passes in, no test changes what a later cell finds, and a definition counts as it stood where its test stands. Nothing
here is trusted: a student's code can change all of it, and gains no more than to answer for itself in another way.
"""

import contextlib
import os
import pickle
import random
import signal
import socket
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.grading.limits import Limits
from coursekit.grading.peer import Peer
from coursekit.grading.shell import RecordingShell
from coursekit.grading.wire import receive, send
from coursekit.labs.students_code import line_among
from coursekit.labs.values import same


class CellTimedOut(BaseException):
    """A cell took longer than a cell may."""


def run(shell: RecordingShell, sock: socket.socket, tests: dict[str, socket.socket], *, alone: bool) -> None:
    """Do what the grader's first message lists: cells to run, and tests for which to leave a snapshot.

    ``alone`` says that /proc shows this submission's processes and no others: what a cell leaves running is ended.
    """
    task = receive(sock)
    limits = Limits(**task["limits"])
    _prepare(shell, limits, task["lang"])
    shell.recorder.hand_on = lambda output: send(sock, {"output": output})
    ours, late = {1, os.getpid()}, 0
    for step in task["steps"]:
        if "test" in step:
            ours.add(_leave_snapshot(shell, tests.pop(step["test"]), [sock, *tests.values()]))
        else:
            send(sock, {"started": step["cell"]})
            seconds, computing = limits.for_a_cell(step["late"] + late, known=step["known"])
            too_long = _run_cell(shell, step["source"], seconds, computing)
            late += too_long and not step["known"]
            if alone:
                _end_all_but(ours)
            send(sock, {"done": step["cell"], "late": too_long})
    send(sock, {"end": True})


def _prepare(shell: RecordingShell, limits: Limits, lang: str) -> None:
    os.environ["COURSE_LANG"] = lang
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002  whoever uses it gets the same each time
    shell.recorder.begin_notebook(limits)
    sys.stdout, sys.stderr = shell.stdout, shell.stderr


def _run_cell(shell: RecordingShell, source: str, seconds: float, computing: float) -> bool:
    """Run one cell; what it raises becomes an output. Whether it took too long, by the clock or the processor's."""
    late = False

    def too_long(*_: Any) -> None:
        nonlocal late
        if late:  # the other clock, a moment after the first: the cell has been told
            return
        late = True
        raise CellTimedOut("This cell ran for longer than a cell may: does a loop in it never end?")

    shell.recorder.begin_cell()
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, computing)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
    except BaseException:  # noqa: BLE001  what IPython itself lets through
        shell.showtraceback()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
    shell.recorder.flush()
    return late


def _end_all_but(ours: set[int]) -> None:
    """End what a cell has left running: it would stand in the way of the snapshots."""
    for pid in {int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()} - ours:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _leave_snapshot(shell: RecordingShell, sock: socket.socket, others: list[socket.socket]) -> int:
    """Fork a process that keeps the notebook's state as it now is, and answers the tests; its number."""
    if snapshot := os.fork():
        sock.close()
        return snapshot
    try:
        for other in others:
            other.close()
        shell.recorder.hand_on = lambda _: None
        Snapshot(sock, shell.user_ns).serve()
    except BaseException:  # noqa: BLE001, S110  the grader hears that it is gone
        pass
    finally:
        os._exit(0)


class Snapshot(Peer):
    """The student's functions as they stood at one test."""

    def __init__(self, sock: socket.socket, names: dict[str, Any]) -> None:
        super().__init__(sock, attributes=False)
        self._names = names
        self.handlers["names"] = self._asked_for_names

    def _asked_for_names(self, message: dict[str, Any]) -> dict[str, Any]:
        """Which of these names there are, with their values."""
        there = {name: self._names[name] for name in message["names"] if name in self._names}
        return {"value": self.encode(there), "pid": os.getpid()}

    def _called(self, message: dict[str, Any]) -> dict[str, Any]:
        """Call a function, and tell what else it did: to its arguments and to the global random state."""
        function = self._held(message)
        args, kwargs = self.decode(message["args"]), self.decode(message["kwargs"])
        before = _random_state()
        with self._lent(self.decode(message.get("given", {"dict": []}))), _quiet():
            value = function(*args, **kwargs)
        answer = {"value": self.encode(value), "random": _random_state() != before}
        if not same((args, kwargs), (self.decode(message["args"]), self.decode(message["kwargs"]))):
            answer["after"] = [self.encode(args), self.encode(kwargs)]
        return answer

    @contextlib.contextmanager
    def _lent(self, given: dict[str, Any]) -> Iterator[None]:
        """Put the tests' functions in the place of the student's, for the time of a call."""
        own = {name: self._names[name] for name in given if name in self._names}
        self._names.update(given)
        try:
            yield
        finally:
            for name in given:
                self._names.pop(name, None)
            self._names.update(own)

    def described(self, error: BaseException) -> dict[str, Any]:
        """The error, with the line of the student's that it arose in."""
        line = line_among(error, self._names)
        return super().described(error) | {"line": [line.function, line.number, line.text] if line else None}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _random_state() -> bytes:
    return pickle.dumps((random.getstate(), np.random.get_state()))  # noqa: NPY002  to see that nobody used it
