"""Stock `nbgrader autograde` on damaged submissions: nobody stops the class, nobody is skipped, all have their marks.

One run of the whole class, because nbgrader takes seconds to start.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from coursekit.grading.intake.tidy import keeping_place, recorded

from ..lab import POINTS
from .class_lab import DAMAGES, damaged, expected_marks, honest, released_source

ROOT = Path(__file__).parents[4]
LAB = "small"
CLASS = [
    "none at all",
    "schema 99",
    "every cell pasted twice",
    "format 3",
    "empty",
    "cut off after two tasks",
    "a test no longer graded",
]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class, graded by nbgrader's own command."""
    root = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for lang in ("en", "es"):
        source = root / f"solutions/{lang}/{LAB}/{LAB}.ipynb"
        source.parent.mkdir(parents=True)
        source.write_text(released_source(lang), encoding="utf-8")
    by_id = {damage["id"]: damage for damage in DAMAGES}
    for name in CLASS:
        hand_in(root, name.replace(" ", "-"), f"{LAB}.ipynb", damaged(by_id[name]))
    hand_in(root, "misnamed", "Untitled.ipynb", json.dumps(honest()).encode())
    hand_in(root, "nothing", "essay.txt", b"x")
    hand_in(root, "bad-date", f"{LAB}.ipynb", json.dumps(honest()).encode())
    hand_in(root, "bad-date", "timestamp.txt", b"soon")
    nbgrader(root, "generate_assignment", LAB)
    nbgrader(root, "autograde", LAB)
    return root


def hand_in(root: Path, student: str, name: str, data: bytes) -> None:
    path = root / f"grading/submitted/{student}/{LAB}/{name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def nbgrader(root: Path, *command: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["nbgrader", *command], cwd=root, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_everybody_has_the_marks_of_what_could_be_saved(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/grading/gradebook.db") as book:
        marks = {
            work.student.id: {
                grade.name.removeprefix("test_"): grade.score
                for notebook in work.notebooks
                for grade in notebook.grades
            }
            for work in book.assignment_submissions(LAB)
        }
    by_id = {damage["id"]: damage for damage in DAMAGES}
    wanted = {name.replace(" ", "-"): expected_marks(by_id[name]) for name in CLASS}
    assert marks == wanted | {"misnamed": POINTS, "bad-date": POINTS, "nothing": dict.fromkeys(POINTS, 0)}


def test_what_was_handed_in_is_as_it_was(course: Path) -> None:
    by_id = {damage["id"]: damage for damage in DAMAGES}
    for name in CLASS:
        file = course / f"grading/submitted/{name.replace(' ', '-')}/{LAB}/{LAB}.ipynb"
        assert file.read_bytes() == damaged(by_id[name])


def test_every_repair_is_on_record(course: Path) -> None:
    by_id = {damage["id"]: damage for damage in DAMAGES}
    for name in CLASS:
        told = {each["kind"] for each in recorded(keeping_place(course, name.replace(" ", "-"), LAB))["notebook"]}
        assert told == set(by_id[name]["kinds"])
    kinds = [each["kind"] for each in recorded(keeping_place(course, "nothing", LAB))["folder"]]
    assert kinds == ["stray", "no_notebook"]
