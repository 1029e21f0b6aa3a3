"""Every damage of damages.toml: what is told, what is earned; and whatever else JSON can be, nothing is raised."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import reads, validate
from nbgrader.nbgraderformat import reads as nbgrader_reads

from coursekit.grading.execute import execute
from coursekit.grading.intake import normalise
from coursekit.grading.limits import Limits

from ..lab import POINTS, marks
from .class_lab import DAMAGES, SOURCE, damaged, earned, expected_marks, honest

ROOT = Path(__file__).parents[4]
CASES = [pytest.param(each, id=each["id"]) for each in DAMAGES]
IN_THE_SANDBOX = {"none at all", "every cell pasted twice", "cut off after two tasks", "in reverse order", "empty"}


def is_sound(text: str) -> None:
    """It is a notebook to Jupyter and to nbgrader, and each cell that the lab grades is in it once, with its marks."""
    notebook = nbgrader_reads(text, as_version=4)
    validate(reads(text, as_version=4))
    graded = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert sorted(graded) == sorted([*POINTS, *(f"test_{name}" for name in POINTS)])
    tests = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    for source in reads(SOURCE, as_version=4).cells:
        if source.metadata.get("nbgrader", {}).get("grade"):
            test = tests[source.metadata.nbgrader.grade_id]
            assert test.source == source.source
            assert test.metadata.nbgrader.items() >= source.metadata.nbgrader.items()
    text.encode()


@pytest.mark.parametrize("damage", CASES)
def test_damage(damage: Mapping[str, Any]) -> None:
    normalised = normalise(SOURCE, damaged(damage))
    told = {repair.kind for repair in normalised.repairs}
    assert told - set(damage.get("optional", ())) == set(damage["kinds"]) - set(damage.get("optional", ()))
    assert bool(normalised.refusal) == damage.get("all_lost", False)
    is_sound(normalised.notebook_text)
    assert earned(normalised.notebook_text) == expected_marks(damage)


@pytest.mark.parametrize("damage", [case for case in CASES if case.id in IN_THE_SANDBOX])
def test_a_repaired_submission_earns_the_same_in_the_grader(damage: Mapping[str, Any]) -> None:
    text = normalise(SOURCE, damaged(damage)).notebook_text
    assert marks(json.loads(execute(SOURCE, text, Limits(cell_seconds=5)))) == expected_marks(damage)


@pytest.mark.parametrize("damage", CASES)
def test_normalising_again_changes_nothing(damage: Mapping[str, Any]) -> None:
    once = normalise(SOURCE, damaged(damage))
    again = normalise(SOURCE, once.notebook_text.encode())
    assert earned(again.notebook_text) == earned(once.notebook_text)
    assert not {repair.kind for repair in again.repairs} - {"other_lab"}


def test_nothing_that_a_student_wrote_is_lost() -> None:
    nb = honest()
    nb["cells"].insert(3, {"cell_type": "code", "metadata": {}, "outputs": [], "source": "mine = 'this line'"})
    nb["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "My *own* notes, ñandú"})
    text = normalise(SOURCE, json.dumps(nb).encode()).notebook_text
    assert [text.count(own) for own in ("mine = 'this line'", "ñandú")] == [1, 1]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("lab", sorted(path.stem for path in (ROOT / "solutions").glob("*.md")))
def test_the_released_labs_need_no_repair_and_keep_all_their_cells(lab: str, lang: str) -> None:
    source = (ROOT / f"solutions/{lang}/{lab}/{lab}.ipynb").read_text(encoding="utf-8")
    released = (ROOT / f"labs/{lang}/{lab}/{lab}.ipynb").read_bytes()
    normalised = normalise(source, released)
    assert normalised.repairs == ()
    before, after = json.loads(released), json.loads(normalised.notebook_text)
    assert after["metadata"] == before["metadata"]
    assert [cell["id"] for cell in after["cells"]] == [cell["id"] for cell in before["cells"]]
    answers = [(one, two) for one, two in zip(before["cells"], after["cells"], strict=True) if "test_" not in one["id"]]
    assert all("".join(one["source"]) == two["source"] for one, two in answers)
    unanswered = [(one, two) for one, two in answers if "nbgrader" in one["metadata"]]
    assert all(one["metadata"]["nbgrader"] == two["metadata"]["nbgrader"] for one, two in unanswered)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("half") | st.just("code"),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(
        st.sampled_from(["cells", "metadata", "nbgrader", "grade_id", "source", "cell_type", "id", "attachments", "x"]),
        each,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


def places(tree: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to each part of a JSON tree."""
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [at, *(path for key, each in inside for path in places(each, (*at, key)))]


@given(st.lists(st.tuples(st.integers(0, 10**6), JSON | st.just("DELETE")), min_size=1, max_size=4))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_json_becomes_there_is_a_sound_notebook(mutations: list[tuple[int, Any]]) -> None:
    nb: Any = honest()
    for number, value in mutations:
        paths = places(nb)[1:]
        *way, last = paths[number % len(paths)]
        parent = nb
        for key in way:
            parent = parent[key]
        if value == "DELETE":
            del parent[last]
        else:
            parent[last] = value
        if not places(nb)[1:]:
            break
    is_sound(normalise(SOURCE, json.dumps(nb).encode()).notebook_text)


@given(st.integers(0, 10**6), st.integers(0, 200), st.binary(max_size=50))
@settings(max_examples=150)
def test_whatever_bytes_are_replaced_there_is_a_sound_notebook(start: int, length: int, other: bytes) -> None:
    data = json.dumps(honest()).encode()
    start %= len(data)
    is_sound(normalise(SOURCE, data[:start] + other + data[start + length :]).notebook_text)


@given(st.binary(max_size=300))
@settings(max_examples=50)
def test_whatever_the_file_holds_there_is_a_sound_notebook(data: bytes) -> None:
    is_sound(normalise(SOURCE, data).notebook_text)
