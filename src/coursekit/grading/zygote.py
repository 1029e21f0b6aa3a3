"""Inside the sandbox: a Python with everything imported, from which each submission gets a process of its own.

Starting Python, IPython and matplotlib takes a second and more; forking takes milliseconds. What keeps one submission
from the next, and both from this process, is in `isolation`.
"""

import contextlib
import gc
import importlib
import io
import os
import select
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.grading import isolation
from coursekit.grading.limits import Limits
from coursekit.grading.runner import run
from coursekit.grading.shell import Recorder, RecordingShell
from coursekit.grading.wire import WireError, receive, send

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORK = "/tmp/work"  # noqa: S108  the sandbox's own


def main() -> None:
    """Get ready, say so, and fork a process for each submission until the grader is gone."""
    sock = socket.socket(fileno=int(sys.argv[1]))
    start = receive(sock)
    isolation.hide_from_others()
    shell = warm_shell(start["preload"])
    nested = start["boxed"] and _can_nest()
    send(sock, {"ready": True, "nested": nested})
    while True:
        try:
            task = receive(sock)
        except WireError:
            return
        _, fds, _, _ = socket.recv_fds(sock, 1, len(task["tests"]) + 2)
        process = os.fork()
        if process == 0:
            sock.close()
            _begin(shell, task, [socket.socket(fileno=fd) for fd in fds], boxed=start["boxed"], nested=nested)
        for fd in fds:
            os.close(fd)
        os.waitpid(process, 0)
        send(sock, {"over": True})


def warm_shell(preload: list[str]) -> RecordingShell:
    """IPython, with what most notebooks import already in memory and a first figure drawn."""
    Path(WORK).mkdir(parents=True, exist_ok=True)
    os.chdir(WORK)
    shell: RecordingShell = RecordingShell.instance(Recorder(), ipython_dir=WORK, user_ns={"__name__": "__main__"})
    for name in preload:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: BLE001  it is the notebook's to say
            traceback.print_exc()
    if "matplotlib" in sys.modules:
        _draw_once(shell)
    gc.collect()
    gc.freeze()  # what is here now is never collected: a fork that does not touch it need not copy it
    return shell


def _draw_once(shell: RecordingShell) -> None:
    import matplotlib.pyplot as plt  # noqa: PLC0415  only where it is there
    from matplotlib.figure import Figure  # noqa: PLC0415

    shell.enable_matplotlib("inline")
    if shell.display_formatter is not None:
        shell.display_formatter.formatters["image/png"].for_type(Figure, _png)
    plt.rcParams["figure.constrained_layout.use"] = True  # nothing is cut off though no figure is cropped
    figure, axes = plt.subplots()
    axes.plot([0, 1], label="$x$")
    axes.legend()
    _png(figure)
    plt.close(figure)


def _png(figure: "Figure") -> bytes:
    """The figure, drawn once: Jupyter draws each a first time only to see where to crop it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415

    picture = io.BytesIO()
    FigureCanvasAgg(figure).print_png(picture)  # type: ignore[no-untyped-call]
    return picture.getvalue()


def _can_nest() -> bool:
    """Whether a process in the sandbox can have namespaces of its own."""
    process = os.fork()
    if process == 0:
        try:
            isolation.enter_own_namespaces()
            isolation.mount_fresh_folders(Limits())
            os._exit(0)
        except OSError:
            traceback.print_exc()
            os._exit(1)
    return os.waitpid(process, 0)[1] == 0


def _begin(
    shell: RecordingShell, task: dict[str, Any], socks: list[socket.socket], *, boxed: bool, nested: bool
) -> None:
    """In the forked process: shut it in, then tend the one that runs the student's code. Does not return."""
    try:
        limits = Limits(**task["limits"])
        if nested:
            isolation.enter_own_namespaces()
        process = os.fork()  # in a new process namespace: its number 1
        if process:
            for sock in socks:
                sock.close()
            os.waitpid(process, 0)
            os._exit(0)
        isolation.open_anew({sock.fileno() for sock in socks})
        _shut_in(limits, boxed=boxed, nested=nested)
        _tend(shell, task, socks, alone=nested)
    except WireError:  # the grader has all it wants
        if not boxed:
            os.killpg(0, signal.SIGKILL)
        os._exit(0)
    except BaseException:  # noqa: BLE001  never back into the zygote's loop
        traceback.print_exc()
    finally:
        os._exit(1)


def _shut_in(limits: Limits, *, boxed: bool, nested: bool) -> None:
    isolation.hide_from_others()
    os.setsid()
    if nested:
        isolation.mount_fresh_folders(limits)
    Path(WORK).mkdir(exist_ok=True)
    os.chdir(WORK)
    isolation.limit_resources(limits, shared_user=not boxed)
    if boxed:
        isolation.give_up_privileges()
        isolation.refuse_dangerous_calls()


def _tend(shell: RecordingShell, task: dict[str, Any], socks: list[socket.socket], *, alone: bool) -> None:
    """Run the notebook in a child, tell how it ended, end what the grader says, and all of it when the grader goes."""
    control, notebook, *tests = socks
    child = os.fork()
    if child == 0:
        control.close()
        _run(shell, notebook, dict(zip(task["tests"], tests, strict=True)), alone=alone)
    for sock in (notebook, *tests):
        sock.close()
    pid_of = {"notebook": child}
    ended = os.pidfd_open(child)
    waited: list[Any] = [control, ended]
    while True:
        ready = select.select(waited, [], [], 0.5)[0]
        if ended in ready:
            waited.remove(ended)
            send(control, {"ended": True})
        if control in ready:
            pid = receive(control)["end"]
            _end(pid_of.get(pid, pid))
        _reap()


def _run(shell: RecordingShell, notebook: socket.socket, tests: dict[str, socket.socket], *, alone: bool) -> None:
    """In the student's process. Does not return."""
    isolation.hide_from_others(hidden=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run(shell, notebook, tests, alone=alone)
    finally:
        os._exit(0)


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(max(pid, 2), signal.SIGKILL)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main()
