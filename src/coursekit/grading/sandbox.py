"""The sandbox: bubblewrap around a Python that forks a process for each submission.

Inside there are the system's programs, this Python with its packages, coursekit, and minimodel without what the lab
asks for, all read-only; empty folders in memory; no network, no other process, no environment. The instructor's
notebooks, the gradebook and the other submissions are not there to be read.
"""

import contextlib
import os
import platform
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import coursekit
from coursekit.grading import as_nobody
from coursekit.grading.limits import Limits
from coursekit.grading.mask import write_masked
from coursekit.grading.memory import memory_of_tree, processor_seconds_of_tree
from coursekit.grading.messages import say
from coursekit.grading.wire import WireError, receive, send

NO_SANDBOX = "COURSE_NO_SANDBOX"
START_SECONDS, SPAWN_SECONDS = 120, 20
COURSE = "/course"  # where minimodel and coursekit are inside
_ENVIRONMENT = {
    "HOME": "/tmp/work",  # noqa: S108
    "IPYTHONDIR": "/tmp/work/.ipython",  # noqa: S108
    "LANG": "C.UTF-8",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": "/tmp/matplotlib",  # noqa: S108
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "USER": "student",
}
_START = f"import sys; sys.path.insert(0, {COURSE!r}); from coursekit.grading.zygote import main; main()"
PRELOAD = (
    "numpy",
    "IPython",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
    "coursekit.labs.check",
    "minimodel.corpus",
    "minimodel.corpus.grammar",
    "minimodel.gpt",
    "minimodel.weights",
)


class NoSandboxError(RuntimeError):
    """No sandbox can be made on this machine. The message says what to do."""


class TooMuchMemoryError(WireError):
    """The processes of a submission took more memory together than they may."""


def lacking() -> str | None:
    """Return what this machine lacks for the sandbox and what to do; None where it has all."""
    if platform.system() != "Linux":
        return say("not_linux", system=platform.system())
    if not (bwrap := shutil.which("bwrap")):
        return say("no_bubblewrap")
    tried = subprocess.run(  # noqa: S603
        [bwrap, *_SEPARATE, "--ro-bind", "/", "/", "true"], capture_output=True, text=True, check=False
    )
    return None if tried.returncode == 0 else say("no_namespaces", error=tried.stderr.strip())


@dataclass
class Submission:
    """One submission's processes: the channels to them, and their end."""

    control: socket.socket
    notebook: socket.socket
    tests: dict[str, socket.socket]
    box: "Sandbox"
    limits: Limits
    _next_look: float = field(default=0, repr=False)

    def end(self, pid: int | str) -> None:
        """End one process: that of the notebook ("notebook"), or one by its number in the sandbox."""
        with contextlib.suppress(WireError):
            send(self.control, {"end": pid})

    def watch(self) -> None:
        """Look, now and then, at the memory of all processes together.

        Raises:
            TooMuchMemoryError: it is more than the limit; they have been ended.
        """
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + 0.05
        if (used := memory_of_tree(self.box.pid, self.limits.total_bytes)) > self.limits.total_bytes:
            self.close()
            raise TooMuchMemoryError(f"{used / 2**20:.0f} MB in use")

    def processor_seconds(self) -> float:
        """How long the processor has worked for those of its processes that run."""
        return processor_seconds_of_tree(self.box.pid)

    def close(self) -> None:
        """End all its processes."""
        for sock in (self.control, self.notebook, *self.tests.values()):
            sock.close()


class Sandbox:
    """A warm sandbox for one lab; each submission gets a process of its own in it, one at a time.

    Args:
        asked: the functions that the lab asks for, which minimodel lacks inside.
        preload: further modules that the notebooks import.
        boxed: False runs student code on this machine as it is, by the user's express wish.

    Raises:
        NoSandboxError: this machine cannot make one.
    """

    def __init__(self, asked: Collection[str], preload: Sequence[str] = (), *, boxed: bool = True) -> None:
        if boxed and (problem := lacking()):
            raise NoSandboxError(f"{problem}. {say('nothing_graded')}")
        self._asked, self._preload, self.boxed, self.nested = asked, [*PRELOAD, *preload], boxed, False
        self._folder = Path(tempfile.mkdtemp(prefix="course-grading-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._used = False
        self._lay_out()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process whose descendants are the sandbox."""
        return self._process.pid if self._process else 0

    @contextlib.contextmanager
    def submission(self, tests: Sequence[str], limits: Limits) -> Iterator[Submission]:
        """New processes for one submission, with a channel for each of ``tests``; all are ended afterwards."""
        if self._process is None or self._process.poll() is not None or (self._used and self.boxed and not self.nested):
            self._start()
        try:
            submission = self._spawn(tests, limits)
        except (WireError, OSError):  # it died a moment ago
            self._start()
            submission = self._spawn(tests, limits)
        try:
            yield submission
        finally:
            submission.close()
            self._wait_until_over()

    def close(self) -> None:
        """End the sandbox."""
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _lay_out(self) -> None:
        """Write what only the sandbox has."""
        course = self._folder / "course"
        write_masked(self._asked, course)
        shutil.copytree(
            Path(coursekit.__file__).parent, course / "coursekit", ignore=shutil.ignore_patterns("__pycache__")
        )
        (self._folder / "stage").mkdir()
        for path in (self._folder, *course.rglob("*")):
            path.chmod(path.stat().st_mode | 0o444 | (0o111 if path.is_dir() else 0))

    def _start(self) -> None:
        self._stop()
        self._sock, theirs = socket.socketpair()
        command = [
            sys.executable,
            "-sP",
            "-c",
            _START.replace(COURSE, str(self._folder / "course")),
            str(theirs.fileno()),
        ]
        if self.boxed:
            command = self._bwrap([sys.executable, "-sP", "-c", _START, str(theirs.fileno())])
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  as long as the process
        self._process = subprocess.Popen(  # noqa: S603
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
            env=_ENVIRONMENT, start_new_session=True,
        )  # fmt: skip
        theirs.close()
        try:
            send(self._sock, {"preload": self._preload, "boxed": self.boxed})
            self.nested = receive(self._sock, time.monotonic() + START_SECONDS)["nested"]
        except WireError as error:
            problem = say("sandbox_failed", error=self._logged() or say("said_nothing"))
            raise NoSandboxError(f"{problem}. {say('nothing_graded')}") from error
        self._used = False

    def _spawn(self, tests: Sequence[str], limits: Limits) -> Submission:
        pairs = [socket.socketpair() for _ in range(len(tests) + 2)]
        for ours, _ in pairs:
            ours.settimeout(limits.call_seconds)  # a student's code may ask much and never listen
        theirs = [pair[1] for pair in pairs]
        send(self._sock, {"tests": list(tests), "limits": asdict(limits)})
        socket.send_fds(self._sock, [b"+"], [sock.fileno() for sock in theirs])
        for sock in theirs:
            sock.close()
        self._used = True
        control, notebook, *channels = (pair[0] for pair in pairs)
        return Submission(control, notebook, dict(zip(tests, channels, strict=True)), self, limits)

    def _wait_until_over(self) -> None:
        """Wait until no process of the submission is left; where that takes long, end the sandbox itself."""
        try:
            receive(self._sock, time.monotonic() + SPAWN_SECONDS)
        except WireError:
            self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._sock.close()
            self._log.close()
            self._process = None

    def _logged(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace").strip()[-2000:]

    def _bwrap(self, inside: Sequence[str]) -> list[str]:
        """The command line: bubblewrap, what it shows, and the command within."""
        stage = str(self._folder / "stage") if os.getuid() == 0 else ""
        shown = _shown(self._folder / "course")
        bwrap = [str(shutil.which("bwrap")), *_SEPARATE, *_SYSTEM]
        for source, target in shown.items():
            bwrap += ["--ro-bind", stage + source, target]
        bwrap += ["--clearenv", *(word for pair in _ENVIRONMENT.items() for word in ("--setenv", *pair))]
        bwrap += ["--remount-ro", "/", "--chdir", "/", "--", *inside]
        if not stage:
            return bwrap
        return [sys.executable, "-I", str(Path(as_nobody.__file__)), stage, *shown, "--", *bwrap]


_SEPARATE = [
    "--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL",
    "--uid", "1000", "--gid", "1000",
]  # fmt: skip
# No --hostname: where a container forbids to set one, that would be the only thing that does not work.
_SYSTEM = [
    "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
    "--symlink", "usr/lib64", "/lib64", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
    "--ro-bind-try", "/etc/fonts", "/etc/fonts", "--proc", "/proc", "--dev", "/dev",
    "--tmpfs", "/tmp", "--tmpfs", "/dev/shm", "--remount-ro", "/dev",  # noqa: S108
]  # fmt: skip


def _shown(course: Path) -> dict[str, str]:
    """What of this machine is shown besides the system's programs, and where."""
    pythons = {str(Path(each).resolve()) for each in (sys.prefix, sys.base_prefix)} | {sys.prefix, sys.base_prefix}
    shown = {path: path for path in sorted(pythons) if not path.startswith("/usr")}
    shown[str(course)] = COURSE
    for package in ("minimodel", "coursekit"):  # installed as they are, they would be found beside those in COURSE
        if (installed := Path(sysconfig.get_path("purelib")) / package).is_dir():
            shown[str(course / package)] = str(installed)
    return shown
