"""Working copies: made once, kept, started over without losing work; labs/ stays as it is."""

import datetime
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from coursekit.__main__ import main
from coursekit.labs.desk import language_at_work, take_out, working_copy
from coursekit.labs.language import speak

from .student import LABS, ROOT

LAB = "02-top-k-and-top-p"
TODAY = datetime.date.today()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for lang in ("en", "es"):
        shutil.copytree(ROOT / "labs" / lang / LAB, tmp_path / "labs" / lang / LAB)
    return tmp_path


def test_a_copy_is_made_once_and_then_kept(root: Path) -> None:
    said: list[str] = []
    copy = take_out(root, "es", LAB, again=False, out=said.append)
    assert copy == root / "work/es" / LAB / f"{LAB}.ipynb"
    assert copy.read_bytes() == (root / "labs/es" / LAB / f"{LAB}.ipynb").read_bytes()
    copy.write_text("my work")
    assert take_out(root, "es", LAB, again=False, out=said.append).read_text() == "my work"
    assert len(said) == 1


def test_starting_over_keeps_the_old_notebooks_with_their_dates(root: Path) -> None:
    original = (root / "labs/en" / LAB / f"{LAB}.ipynb").read_bytes()
    for work in ("monday", "tuesday"):
        take_out(root, "en", LAB, again=True, out=lambda _: None).write_text(work)
    said: list[str] = []
    assert take_out(root, "en", LAB, again=True, out=said.append).read_bytes() == original
    kept = [root / "work/en" / f"{LAB}.{TODAY}{more}.ipynb" for more in ("", "-2")]
    assert [path.read_text() for path in kept] == ["monday", "tuesday"]
    assert str(kept[1].relative_to(root)) in said[0]
    assert [path.name for path in (root / "work/en" / LAB).iterdir()] == [f"{LAB}.ipynb"]


def test_a_copy_without_work_in_it_is_not_kept_twice(root: Path) -> None:
    for _ in range(2):
        take_out(root, "en", LAB, again=True, out=lambda _: None)
    assert [path.name for path in (root / "work/en").iterdir()] == [LAB]


def test_the_language_is_that_of_the_copy_last_saved(root: Path) -> None:
    assert language_at_work(root, LAB, None) == "en"
    take_out(root, "es", LAB, again=False, out=lambda _: None)
    assert language_at_work(root, LAB, None) == "es"
    take_out(root, "en", LAB, again=False, out=lambda _: None)
    os.utime(working_copy(root, "en", LAB), (9e9, 9e9))
    assert language_at_work(root, LAB, None) == "en"
    assert language_at_work(root, LAB, "es") == "es"


@pytest.mark.parametrize(("lang", "words"), [("en", "There is no lab 'x'"), ("es", "No hay ningún laboratorio 'x'")])
@pytest.mark.parametrize("verb", ["lab", "check"])
def test_an_unknown_name_lists_the_labs(verb: str, lang: str, words: str, capsys: Any) -> None:
    assert main([verb, "x", "--root", str(ROOT), "--lang", lang]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert all(f"\n  {lab}\n" in said for lab in LABS)


@pytest.mark.parametrize("verb", ["lab", "check"])
def test_without_a_name_the_labs_are_listed(verb: str, capsys: Any) -> None:
    assert main([verb, "--root", str(ROOT)]) == 0
    assert all(f"\n  {lab}\n" in capsys.readouterr().out for lab in LABS[:1])


def test_lab_opens_the_copy_in_its_own_folder(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    runs: list[tuple[list[str], Path]] = []

    def execv(_: str, command: list[str]) -> None:
        runs.append((command[1:], Path.cwd()))
        raise SystemExit

    monkeypatch.chdir(root)
    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setenv("COURSE_LANG", "es")
    with pytest.raises(SystemExit):
        main(["lab", LAB, "--root", str(root)])
    assert runs == [(["-m", "jupyterlab", "--log-level=ERROR", f"{LAB}.ipynb"], root / "work/es" / LAB)]
    assert "Abriendo" in capsys.readouterr().out


def test_check_without_a_copy_says_how_to_get_one(root: Path, capsys: Any) -> None:
    speak("en")
    assert main(["check", LAB, "--root", str(root), "--lang", "en"]) == 1
    assert f"make lab NAME={LAB}" in capsys.readouterr().err


def test_check_without_a_copy_says_how_to_get_the_spanish_one(root: Path, capsys: Any) -> None:
    assert main(["check", LAB, "--root", str(root), "--lang", "es"]) == 1
    assert capsys.readouterr().err.rstrip().endswith(f"make lab NAME={LAB} COURSE_LANG=es")
