"""Folders as students hand them in: what is found, what is told, where everything is afterwards."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.grading.intake.folder import MOST_FILES, look_into
from coursekit.grading.intake.gradable import Normalised
from coursekit.grading.intake.tidy import folder_repairs, keep_earlier, tidy
from coursekit.grading.tasks import Task, _normalised

from .class_lab import SOURCE, earned, honest

LAB = "small"
SOURCES = {"en": SOURCE, "es": SOURCE.replace('"lang": "en"', '"lang": "es"')}
GOOD = json.dumps(honest())
FULL = earned(GOOD)
BLANK = GOOD.replace("return x / 2", "raise NotImplementedError").replace("return 2 * x", "raise NotImplementedError")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "submitted/ada" / LAB
    folder.mkdir(parents=True)
    return folder


def take_in(folder: Path, keep: Path, sources: dict[str, str] = SOURCES) -> Normalised:
    """What is graded of a folder after it was collected."""
    tidy(folder, LAB, sources, keep)
    found = look_into(folder, LAB, sources)
    return _normalised(Task(sources[found.lang], found.data, tuple(folder_repairs(keep))))


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def in_place(folder: Path) -> None:
    write(folder, **{f"{LAB}.ipynb": GOOD})


def renamed(folder: Path) -> None:
    write(folder, **{"Untitled (1).ipynb": GOOD})


def in_a_folder(folder: Path) -> None:
    write(folder, **{"my work/lab.IPYNB": GOOD})


def several(folder: Path) -> None:
    write(folder, **{f"{LAB}.ipynb": GOOD, f"{LAB}-Copy1.ipynb": GOOD, "other.ipynb": '{"cells": [], "nbformat": 4}'})


def worked_in_the_copy(folder: Path) -> None:
    stub = "# YOUR CODE HERE\\nraise NotImplementedError"
    nothing = json.loads(GOOD)
    for cell in nothing["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = stub.replace("\\n", "\n")
    write(folder, **{f"{LAB}.ipynb": json.dumps(nothing), f"{LAB}-Copy1.ipynb": GOOD})


def with_litter(folder: Path) -> None:
    in_place(folder)
    write(
        folder, **{".DS_Store": "x", "__MACOSX/._small.ipynb": "x", ".ipynb_checkpoints/small-checkpoint.ipynb": GOOD}
    )


def with_strays(folder: Path) -> None:
    in_place(folder)
    write(folder, **{"numpy.py": "raise SystemExit", "data/big.csv": "1,2"})


def with_links(folder: Path) -> None:
    in_place(folder)
    (folder / "solutions").symlink_to("/etc")
    (folder / "data.csv").symlink_to("/etc/hostname")


def a_link_to_the_solutions(folder: Path) -> None:
    secret = folder.parents[2] / "solution.ipynb"
    secret.write_text(GOOD, encoding="utf-8")
    (folder / f"{LAB}.ipynb").symlink_to(secret)


def a_pipe(folder: Path) -> None:
    in_place(folder)
    os.mkfifo(folder / "pipe.ipynb")


def a_folder_called_as_the_notebook(folder: Path) -> None:
    write(folder, **{f"{LAB}.ipynb/inside.txt": "x", "real.ipynb": GOOD})


def no_notebook(folder: Path) -> None:
    write(folder, **{"essay.docx": "x"})


def nothing(folder: Path) -> None:
    pass


def too_many(folder: Path) -> None:
    in_place(folder)
    write(folder, **{f"z{number}.txt": "x" for number in range(MOST_FILES + 2)})


def a_bad_date(folder: Path) -> None:
    in_place(folder)
    write(folder, **{"timestamp.txt": "yesterday, I promise"})


def an_empty_date(folder: Path) -> None:
    in_place(folder)
    write(folder, **{"timestamp.txt": ""})


def a_date(folder: Path) -> None:
    in_place(folder)
    write(folder, **{"timestamp.txt": "2026-11-21 10:00:00.0 UTC"})


def a_strange_name(folder: Path) -> None:
    in_place(folder)
    write(folder, **{"\x1b[31m\n<script>.txt": "x"})


CASES: list[tuple[Callable[[Path], None], set[str], bool]] = [
    (in_place, set(), True),
    (renamed, {"renamed"}, True),
    (in_a_folder, {"renamed"}, True),
    (several, {"several_notebooks"}, True),
    (worked_in_the_copy, {"several_notebooks", "renamed"}, True),
    (with_litter, set(), True),
    (with_strays, {"stray"}, True),
    (with_links, {"link"}, True),
    (a_link_to_the_solutions, {"link", "no_notebook"}, False),
    (a_pipe, {"stray"}, True),
    (a_folder_called_as_the_notebook, {"stray", "renamed"}, True),
    (no_notebook, {"stray", "no_notebook"}, False),
    (nothing, {"no_notebook"}, False),
    (too_many, {"stray", "too_many_files"}, True),
    (a_bad_date, {"bad_timestamp"}, True),
    (an_empty_date, set(), True),
    (a_date, set(), True),
    (a_strange_name, {"stray"}, True),
]


@pytest.mark.parametrize(("hand_in", "kinds", "full"), CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_folder(folder: Path, hand_in: Callable[[Path], None], kinds: set[str], full: bool) -> None:
    hand_in(folder)
    keep = folder.parents[2] / "keep"
    files = sorted(path.name for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    taken = take_in(folder, keep)
    assert {repair.kind for repair in taken.repairs} == kinds
    assert earned(taken.notebook_text) == (FULL if full else dict.fromkeys(FULL, 0))
    assert (taken.refusal is None) == full
    assert {path.name for path in folder.iterdir()} <= {f"{LAB}.ipynb", "timestamp.txt", "my work", "data"}
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    left = [path.name for place in (folder, keep / "aside") for path in place.rglob("*")]
    assert not [name for name in files if name not in left], "a file of the student's is gone"
    again = take_in(folder, keep)
    assert (again.repairs, earned(again.notebook_text)) == (taken.repairs, earned(taken.notebook_text))


def test_names_are_fit_to_be_shown(folder: Path) -> None:
    a_strange_name(folder)
    (repair,) = take_in(folder, folder.parents[2] / "keep").repairs
    assert repair.details["name"].isprintable()


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    in_place(folder)
    link = tmp_path / "submitted/eve"
    link.symlink_to(folder.parent)
    assert take_in(link / LAB, tmp_path / "keep").refusal is None  # a link of the instructor's own
    inner = tmp_path / "submitted/mal"
    inner.mkdir()
    (inner / LAB).symlink_to(folder)
    assert take_in(inner / LAB, tmp_path / "keep2").refusal is not None
    assert (folder / f"{LAB}.ipynb").read_text() == GOOD


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    in_place(folder)
    (folder / f"{LAB}.ipynb").chmod(0)
    refusal = take_in(folder, folder.parents[2] / "keep").refusal
    assert refusal is not None
    assert refusal.kind == "unreadable_file"


def test_what_was_handed_in_earlier_is_kept_with_its_date(folder: Path) -> None:
    in_place(folder)
    keep = folder.parents[2] / "keep"
    tidy(folder, LAB, SOURCES, keep)
    first, second = keep_earlier(folder, keep), None
    folder.mkdir(parents=True)
    in_place(folder)
    second = keep_earlier(folder, keep)
    assert first is not None
    assert second is not None
    assert first != second
    assert (first / f"{LAB}.ipynb").read_text() == GOOD
    assert not folder.exists()


@pytest.mark.parametrize("said", ["es", None, "fr"])
def test_the_language_is_found_by_metadata_or_text(folder: Path, said: str | None) -> None:
    nb = json.loads(GOOD)
    prose = {"en": "Halve the number that you are given", "es": "Divide entre dos el número que recibes: ¡así!"}
    sources = {}
    for lang, source in SOURCES.items():
        whole = json.loads(source)
        whole["cells"].insert(0, {"cell_type": "markdown", "id": "prose", "metadata": {}, "source": prose[lang]})
        sources[lang] = json.dumps(whole)
    nb["cells"].insert(0, {"cell_type": "markdown", "id": "prose", "metadata": {}, "source": prose["es"]})
    nb["metadata"].pop("lang")
    if said:
        nb["metadata"]["lang"] = said
    write(folder, **{f"{LAB}.ipynb": json.dumps(nb)})
    taken = take_in(folder, folder.parents[2] / "keep", sources)
    assert json.loads(taken.notebook_text)["metadata"]["lang"] == "es"
