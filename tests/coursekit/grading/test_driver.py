"""A class through the driver: everybody marked, nothing done twice, nothing lost."""

import csv
import errno
import html.parser
import io
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from filelock import FileLock
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.server_extensions.formgrader import handlers
from rich.console import Console

from coursekit.__main__ import main
from coursekit.grading import course as course_module
from coursekit.grading import tasks
from coursekit.grading.course import Course, GradingError
from coursekit.grading.driver import Grading, Row
from coursekit.grading.feedback import write_feedback
from coursekit.grading.marks import marks_of
from coursekit.grading.report import report_data, write_report
from coursekit.grading.results import known_of
from coursekit.grading.sandbox import NO_SANDBOX
from coursekit.grading.tasks import Graded, Task, grade_apart, grade_one, run_here
from coursekit.grading.verbs import table

from .class_ import LAB, OPTIONS, grade, graded_notebook, hand_in, new_course, points
from .lab import POINTS, TESTS, notebook

FULL = {f"test_{name}": mark for name, mark in POINTS.items()}
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)></svg>"
HOSTILE = f"""
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display
for kind in (HTML, Markdown, Latex, Javascript): display(kind({ATTACK!r}))
display({{"image/svg+xml": {ATTACK!r}, "text/html": {ATTACK!r}, "text/plain": {ATTACK!r}}}, raw=True)
display({{"image/png": '"><script>alert(4)</script>'}}, raw=True)
print({ATTACK!r})
raise ValueError({ATTACK!r})
"""
CLASS = {
    "ana": notebook(lang="es"),
    "bob": notebook(half="def half(x): return 2 * x", lang="en"),
    "eva": notebook(half="def half(x): return x", lang="es"),
    "fay": notebook()[:900],
    "gus": None,
    "mal": notebook(last=HOSTILE),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, dict[str, Row]]:
    """The class, graded once, with feedback."""
    course = new_course(tmp_path_factory.mktemp("course"))
    for student, text in CLASS.items():
        hand_in(course, student, text)
    rows = grade(course)
    assert write_feedback(course, LAB) == {}
    return course, rows


def page(course: Course, student: str) -> str:
    return (course.root / f"grading/feedback/{student}/{LAB}/{LAB}.html").read_text(encoding="utf-8")


def test_everybody_has_a_mark(graded) -> None:
    course, rows = graded
    marks = points(course)
    assert rows.keys() == marks.keys() == CLASS.keys()
    assert marks["ana"] == marks["mal"] == FULL
    assert marks["bob"] == marks["eva"] == FULL | {"test_half": 0}
    assert sum(marks["gus"].values()) == 0
    assert not any(row.reason for row in rows.values())


def test_what_was_damaged_is_told(graded) -> None:
    _, rows = graded
    assert [each["kind"] for each in rows["gus"].known["repairs"]] == ["no_notebook", "empty"]
    assert rows["fay"].known["repairs"]
    assert not rows["ana"].known["repairs"]


def test_both_languages_are_one_assignment(graded) -> None:
    _, rows = graded
    assert (rows["ana"].lang, rows["bob"].lang) == ("es", "en")
    assert {name: row.known["items"]["test_half"]["hint"] for name, row in rows.items() if name in ("bob", "eva")} == {
        "bob": "Halve it.",
        "eva": "Divide entre dos.",
    }


def test_a_second_run_repeats_nothing_and_changes_nothing(graded) -> None:
    course, first = graded
    files = {path: path.stat().st_mtime_ns for path in course.root.glob("grading/[ar]*/**/*") if path.is_file()}
    second = grade(course)
    assert not any(row.ran or row.record_seconds for row in second.values())
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert {name: row.points for name, row in second.items()} == {name: row.points for name, row in first.items()}


def test_only_what_changed_is_run_again_and_gets_the_same_marks(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    hand_in(course, "ana", CLASS["ana"])
    hand_in(course, "bob", CLASS["bob"])
    before = {name: row.known["items"]["test_half"]["points"] for name, row in grade(course).items()}
    hand_in(course, "bob", notebook())
    rows = grade(course)
    assert [name for name, row in rows.items() if row.ran] == ["bob"]
    assert before == {"ana": 2, "bob": 0}
    assert points(course) == {"ana": FULL, "bob": FULL}
    course.root.joinpath("grading/gradebook.db").unlink()
    rows = grade(course)  # the results are there, the gradebook is not
    assert not any(row.ran for row in rows.values())
    assert points(course) == {"ana": FULL, "bob": FULL}


def test_a_date_or_a_penalty_set_after_grading_counts_and_nothing_is_run_again(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    for student, day in {"ana": 1, "bob": 3}.items():
        hand_in(course, student, notebook())
        stamp = course.root / f"grading/submitted/{student}/{LAB}/timestamp.txt"
        stamp.write_text(f"2026-12-0{day} 12:00:00 UTC", encoding="utf-8")
    grade(course)
    config = course.root / "nbgrader_config.py"
    config.write_text(
        config.read_text(encoding="utf-8") + "\nc.LateSubmissionPlugin.penalty_method = 'zero'\n", encoding="utf-8"
    )
    with Gradebook(course.directory.db_url) as book:
        book.update_or_create_assignment(LAB, duedate="2026-12-02 12:00:00 UTC")
        grade_of_bob = book.find_grade("test_half", LAB, LAB, "bob")
        grade_of_bob.manual_score = 1.0
        book.db.commit()

    def scores() -> dict[str, float]:
        return {row["student_id"]: row["score"] for row in marks_of(Course(tmp_path), LAB)}

    assert scores() == {"ana": 4, "bob": 3}
    rows = grade(Course(tmp_path))
    assert not any(row.ran for row in rows.values())
    assert scores() == {"ana": 4, "bob": 0}
    with Gradebook(course.directory.db_url) as book:
        book.update_or_create_assignment(LAB, duedate="2026-12-04 12:00:00 UTC")
    grade(Course(tmp_path))
    assert scores() == {"ana": 4, "bob": 3}  # the mark by hand is kept
    assert not any(row.record_seconds for row in grade(Course(tmp_path)).values())


def test_items_stand_in_the_order_of_the_lab(graded) -> None:
    course, rows = graded
    assert list(rows["bob"].known["items"]) == ["test_half", "test_twice", "test_calls"]
    assert [item["kind"] for item in rows["bob"].known["items"].values()] == ["wrong", "right", "right"]
    assert list(report_data(course, LAB)["items"]) == ["test_half", "test_twice", "test_calls"]


def test_one_that_nbgrader_refuses_does_not_stop_the_others(tmp_path: Path, monkeypatch) -> None:
    course = new_course(tmp_path)
    for student in ("ana", "bob"):
        hand_in(course, student, CLASS["ana"])
    real = SaveAutoGrades.preprocess

    def broken(self, nb, resources):
        if resources["nbgrader"]["student"] == "ana":
            raise RuntimeError("out of order")
        return real(self, nb, resources)

    monkeypatch.setattr(SaveAutoGrades, "preprocess", broken)
    rows = grade(course)
    assert "out of order" in rows["ana"].reason
    assert points(course) == {"bob": FULL}  # of ana nothing at all
    monkeypatch.undo()
    assert not any(row.reason or row.ran for row in grade(course).values())
    assert points(course) == {"ana": FULL, "bob": FULL}


def command(course: Course, *words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "coursekit", *words, "--root", str(course.root)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_killed_driver_goes_on_where_it_stopped(tmp_path: Path) -> None:
    course, students = new_course(tmp_path), [f"s{i}" for i in range(5)]
    for number, student in enumerate(students):
        hand_in(course, student, notebook(first=f"import time; time.sleep(.5)  # {number}"))
    driver = command(course, "grade", LAB, "--workers", "1")
    results = course.grading / "results" / LAB
    deadline = time.monotonic() + 240  # a machine may be busy
    while len(list(results.glob("*.json"))) < 2:
        assert time.monotonic() < deadline
        assert driver.poll() is None
        time.sleep(0.01)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    done = len(list(results.glob("*.json")))
    assert done < len(students)
    again = command(course, "grade", LAB, "--workers", "1")
    said, _ = again.communicate(timeout=300)
    assert again.returncode == 0, said
    assert f"5 of 5 graded ({5 - done} run now, 0 without a mark)" in " ".join(said.split())
    assert points(course) == dict.fromkeys(students, FULL)
    assert not list(course.grading.rglob(".*.tmp"))


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    for number in range(3):
        hand_in(course, f"s{number}", notebook(first=f"number = {number}"))
    grading = Grading(course, LAB, OPTIONS)
    tasks = [(name, grading._task(name, folder)[0]) for name, folder in grading.folders.items()]
    results, killed = {}, False
    for name, result in run_here(tasks, 1):
        results[name] = result
        if not killed:
            (worker,) = multiprocessing.active_children()
            os.kill(worker.pid, signal.SIGKILL)
            killed = True
    assert results.keys() == {"s0", "s1", "s2"}
    assert all(result.notebook for result in results.values())


def test_two_gradings_at_once_are_refused(graded, capsys) -> None:
    course, _ = graded
    with FileLock(course.grading / ".lock"):
        assert main(["grade", LAB, "--root", str(course.root)]) == 1
    assert "another grading of this course is under way" in capsys.readouterr().err


def test_a_full_disk_is_said_and_leaves_nothing_half_written(tmp_path: Path, monkeypatch) -> None:
    course = new_course(tmp_path)
    hand_in(course, "ana", CLASS["ana"])

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(course_module.os, "fsync", full)
    with pytest.raises(GradingError, match="the disk is full"):
        grade(course)
    assert not [path for path in course.grading.rglob("*") if "results" in path.parts and path.is_file()]
    monkeypatch.undo()
    grade(course)
    assert points(course) == {"ana": FULL}


def test_without_a_sandbox_it_says_so_loudly(graded, capsys) -> None:
    course, _ = graded
    assert main(["grade", LAB, "--root", str(course.root), "--no-sandbox", "--dry-run"]) == 0
    said = capsys.readouterr()
    assert "WITHOUT A SANDBOX" in said.err
    assert f"{LAB}: 6 to run" in said.out


def hidden_lines() -> set[str]:
    hidden = "\n".join(re.findall(r"BEGIN HIDDEN TESTS(.*?)### END", "".join(TESTS.values()), re.DOTALL))
    return {line.strip() for line in hidden.splitlines() if line.strip()}


def test_feedback_shows_no_hidden_line_and_speaks_the_students_language(graded) -> None:
    course, _ = graded
    assert hidden_lines()
    for student in CLASS:
        text = page(course, student).replace("&#39;", "'").replace("&#34;", '"')
        plain = re.sub(r"<[^>]+>", "", text)
        assert not [line for line in hidden_lines() if line in text or line in plain]
        assert not [word for word in ("HIDDEN", "7919", "15838") if word in plain]
    for student, said in {
        "eva": ("Divide entre dos.", "aún no es correcto"),
        "bob": ("Halve it.", "2 of 4 points"),
    }.items():
        assert not [text for text in said if text not in page(course, student)]
    assert "No llegó" in page(course, "gus") or "No notebook arrived" in page(course, "gus")


class Alive(html.parser.HTMLParser):
    """What in a page could run or fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.found += [tag] if tag in ("script", "iframe", "object", "embed", "link", "base") else []
        for name, value in attrs:
            far = name in ("src", "href", "xlink:href") and not (value or "").startswith(("#", "data:image/"))
            self.found += [f"{tag} {name}={value}"] if name.startswith("on") or far else []


def test_nothing_of_a_students_runs_in_feedback(graded) -> None:
    course, _ = graded
    assert Alive(page(course, "mal")).found == []
    assert "&lt;script&gt;alert(1)" in page(course, "mal")


def test_nothing_of_a_students_runs_in_the_formgrader(graded) -> None:
    course, _ = graded
    exporter = HTMLExporter(config=course.config, extra_template_basedirs=[handlers.template_path])
    exporter.template_name = "classic"  # the formgrader's own extends it
    path = course.root / f"grading/autograded/mal/{LAB}/{LAB}.ipynb"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["cells"].append({"cell_type": "markdown", "id": "own", "metadata": {}, "source": ATTACK})
    text, _ = exporter.from_notebook_node(nbformat.reads(json.dumps(content), as_version=4))
    assert "alert" in text
    assert not [each for each in Alive(text).found if "alert" in each]
    assert not re.search(r"<script[^>]*>[^<]*alert\(", text)


def test_stocks_own_command_writes_the_same_feedback(graded) -> None:
    course, _ = graded
    path = course.root / f"grading/feedback/mal/{LAB}/{LAB}.html"
    ours = path.read_text(encoding="utf-8")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(
        ["nbgrader", "generate_feedback", LAB, "--student=mal", "--force"],
        cwd=course.root, env=environment, check=True, capture_output=True,
    )  # fmt: skip
    assert path.read_text(encoding="utf-8") == ours


@pytest.mark.parametrize(("lang", "said"), [("en", "cell 4 ended Python"), ("es", "la celda 4 acabó con Python")])
def test_the_note_tells_what_happened_in_words(monkeypatch: pytest.MonkeyPatch, lang: str, said: str) -> None:
    monkeypatch.setenv("COURSE_LANG", lang)
    row = Row("ada", "", "en", known={"events": [{"event": "cell_crash", "cell": 3}]}, reason="[why]")
    console = Console(width=200, record=True)
    console.print(table([row]))
    shown = console.export_text()
    assert said in shown
    assert "[why]" in shown


def test_nothing_that_students_chose_commands_the_terminal() -> None:
    repairs = [{"kind": "kernel", "cell": None, "name": "\x1b]0;mine\x07\x1b[2JR"}]
    row = Row("\x1b[1Aada\u202e\udcff", "", "en", known={"repairs": repairs}, reason="\x1b[31mno\nmark")
    out = io.StringIO()
    Console(width=200, file=out).print(table([row]))
    assert {letter for letter in out.getvalue() if not letter.isprintable()} == {"\n"}
    assert "?[1Aada" in out.getvalue()


def test_a_folder_whose_name_is_no_text_is_told_and_stops_nobody(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    hand_in(course, "ana", CLASS["ana"])
    hand_in(course, os.fsdecode(b"Jos\xe9"), CLASS["ana"])
    rows = grade(course)
    assert "rename" in rows[os.fsdecode(b"Jos\xe9")].reason
    assert points(course) == {"ana": FULL}
    assert all(path.exists() for path in write_report(course, LAB))


def test_a_course_where_nbgrader_cannot_look_is_told(tmp_path: Path, capsys) -> None:
    course = new_course(tmp_path / "Sampling [2026]")
    hand_in(course, "ana", CLASS["ana"])
    assert main(["grade", LAB, "--root", str(course.root)]) == 1
    assert "rename" in capsys.readouterr().err


def test_status_export_and_report(graded, capsys) -> None:
    course, _ = graded
    for verb in ("status", "export", "report"):
        assert main([verb, LAB, "--root", str(course.root)]) == 0
    assert re.search(rf"{LAB}\D+6\D+6\D+0\D+0\D+6", capsys.readouterr().out)
    with (course.grading / f"export/{LAB}.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {name: float(row["score"]) for name, row in rows.items()} == {
        name: sum(marks.values()) for name, marks in points(course).items()
    }
    data = json.loads((course.grading / f"report/{LAB}.json").read_text(encoding="utf-8"))
    missed = data["items"]["test_half"]["misconceptions"]
    assert missed[0] == {"count": 2, "en": "Halve it.", "es": "Divide entre dos."}
    for lang, words in (("en", "Halve it."), ("es", "Divide entre dos.")):
        text = (course.grading / f"report/{LAB}.{lang}.html").read_text(encoding="utf-8")
        assert words in text
        assert Alive(text).found == []


def test_mistakes_are_said_in_a_line(graded, tmp_path: Path, capsys, monkeypatch) -> None:
    course, _ = graded
    monkeypatch.setenv("COURSE_LANG", "es")
    for words, said in {
        ("grade", "no-such"): "no hay ningún laboratorio 'no-such'",
        ("grade", LAB, "--workers", "0"): "--workers es 0",
        ("grade", LAB, "--scheduler", "tcp://127.0.0.1:9"): "",
    }.items():
        if said:
            assert main([*words, "--root", str(course.root)]) == 1
            assert said in capsys.readouterr().err
    assert main(["report", LAB, "--root", str(tmp_path)]) == 1
    assert "nbgrader_config.py" in capsys.readouterr().err


def test_a_cluster_gives_the_same_and_survives_a_workers_death(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the cluster's own package is not installed")
    course = new_course(tmp_path)
    for number in range(4):
        hand_in(course, f"s{number}", notebook(first=f"import time; time.sleep(.3)  # {number}"))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        killed: list[int] = []

        def kill_one(row: Row) -> None:
            if not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        rows = Grading(course, LAB, replace(OPTIONS, scheduler=cluster.scheduler_address)).run(kill_one)
    assert killed
    assert not any(row.reason for row in rows)
    assert points(course) == {f"s{number}": FULL for number in range(4)}


SAMPLER = "def apply_temperature(logits, tau): return logits"
TEMPERED = """
from coursekit.labs.check import check
import numpy as np
with check("apply_temperature") as call:
    call(np.array([0.0, 1.0]), 0.5).gives([0, 2], en="Divide by it.", es="Divide entre ella.")
"""


@pytest.mark.parametrize(("grade", "boxed"), [(grade_one, True), (grade_one, False), (grade_apart, True)])
def test_a_wrong_sampler_is_drawn_with_a_sandbox_and_without_and_on_a_cluster(
    grade: Callable[[Task], Graded], boxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NO_SANDBOX, "0")  # `grade_one` sets it: without one, no other test would have any
    task = Task(sampler_lab("def apply_temperature(logits, tau): return logits / tau"), sampler_lab(SAMPLER).encode())
    picture = known_of(grade(replace(task, boxed=boxed)))["items"]["test_apply_temperature"]["portrait"]
    while tasks._apart:
        tasks._apart.pop().end()
    assert len(picture["yours"]) == len(picture["right"]) == len(picture["words"])
    assert picture["yours"][0] < picture["right"][0]  # at half the temperature the likeliest gains


def sampler_lab(answer: str) -> str:
    """A lab that asks for one sampler."""
    content = json.loads(notebook())
    content["cells"] = content["cells"][:2]
    for cell, source in zip(content["cells"], (answer, TEMPERED), strict=True):
        mark = cell["metadata"]["nbgrader"]
        mark["grade_id"] = mark["grade_id"].replace("half", "apply_temperature")
        cell["source"] = source
    return json.dumps(content)


def test_a_graded_notebook_keeps_what_the_grader_found(graded) -> None:
    course, _ = graded
    known = graded_notebook(course, "bob")["metadata"]["coursekit"]
    assert known["items"]["test_half"]["kind"] == "wrong"
