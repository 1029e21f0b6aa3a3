"""nbgrader's collect, with what students may put into the exchange: nobody stops the class or hands in another's."""

import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from traitlets.config import Config

from coursekit.grading.course import Course
from coursekit.grading.driver import Grading
from coursekit.grading.intake import exchange
from coursekit.grading.intake.exchange import CarefulCollect
from coursekit.grading.intake.repair import Repair
from coursekit.grading.intake.tidy import keeping_place, recorded

from ..class_ import LAB, new_course
from ..lab import notebook

FIRST, LATER = "2026-11-21 10:00:00.000000 UTC", "2026-11-22 10:00:00.000000 UTC"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course, and beside it an exchange where nothing is handed in yet."""
    course = new_course(tmp_path / "course")
    (tmp_path / "exchange" / course.directory.course_id / "inbound").mkdir(parents=True)
    return course


def inbound(course: Course) -> Path:
    return course.root.parent / "exchange" / course.directory.course_id / "inbound"


def submitted(course: Course, student: str, when: str = FIRST, text: str | None = None) -> Path:
    """What `nbgrader submit` leaves in the exchange; its folder."""
    folder = inbound(course) / f"{student}+{LAB}+{when}+{os.urandom(4).hex()}"
    folder.mkdir()
    (folder / f"{LAB}.ipynb").write_text(text or notebook(), encoding="utf-8")
    (folder / "timestamp.txt").write_text(when, encoding="utf-8")
    return folder


def collect(course: Course, **options: Any) -> None:
    """What `nbgrader collect` does with the course's configuration."""
    config = Config(course.config)
    config.Exchange.root = str(course.root.parent / "exchange")
    directory = CourseDirectory(config=config, assignment_id=LAB)
    collector = ExchangeFactory(config=config).collect
    assert collector is CarefulCollect
    collector(coursedir=directory, authenticator=Authenticator(config=config), config=config, **options).start()


def collected(course: Course) -> dict[str, str]:
    """By student, the notebook that came in."""
    found = (course.root / "grading/submitted").glob(f"*/{LAB}/{LAB}.ipynb")
    return {path.parts[-3]: path.read_text(encoding="utf-8") for path in found}


def kinds(course: Course, student: str) -> list[str]:
    return [each["kind"] for each in recorded(keeping_place(course.root, student, LAB))["folder"]]


def test_what_was_handed_in_comes_in_with_its_date(course: Course) -> None:
    submitted(course, "ada")
    submitted(course, "a+b", text=notebook(lang="es"))
    collect(course)
    assert collected(course) == {"ada": notebook(), "a+b": notebook(lang="es")}
    stamp = course.root / f"grading/submitted/ada/{LAB}/timestamp.txt"
    assert stamp.read_text(encoding="utf-8") == FIRST


def test_only_on_request_does_a_newer_one_count_and_the_earlier_is_kept(course: Course) -> None:
    newer = notebook(half="def half(x): return x * 0.5")
    submitted(course, "ada")
    collect(course)
    submitted(course, "ada", LATER, newer)
    collect(course)
    assert collected(course) == {"ada": notebook()}
    collect(course, update=True)
    assert collected(course) == {"ada": newer}
    collect(course, update=True)
    kept = list((keeping_place(course.root, "ada", LAB) / "earlier").rglob(f"{LAB}.ipynb"))
    assert [path.read_text(encoding="utf-8") for path in kept] == [notebook()]


def test_links_are_set_aside_and_lead_nowhere(course: Course, tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    solution = tmp_path / "secrets/solution.ipynb"
    solution.write_text(notebook(half="TOP_SECRET = 1"), encoding="utf-8")
    folder = submitted(course, "mallory")
    (folder / f"{LAB}.ipynb").unlink()
    (folder / f"{LAB}.ipynb").symlink_to(solution)
    (folder / "all").symlink_to(tmp_path / "secrets")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints/x").symlink_to(solution)
    collect(course)
    files = [path for path in (course.root / "grading").rglob("*.ipynb") if not path.is_symlink()]
    assert files
    assert not [path for path in files if "TOP_SECRET" in path.read_text(encoding="utf-8")]
    assert {"link", "no_notebook"} <= set(kinds(course, "mallory"))
    left = [path for path in (course.root / "grading").rglob("*") if path.is_symlink()]
    assert all("aside" in path.parts for path in left)


@pytest.mark.parametrize(
    "name",
    [f"eva+{LAB}+soon+1", f"eva+{LAB}+", f"..+{LAB}+{FIRST}+1", f"+{LAB}+{FIRST}+1", f"eva+{LAB}+9999999999-99-99+1"],
)
def test_what_is_no_submission_is_said_and_the_class_comes_in(
    course: Course, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    submitted(course, "ada")
    (inbound(course) / name).mkdir()
    collect(course)
    assert collected(course).keys() == {"ada"}
    assert [path.name for path in (course.root / "grading/submitted").iterdir()] == ["ada"]


def test_a_submission_that_is_a_link_to_anothers_is_not_taken(course: Course) -> None:
    others = submitted(course, "ada")
    (inbound(course) / f"mallory+{LAB}+{LATER}+1").symlink_to(others)
    collect(course)
    assert collected(course).keys() == {"ada"}


def test_what_cannot_be_read_stops_nobody(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted(course, "ada")
    folder = submitted(course, "eva")
    os.mkfifo(folder / "pipe")  # who opens it waits for ever
    (folder / "locked.txt").write_text("", encoding="utf-8")
    submitted(course, "huge")
    copy = shutil.copy2

    def guarded(source: Path, *rest: Any, **more: Any) -> Any:
        if Path(source).name == "locked.txt":
            raise PermissionError(13, "Permission denied")
        return copy(source, *rest, **more)

    real = exchange.ExchangeCollect.do_copy

    def limited(self: Any, source: str, target: str, log: Any = None) -> None:
        if "huge" in target:
            raise RuntimeError("Directory size is too big")
        real(self, source, target, log)

    monkeypatch.setattr(exchange.shutil, "copy2", guarded)
    monkeypatch.setattr(exchange.ExchangeCollect, "do_copy", limited)
    collect(course)
    texts = collected(course)
    assert texts.keys() == {"ada", "eva", "huge"}
    assert texts["ada"] == texts["eva"] == notebook()
    assert "no_notebook" in kinds(course, "huge")


def test_a_date_that_is_none_is_put_right_when_something_newer_comes(course: Course) -> None:
    submitted(course, "ada")
    collect(course)
    stamp = course.root / f"grading/submitted/ada/{LAB}/timestamp.txt"
    stamp.write_text("soon", encoding="utf-8")
    os.utime(stamp.with_name(f"{LAB}.ipynb"), (0, 0))  # whose date is taken: long before the newer one
    submitted(course, "ada", LATER)
    collect(course, update=True)
    assert stamp.read_text(encoding="utf-8") == LATER


def filed_by(monkeypatch: pytest.MonkeyPatch, accounts: dict[Path, str | None]) -> None:
    """A machine on which these accounts own these submissions, and no account at all where it says None."""
    names = dict(enumerate(accounts.values(), 70_001))
    uids = {path.name: uid for uid, path in zip(names, accounts, strict=True)}

    def getpwuid(uid: int) -> Any:
        if names[uid] is None:
            raise KeyError(uid)
        return SimpleNamespace(pw_name=names[uid])

    monkeypatch.setattr(exchange, "_owner", lambda path: uids.get(path.name, os.getuid()))
    monkeypatch.setattr(exchange.pwd, "getpwuid", getpwuid)


@pytest.mark.parametrize(
    ("account", "told"), [("mallory", True), ("ada", False), (None, False)]
)  # None: in a container, users have no account on this machine
def test_who_filed_under_anothers_name_is_told(
    course: Course, monkeypatch: pytest.MonkeyPatch, account: str | None, told: bool
) -> None:
    filed_by(monkeypatch, {submitted(course, "ada"): account})
    collect(course)
    assert collected(course) == {"ada": notebook()}
    task, _ = Grading(course, LAB)._task("ada", course.handed_in(LAB)["ada"])
    assert list(task.repairs) == [Repair("other_account", details={"owner": "mallory"})] * told


def test_ones_own_submission_goes_before_what_another_filed(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    own, forged = submitted(course, "ada"), submitted(course, "ada", LATER, notebook(half="def half(x): pass"))
    filed_by(monkeypatch, {own: "ada", forged: "mallory"})
    collect(course)
    assert collected(course) == {"ada": notebook()}
    assert kinds(course, "ada") == []


def test_what_the_instructor_files_for_a_student_is_told_nobody(course: Course) -> None:
    submitted(course, "ada")
    submitted(course, "ada", LATER, newer := notebook(half="def half(x): return x * 0.5"))
    collect(course)
    assert collected(course) == {"ada": newer}
    assert kinds(course, "ada") == []
