"""The lab that the instructor's guide shows is a whole one: it is read, derived, solved, failed and explained."""

import re
import tomllib
from pathlib import Path

import pytest

from coursekit.labs.notebooks import instructor_notebook
from coursekit.labs.rules import check_lab
from coursekit.labs.source import Lab, read_lab

from .student import ROOT
from .test_instructor_book import HEADS


def shown(lang: str, form: str, start: str) -> str:
    """The block of code of this form on the guide's page that starts so."""
    text = (ROOT / f"book/{lang}/grading.md").read_text("utf-8")
    [block] = re.findall(rf"^(`{{3,}}){form}\n({re.escape(start)}.*?)^\1$", text, re.DOTALL | re.MULTILINE)
    return str(block[1])


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    path = tmp_path / "05-margin.md"
    path.write_text(shown("en", "md", "---\nkernelspec"), "utf-8")
    return read_lab(path)


def test_both_pages_show_the_same() -> None:
    for block in (("md", "---\nkernelspec"), ("toml", "[[wrong]]")):
        assert shown("en", *block) == shown("es", *block)


@pytest.mark.parametrize("lang", HEADS)
def test_it_is_a_lab_with_a_note(lab: Lab, lang: str) -> None:
    check_lab(lab)
    assert "def margin(logits)" in str(instructor_notebook(lab, lang))
    [note] = [cell.text[lang] for cell in lab.cells if cell.role == "note"]
    assert sorted(HEADS[lang], key=note.index) == list(HEADS[lang])
    assert "`margin`" in note


def test_its_hidden_test_tells_the_gallery_s_answers_apart() -> None:
    gallery = tomllib.loads(shown("en", "toml", "[[wrong]]"))
    for code, right in ((gallery["wrong"][0]["code"], False), (gallery["right"][0]["code"]["margin"], True)):
        space: dict[str, object] = {}
        exec(code, space)
        margin = space["margin"]
        assert callable(margin)
        assert margin([1.0, 4.0, 2.0]) == 2
        assert (margin([3.0, 3.0]) == 0) == right
