"""What systems hand out comes in under the right student's name, once, with nothing lost, and goes back as it came."""

import json
import os
import re
import shutil
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from coursekit.__main__ import main
from coursekit.grading.lms.collect import Collected, collect
from coursekit.grading.lms.give_back import give_back

from .course import LAB, archive, course, work

ADA, EVA = work("Ada's"), work("Eva's")
LAYOUTS: dict[str, tuple[dict[str, bytes], dict[str, str]]] = {
    "moodle, in folders": (
        {
            f"Ada Lovelace_1234567_assignsubmission_file_/{LAB}.ipynb": ADA,
            "Eva Núñez Ruiz_1234568_assignsubmission_file_/Untitled.ipynb": EVA,
        },
        {
            "ada": "Ada Lovelace_1234567_assignsubmission_file_/",
            "eva": "Eva Núñez Ruiz_1234568_assignsubmission_file_/",
        },
    ),
    "moodle, flat": (
        {
            f"Ada Lovelace_1234567_assignsubmission_file_{LAB}.ipynb": ADA,
            "Eva Núñez Ruiz_1234568_assignsubmission_file_x.ipynb": EVA,
        },
        {
            "ada": "Ada Lovelace_1234567_assignsubmission_file_/",
            "eva": "Eva Núñez Ruiz_1234568_assignsubmission_file_/",
        },
    ),
    "canvas": (
        {f"lovelaceada_12345_678901_{LAB}.ipynb": ADA, f"nunezruizeva_LATE_12346_678902_{LAB}-2.ipynb": EVA},
        {"ada": "lovelaceada_12345_678901_", "eva": "nunezruizeva_LATE_12346_678902_"},
    ),
    "blackboard": (
        {
            f"Lab 0_ada_attempt_2026-11-20-10-30-00_{LAB}.ipynb": work("an earlier attempt"),
            "Lab 0_ada_attempt_2026-11-21-10-30-00.txt": b"Name: Ada Lovelace (ada)",
            f"Lab 0_ada_attempt_2026-11-21-10-30-00_{LAB}.ipynb": ADA,
            f"Lab 0_eva_attempt_2026-11-21-09-30-00_{LAB}.ipynb": EVA,
        },
        {"ada": "Lab 0_ada_attempt_2026-11-21-10-30-00_", "eva": "Lab 0_eva_attempt_2026-11-21-09-30-00_"},
    ),
    "folders by id": (
        {f"ada/{LAB}.ipynb": ADA, "eva@example.org/my/x.ipynb": EVA},
        {"ada": "ada/", "eva": "eva@example.org/"},
    ),
    "files by name": (
        {"Lovelace, Ada.ipynb": ADA, "Eva NÚÑEZ RUIZ.ipynb": EVA},
        {"ada": "Lovelace, Ada/", "eva": "Eva NÚÑEZ RUIZ/"},
    ),
    "all in one folder": (
        {
            f"download/Ada Lovelace_1_assignsubmission_file_/{LAB}.ipynb": ADA,
            f"download/Eva Núñez Ruiz_2_assignsubmission_file_/{LAB}.ipynb": EVA,
        },
        {"ada": "Ada Lovelace_1_assignsubmission_file_/", "eva": "Eva Núñez Ruiz_2_assignsubmission_file_/"},
    ),
}


@pytest.fixture(scope="session")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that knows Ada and Eva, and a Bob of whom there are two. Making one takes nbgrader seconds."""
    path = tmp_path_factory.mktemp("grading") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        book.add_student("ada", first_name="Ada", last_name="Lovelace", email="ada@example.org")
        book.add_student("eva", first_name="Eva", last_name="Núñez Ruiz", email="eva@example.org")
        book.add_student("bob1", first_name="Bob", last_name="Smith")
        book.add_student("bob2", first_name="Bob", last_name="Smith")
    return path


@pytest.fixture
def root(tmp_path: Path, gradebook: Path) -> Path:
    """A course with that gradebook."""
    root = course(tmp_path)
    (root / "grading").mkdir()
    shutil.copy(gradebook, root / "grading")
    return root


def handed_in(root: Path, student: str) -> Path:
    return root / f"grading/submitted/{student}/{LAB}/{LAB}.ipynb"


@pytest.mark.parametrize("kind", ["zip", "folder"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout(root: Path, tmp_path: Path, layout: str, kind: str) -> None:
    files, back = LAYOUTS[layout]
    origin = archive(tmp_path / "class.zip", files)
    if kind == "folder":
        with zipfile.ZipFile(origin) as opened:
            opened.extractall(tmp_path / "class")
        origin = tmp_path / "class"
    collected = collect(root, LAB, origin)
    assert not collected.unknown
    assert [(student, what) for _, student, what, _ in collected.rows if student in ("ada", "eva")] == [
        (student, "new") for _, student, *_ in collected.rows
    ]
    assert {student: handed_in(root, student).read_bytes() for student in ("ada", "eva")} == {"ada": ADA, "eva": EVA}
    assert handed_in(root, "ada").with_name("timestamp.txt").exists()
    assert goes_back(root, tmp_path) == {f"{stem}{LAB}.html": f"for {student}" for student, stem in back.items()}


def goes_back(root: Path, tmp_path: Path) -> Mapping[str, str]:
    for student in ("ada", "eva"):
        page = root / f"grading/feedback/{student}/{LAB}/{LAB}.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"for {student}", encoding="utf-8")
    assert give_back(root, LAB, tmp_path / "back.zip") == ["ada", "eva"]
    with zipfile.ZipFile(tmp_path / "back.zip") as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_who_is_not_known_is_named_and_nobody_is_guessed(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    origin = archive(tmp_path / "class.zip", {"Bob Smith.ipynb": ADA, "Mallory.ipynb": ADA, "ada.ipynb": ADA})
    assert main(["collect", LAB, str(origin), "--root", str(root)]) == 1
    said = capsys.readouterr().out
    assert "UNKNOWN: Bob Smith" in said
    assert "UNKNOWN: Mallory" in said
    assert [path.name for path in (root / "grading/submitted").iterdir()] == ["ada"]


def test_it_speaks_spanish_too(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COURSE_LANG", "es")
    files = {"Mallory.ipynb": ADA, "ada.ipynb": ADA, "eva/work.zip": b"x"}
    assert main(["collect", LAB, str(archive(tmp_path / "class.zip", files)), "--root", str(root)]) == 1
    said = capsys.readouterr().out
    for words in ("SIN IDENTIFICAR: Mallory", "no se ha tomado: eva/work.zip", " nueva ", "Añádelos"):
        assert words in said


def test_every_column_of_the_table_says_what_it_is() -> None:
    head, _ = Collected([("Ada Lovelace", "ada", "new", 2)]).table()
    assert re.split(r"  +", head) == ["handed in by", "student", "submission", "repairs"]


@pytest.mark.parametrize("name", ["ada.ipynb", f"Lab_ada_attempt_2026-07-01-12-00-00_{LAB}.ipynb"])
def test_the_times_of_a_learning_system_are_local(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TZ", "America/Lima")  # five hours behind UTC, all the year
    time.tzset()
    try:
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as opened:
            opened.writestr(zipfile.ZipInfo(name, (2026, 7, 1, 12, 0, 0)), ADA)
        collect(root, LAB, tmp_path / "class.zip")
    finally:
        monkeypatch.undo()
        time.tzset()
    stamp = handed_in(root, "ada").with_name("timestamp.txt")
    assert stamp.read_text(encoding="utf-8") == "2026-07-01 17:00:00 UTC"


def test_without_a_roster_ids_are_made_of_the_names(tmp_path: Path) -> None:
    origin = archive(tmp_path / "class.zip", {"José Ruiz.ipynb": ADA, "ada.ipynb": EVA})
    collected = collect(course(tmp_path), LAB, origin)
    assert [row[1] for row in collected.rows] == ["jose-ruiz", "ada"]


def test_names_in_other_scripts_stay_apart(tmp_path: Path) -> None:
    files = {"李明.ipynb": ADA, "Дмитрий_12_345_lab.ipynb": EVA, "김철수.ipynb": work("mine")}
    collected = collect(course(tmp_path), LAB, archive(tmp_path / "class.zip", files))
    assert {row[1] for row in collected.rows} == {"李明", "дмитрии", "김철수"}
    assert collected.refused == []


def test_a_folder_with_names_in_another_encoding_is_collected_and_told(tmp_path: Path, capsys) -> None:
    for name in (b"Jos\xe9 Ruiz", b"ada", b"\x1b[31meva"):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/class/" + name))
        folder.mkdir(parents=True)
        (folder / f"{LAB}.ipynb").write_bytes(work(repr(name)))
    root = course(tmp_path)
    assert main(["collect", LAB, str(tmp_path / "class"), "--root", str(root)]) == 1
    said = capsys.readouterr().out
    assert "Jos\ufffd Ruiz" in said
    assert "no file can have this name" in said
    assert "\x1b" not in said
    assert handed_in(root, "jos-ruiz").exists()


def test_nothing_is_overwritten(root: Path, tmp_path: Path) -> None:
    first = collect(root, LAB, archive(tmp_path / "1.zip", {"ada.ipynb": ADA}))
    again = collect(root, LAB, archive(tmp_path / "2.zip", {"ada.ipynb": ADA}))
    newer = collect(root, LAB, archive(tmp_path / "3.zip", {"ada.ipynb": EVA}))
    assert [each.rows[0][2] for each in (first, again, newer)] == [
        "new",
        "the same as before",
        "replaces an earlier one, which is kept",
    ]
    assert handed_in(root, "ada").read_bytes() == EVA
    kept = (root / f"grading/intake/ada/{LAB}/earlier").rglob(f"{LAB}.ipynb")
    assert [path.read_bytes() for path in kept] == [ADA]


def test_damage_and_strays_are_counted_and_do_not_stop_the_others(root: Path, tmp_path: Path) -> None:
    files = {"ada/notes.docx": b"x", "ada/x.py": b"y", f"eva/{LAB}.ipynb": b"\0\xff damaged"}
    collected = collect(root, LAB, archive(tmp_path / "class.zip", files))
    assert [(row[1], row[3]) for row in collected.rows] == [("ada", 3), ("eva", 0)]
    records = json.loads((root / f"grading/intake/ada/{LAB}/repairs.json").read_text(encoding="utf-8"))
    assert [each["kind"] for each in records["folder"]] == ["stray", "stray", "no_notebook"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["collect", "07-none", "x.zip"], "there is no lab '07-none' ("),
        (["collect", LAB, "x.zip"], "x.zip is not there"),
        (["collect", LAB, "y.zip", "--es"], "y.zip no existe"),
        (["collect", LAB, "nbgrader_config.py", "--es"], "no se puede leer como archivo zip"),
        (["return", LAB, "back.zip", "--es"], "no hay comentarios sobre '00-greedy'"),
        (["collect", LAB, "nbgrader_config.py"], "cannot be read as a zip file"),
        (["return", LAB, "back.zip"], "there is no feedback on '00-greedy'"),
    ],
)
def test_mistakes_are_said_in_a_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("COURSE_LANG", "es" if "--es" in arguments else "en")
    assert main([word for word in arguments if word != "--es"]) == 1
    assert said in capsys.readouterr().err
