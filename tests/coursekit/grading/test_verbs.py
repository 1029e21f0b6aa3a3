"""What the verbs of grading show on a terminal of the usual width can be read in full."""

from pathlib import Path

import pytest
from rich.console import Console

from coursekit.__main__ import main
from coursekit.grading.driver import Row
from coursekit.grading.messages import say
from coursekit.grading.verbs import table
from minimodel.language import LANGUAGES

from .class_ import new_course

LONGEST_LAB = "03-diversity-vs-accuracy"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_heading_of_status_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, lang: str) -> None:
    monkeypatch.setenv("COURSE_LANG", lang)
    monkeypatch.setenv("COLUMNS", "80")
    new_course(tmp_path)
    notebook = tmp_path / f"solutions/en/{LONGEST_LAB}/{LONGEST_LAB}.ipynb"
    notebook.parent.mkdir()
    notebook.write_text("{}")
    assert main(["status", "--root", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    headings = " ".join(say(name) for name in ("lab", "handed_in", "graded", "changed", "by_hand", "with_feedback"))
    assert [word for word in [LONGEST_LAB, *headings.split()] if word not in shown] == []


def test_a_long_name_in_a_note_is_shown_in_full() -> None:
    name = f"{'ada.lovelace' * 4}@example.org.ipynb"
    row = Row("ada", "", "en", known={"repairs": [{"kind": "renamed", "cell": None, "name": name}]})
    console = Console(width=80, record=True)
    console.print(table([row]))
    notes = [line.split("│")[6].strip() for line in console.export_text().splitlines() if line.startswith("│")]
    assert name in "".join(notes)
