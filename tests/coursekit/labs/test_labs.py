"""The labs as committed: up to date, alike in both languages, free of answers; blank they earn nothing, solved all."""

import ast
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade, is_locked

from coursekit.labs.derive import derive_all
from coursekit.labs.report import NotStarted
from coursekit.site.outline import TEXT_IN_FORMULA

from .student import LABS, ROOT, cells, do_lab, grade_id, is_graded, points, written

LANGUAGES = ["en", "es"]
BEGIN, END = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)"), re.compile(r"### END (SOLUTION|HIDDEN TESTS)")


def secrets(lang: str, lab: str) -> tuple[set[str], set[str]]:
    """The lines of an instructor's notebook that no student may see, and those that everybody may."""
    secret, public = set[str](), set[str]()
    for cell in cells("solutions", lang, lab):
        if cell["cell_type"] != "code" and is_graded(cell):  # a model answer, in words
            secret.update(map(str.strip, cell["source"].splitlines()))
            continue
        hidden = False
        for line in map(str.strip, cell["source"].splitlines()):
            hidden = bool(BEGIN.search(line)) or (hidden and not END.search(line))
            (secret if hidden else public).add(line)
    return secret, public


@cache
def run(kind: str, lang: str, lab: str) -> tuple[nbformat.NotebookNode, float]:
    """A whole notebook run in Jupyter's way, in a folder of its own, and the seconds that it took.

    On a machine that has other things to do they are the processor's: what others take is not the lab's.
    """
    notebook = nbformat.read(ROOT / kind / lang / lab / f"{lab}.ipynb", as_version=4)
    start, used = time.perf_counter(), processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        where = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=60, allow_errors=True, resources=where).execute()
    return notebook, min(time.perf_counter() - start, processor_seconds() - used)


def processor_seconds() -> float:
    """What this process and the kernels that it has ended have used so far."""
    return sum(os.times()[:4])


def outputs(notebook: nbformat.NotebookNode) -> Iterator[tuple[Any, Any]]:
    return ((cell, output) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)


def test_deriving_again_changes_nothing(tmp_path: Path) -> None:
    for name in ("solutions", "labs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    stale = [str(path.relative_to(tmp_path)) for path in derive_all(tmp_path, out=lambda _: None)]
    assert stale == [], "stale, or edited by hand: run `make labs`"


def test_every_derived_notebook_has_a_source() -> None:
    kinds = ("labs", "solutions")
    found = {(kind, path.stem) for kind in kinds for path in (ROOT / kind).glob("??/*/*.ipynb")}
    assert found == {(kind, lab) for kind in kinds for lab in LABS}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_no_solution_and_no_hidden_test_reaches_students(lab: str, lang: str) -> None:
    secret, public = secrets(lang, lab)
    secret = {line for line in secret - public if len(line) > 12}
    assert secret
    released = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "labs").rglob("*") if path.is_file())
    escaped = {line.replace("\\", "\\\\").replace('"', '\\"') for line in secret}
    assert [line for line in escaped if line in released] == []
    assert [mark for mark in ("BEGIN SOLUTION", "HIDDEN TESTS", "call.hide") if mark in released] == []


@pytest.mark.parametrize("kind", ["labs", "solutions"])
@pytest.mark.parametrize("lab", LABS)
def test_both_languages_have_the_same_cells(lab: str, kind: str) -> None:
    pairs = list(zip(cells(kind, "en", lab), cells(kind, "es", lab), strict=True))
    for english, spanish in pairs:
        assert english["cell_type"] == spanish["cell_type"]
        marks = [cell["metadata"].get("nbgrader", {}) for cell in (english, spanish)]
        if marks[0].get("grade") and (english["cell_type"] == "code" or kind == "labs"):
            assert (english["source"], english["id"], marks[0]) == (spanish["source"], spanish["id"], marks[1])
        elif english["cell_type"] == "code":
            assert grade_id(english) == grade_id(spanish)
            assert shape(english["source"]) == shape(spanish["source"])
        else:
            assert english["source"] != spanish["source"]
            assert headings_and_formulas(english["source"]) == headings_and_formulas(spanish["source"])


def shape(code: str) -> list[str]:
    """What the code consists of, texts and comments apart."""
    nodes = ast.walk(ast.parse(code))
    return [type(node).__name__ if is_text(node) else ast.dump(node) for node in nodes if not holds_text(node)]


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def holds_text(node: ast.AST) -> bool:
    return any(map(is_text, ast.walk(node))) and not is_text(node)


def headings_and_formulas(prose: str) -> tuple[list[str], list[str]]:
    formulas = re.findall(r"\$\$.+?\$\$|\$.+?\$", prose, re.DOTALL)
    return re.findall(r"^#+", prose, re.MULTILINE), [TEXT_IN_FORMULA.sub("", formula) for formula in formulas]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_blank_lab_fails_every_test_and_a_solved_one_none(lab: str, lang: str) -> None:
    blank, solved = do_lab(lab, lang, {}, kind="labs"), do_lab(lab, lang, {})
    assert blank.keys() == solved.keys() == points(lab).keys()
    assert all(isinstance(report, NotStarted) for report in blank.values())
    assert not any(solved.values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_the_points_that_a_lab_announces_are_those_it_gives(lab: str, lang: str) -> None:
    table = re.findall(
        r"^\| \d+ \| `(\w+)\(.*?\)` \|.*\| (\d+) \|$", cells("labs", lang, lab)[0]["source"], re.MULTILINE
    )
    assert [(f"test_{function}", float(worth)) for function, worth in table] == list(points(lab).items())
    in_words = re.findall(r"^\| \d+ \| ✎ \|.*\| (\d+) \|$", cells("labs", lang, lab)[0]["source"], re.MULTILINE)
    assert [float(worth) for worth in in_words] == list(written(lab).values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", [lab for lab in LABS if written(lab)])
def test_a_written_answer_is_for_a_person_to_mark_and_a_blank_one_worth_nothing(lab: str, lang: str) -> None:
    notebook = nbformat.read(ROOT / "labs" / lang / lab / f"{lab}.ipynb", as_version=4)
    for name, worth in written(lab).items():
        cell = next(cell for cell in notebook.cells if grade_id(cell) == name)
        assert determine_grade(cell) == (0, worth)
        cell.source = "Because."
        assert determine_grade(cell) == (None, worth)
        assert not is_locked(cell)  # nbgrader would put one language's text back into both


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_solved_lab_runs_clean_and_quickly(lab: str, lang: str) -> None:
    notebook, seconds = run("solutions", lang, lab)
    bad = [(cell.source, output) for cell, output in outputs(notebook) if output.output_type == "error"]
    assert bad == []
    assert [output.text for _, output in outputs(notebook) if output.get("name") == "stderr"] == []
    assert seconds < 20


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_blank_lab_runs_to_its_end_without_a_traceback(lab: str, lang: str) -> None:
    notebook, _ = run("labs", lang, lab)
    errors = {grade_id(cell): output for cell, output in outputs(notebook) if output.output_type == "error"}
    assert {name: error.ename for name, error in errors.items()} == dict.fromkeys(points(lab), "NotStarted")
    words = {"en": "is not started yet", "es": "está sin empezar"}[lang]
    for error in errors.values():
        assert words in error.traceback[0]
        assert "Traceback" not in "".join(error.traceback)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_temperature_lab_reproduces_the_contracts_entropies(lang: str) -> None:
    notebook, _ = run("solutions", lang, "01-temperature-sweep")
    table = next(output.text for _, output in outputs(notebook) if "bits" in output.get("text", ""))
    bits = [float(row.split()[2]) for row in table.splitlines()[1:]]
    assert bits == [0.0007, 0.2335, 0.7175, 1.2066, 1.7864, 2.3372, 2.5994, 2.9323, 2.9832]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_that_is_said_to_slip_out_of_its_circle_does_and_falls_back(lang: str) -> None:
    notebook, _ = run("solutions", lang, "00-greedy")
    (text,) = [output.text for cell, output in outputs(notebook) if "favourites(slips" in cell.source]
    rounds = re.split(r" (?:and|y) ", text.removesuffix(" …\n"))[1:-1]  # the first has the prompt, the last is cut
    before, other, after = [len(list(group)) for _, group in groupby(rounds)]
    assert len(set(rounds)) == 2
    assert other == 1 < min(before, after)
