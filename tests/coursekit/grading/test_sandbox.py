"""The sandbox itself: where it cannot be had it says what to do, and its second-best forms hold too."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from coursekit.grading import sandbox
from coursekit.grading.execute import cool_down, execute
from coursekit.grading.limits import Limits
from coursekit.grading.memory import descendants, memory_of_tree
from coursekit.grading.sandbox import NO_SANDBOX, NoSandboxError, Sandbox

from .lab import POINTS, marks, notebook

LOOK = "import os\nprint('LEFT', os.path.exists('/tmp/left'))\nopen('/tmp/left', 'w').write('x')"


@pytest.fixture(autouse=True)
def own_sandbox() -> None:
    cool_down()


def test_without_bubblewrap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(NoSandboxError, match=r"apt-get install bubblewrap.*Nothing was graded"):
        execute(notebook(), notebook())


def test_on_another_system_it_says_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    with pytest.raises(NoSandboxError, match="this is Darwin: grade in a container"):
        Sandbox(())


@pytest.fixture
def bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """`bubblewrap(script)`: this shell script in its place."""

    def replaced(script: str) -> None:
        (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    return replaced


def test_where_namespaces_are_forbidden_it_says_how_to_allow_them(bubblewrap: Callable[[str], None]) -> None:
    bubblewrap("echo 'No permissions to create new namespace' >&2; exit 1")
    with pytest.raises(NoSandboxError, match=r"No permissions.*apparmor_restrict_unprivileged_userns"):
        Sandbox(())


def test_all_that_the_sandbox_needs_is_tried_before_anything_is_graded(bubblewrap: Callable[[str], None]) -> None:
    bubblewrap("case $* in *--as-pid-1*) echo 'no such right' >&2; exit 1; esac")
    assert "no such right" in str(sandbox.lacking())


def test_a_sandbox_within_a_sandbox_is_forked_from() -> None:
    with Sandbox(()) as box:
        for _ in range(2):
            with box.submission([], Limits()):
                zygote = next(descendants(box.pid))
        assert box.nested
        assert next(descendants(box.pid)) == zygote


LEAVE = """
import os
for way in (lambda: open("/dev/left", "w"), lambda: os.write(1, b"LEFT"), lambda: os.write(2, b"LEFT")):
    try:
        way()
    except OSError:
        pass
for fd in (int(name) for name in os.listdir("/proc/self/fd")):
    try:
        os.lseek(fd, 15838, os.SEEK_SET)
    except OSError:
        pass
"""
FIND = """
import os
left = [os.path.exists("/dev/left")]
for fd in (int(name) for name in os.listdir("/proc/self/fd")):
    try:
        left += [os.lseek(fd, 0, os.SEEK_CUR) == 15838, b"LEFT" in os.pread(fd, 100, 0)]
    except OSError:
        pass
print("LEFT", any(left))
"""


def test_nothing_that_is_open_or_can_be_written_is_shared_with_the_next() -> None:
    execute(notebook(), notebook(first=LEAVE))
    found = json.loads(execute(notebook(), notebook(first=FIND)))
    assert found["cells"][0]["outputs"][0]["text"] == "LEFT False\n"


def test_where_namespaces_do_not_nest_each_submission_has_a_sandbox_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_SEPARATE", ["--unshare-user", "--disable-userns", *sandbox._SEPARATE])
    for _ in range(2):
        result = json.loads(execute(notebook(), notebook(first=LOOK)))
        assert marks(result) == POINTS
        assert result["cells"][0]["outputs"][0]["text"] == "LEFT False\n"
    cool_down()


def test_without_a_sandbox_tests_still_run_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(NO_SANDBOX, "1")
    mine = tmp_path / "mine"
    cheat = f"import numpy as np\nnp.allclose = lambda *a, **k: True\nopen({str(mine)!r}, 'w')"
    result = json.loads(execute(notebook(), notebook(first=cheat, half="def half(x): return 0 * x")))
    assert marks(result) == POINTS | {"half": 0}
    assert mine.exists()  # what it gives up
    cool_down()


def family_of(pid: int) -> list[int]:
    """A process and its descendants, once a submission's are among them."""
    deadline = time.monotonic() + 10
    while len(family := [pid, *descendants(pid)]) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(family) >= 5  # bubblewrap, the zygote, what waits for a submission, its process 1, the notebook
    return family


def wait_for_end(family: Iterable[int]) -> None:
    deadline = time.monotonic() + 10
    while left := [pid for pid in family if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def test_nothing_is_left_of_it() -> None:
    with Sandbox(()) as box:
        with box.submission([], Limits()):
            family = family_of(box.pid)
        folder = box._folder
    wait_for_end(family)
    assert not folder.exists()


def test_it_ends_with_the_grader() -> None:
    code = (
        "import os, time\nfrom coursekit.grading.memory import descendants\n"
        "from coursekit.grading.sandbox import Sandbox\nfrom coursekit.grading.limits import Limits\n"
        "box = Sandbox(())\nwith box.submission([], Limits()):\n"
        "    while len(list(descendants(box.pid))) < 4: time.sleep(0.02)\n"
        "    print(*descendants(os.getpid()), flush=True)\n    os.kill(os.getpid(), 9)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    family = done.stdout.split()
    assert len(family) >= 5, done.stderr
    wait_for_end([int(pid) for pid in family])


def test_memory_counts_all_descendants_once() -> None:
    fork = "os.fork() or os.fork()\nprint('+', flush=True)\ntime.sleep(60)"
    code = f"import os, time\nblock = bytes(range(256)) * 400_000\n{fork}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        family = list(descendants(process.pid))
        assert len(family) == 2
        assert memory_of_tree(process.pid, 10**12) > 200_000_000  # each on its own
        assert 60_000_000 < memory_of_tree(process.pid, 0) < 150_000_000  # what they share, once
        for pid in (process.pid, *family):
            os.kill(pid, 9)
