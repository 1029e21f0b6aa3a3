"""A class graded with the marks in PostgreSQL, on a real server that this test starts and ends."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook, get_alembic_version

from coursekit.grading.gradebook import gradebook_url
from coursekit.grading.record import newest_schema

from .intake.class_lab import SOURCE, released_source
from .lab import POINTS

ROOT = Path(__file__).parents[3]
LAB = "small"
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [Path(shutil.which("pg_ctl") or "/none").parent]


def test_the_version_of_the_tables_is_what_nbgrader_asks_a_program_for() -> None:
    assert newest_schema() == get_alembic_version()


@pytest.mark.parametrize("setting", ["mysql://x/y", "grading/other.db", "sqlite:///x.db"])
def test_only_postgresql_can_be_set(setting: str) -> None:
    with pytest.raises(ValueError, match="expected postgresql://"):
        gradebook_url(setting, Path("grading"))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database on a new server."""
    binaries = BINARIES[-1]
    if not (binaries / "initdb").exists():
        pytest.skip("no PostgreSQL server here: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    as_user: dict[str, str] = {}
    if os.geteuid() == 0:  # the server refuses to be root
        as_user = {"user": "nobody"}
        os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)

    def call(*command: str) -> None:
        with (folder / "log").open("a") as log:
            subprocess.run(
                [str(binaries / command[0]), *command[1:]], cwd=folder, stdout=log, stderr=log, check=True, **as_user
            )  # type: ignore[call-overload]

    data = str(folder / "data")
    (folder / "log").touch()
    (folder / "log").chmod(0o666)
    call("initdb", "-D", data, "-U", "grader", "--auth=trust", "--encoding=UTF8", "--no-sync")
    call("pg_ctl", "-D", data, "-w", "-o", f"-p {port} -k {folder} -c listen_addresses=127.0.0.1", "start")
    try:
        call("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "grader", "marks")
        yield f"postgresql://grader@127.0.0.1:{port}/marks"
    finally:
        call("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.mark.slow
def test_a_class_is_graded_into_postgresql(server: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for place, text in (("solutions/en", released_source("en")), ("grading/submitted/ada", SOURCE)):
        notebook = tmp_path / place / LAB / f"{LAB}.ipynb"
        notebook.parent.mkdir(parents=True)
        notebook.write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COURSE_GRADEBOOK": server}
    for command in ("generate_assignment", "autograde"):
        done = subprocess.run(
            ["nbgrader", command, LAB], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "grading/gradebook.db").exists()
    with Gradebook(gradebook_url(server, tmp_path)) as book:
        (work,) = book.assignment_submissions(LAB)
        assert (work.student.id, work.score) == ("ada", sum(POINTS.values()))
