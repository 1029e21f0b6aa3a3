"""The instructor's guide says what is so: its limits are the grader's, its verbs exist, its files are there."""

import re
from pathlib import Path

import pytest
from nbgrader.apps import NbGraderApp

from coursekit.__main__ import VERBS
from coursekit.grading.limits import MIB, Limits

ROOT = Path(__file__).parents[3]
PAGES = ["book/en/grading.md", "book/es/grading.md"]
READMES = ["README.md", "README.es.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_limits_are_the_graders(page: str) -> None:
    limits = Limits()
    seconds = [limits.cell_seconds, limits.run_seconds, limits.call_seconds, limits.test_seconds]
    sizes = [limits.total_bytes / MIB, limits.disk_bytes / MIB]
    said = re.findall(r"^\| [^|]+ \| ([\d.]+)(?: s| MiB)? \|$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    assert list(map(float, said)) == [*seconds, *sizes, limits.processes]


@pytest.mark.parametrize("page", PAGES + READMES)
def test_every_verb_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    ours = set(re.findall(r"python -m coursekit ([a-z]+)", text))
    stock = set(re.findall(r"^(?:COURSE_LANG=es )?nbgrader ([a-z_]+)", text, re.MULTILINE))
    assert {"grade", "feedback"} <= ours <= {verb.__name__.rstrip("_") for verb in VERBS}
    assert {"release_assignment"} <= stock <= NbGraderApp.subcommands.keys() | {"db"}


@pytest.mark.parametrize("page", PAGES)
def test_the_notebooks_that_are_named_are_there(page: str) -> None:
    named = re.findall(r"(?:labs|solutions)/e[ns]/[\w/.-]*\w", (ROOT / page).read_text("utf-8"))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", READMES)
def test_the_labs_that_are_named_are_there(page: str) -> None:
    named = re.findall(r"NAME=([\w-]+)", (ROOT / page).read_text("utf-8"))
    assert named
    assert [name for name in named if not (ROOT / f"solutions/{name}.md").exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_class_is_released_what_its_settings_ask_for(page: str) -> None:
    text, lang = (ROOT / page).read_text("utf-8"), page.split("/")[1]
    assert f'course_id = "inference-and-sampling-{lang}"' in text
    short = text[text.index("```sh\n") :].split("```")[1]
    said = re.search(r"export COURSE_LANG=(\w+)", short)
    assert (said[1] if said else "en") == lang
