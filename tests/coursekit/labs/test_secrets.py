"""No solution, hidden test or teaching note reaches what students have: labs/, the built site, what they install."""

import html
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from coursekit.labs.source import Cell, read_lab

from .student import LABS, ROOT

SPECIFIC = 25  # characters: a shorter line, such as "return 0.0", says nothing
KINDS = ("SOLUTION", "HIDDEN TESTS")
TEXTS = {".html", ".js", ".ipynb", ".md", ".txt", ".py", ".toml", ".json", ""}
TAGS, ESCAPED = re.compile(r"<[^>]*>"), re.compile(r'\\(["\\])')


def plain(text: str, *, page: bool = False) -> str:
    """Text as it is to be searched: without white space and escapes and, on a page, tags, however it was written."""
    text = html.unescape(TAGS.sub("", text)) if page else text
    return re.sub(r"\s+", "", ESCAPED.sub(r"\1", text.replace("\\n", "\n")))


def lines_of(cell: Cell, kind: str) -> Iterator[tuple[bool, str]]:
    """The lines of a cell in both languages, each with whether it is within marks of this kind."""
    for text in cell.text.values():
        within = cell.role in ("written", "note") and kind == "HIDDEN TESTS"
        for line in text.splitlines():
            within = (within or f"### BEGIN {kind}" in line) and f"### END {kind}" not in line
            yield within, plain(line)


def secret(kind: str) -> set[str]:
    """The lines within marks of this kind found nowhere in the open; notes and model answers are hidden too."""
    cells = [cell for lab in LABS for cell in read_lab(ROOT / f"solutions/{lab}.md").cells]
    inside = {kind: {line for cell in cells for within, line in lines_of(cell, kind) if within} for kind in KINDS}
    everything = {line for cell in cells for _, line in lines_of(cell, "")}
    public = everything - inside["SOLUTION"] - inside["HIDDEN TESTS"]
    public |= {line for cell in cells for line in _open(cell)}
    return {line for line in inside[kind] - public if len(line) >= SPECIFIC}


def _open(cell: Cell) -> Iterator[str]:
    """The lines of a cell that stand outside of all marks."""
    if cell.role not in ("written", "note"):
        for pair in zip(lines_of(cell, KINDS[0]), lines_of(cell, KINDS[1]), strict=True):
            if not any(within for within, _ in pair):
                yield pair[0][1]


SECRETS = {kind: secret(kind) for kind in KINDS}
TEACHING_NOTES = {
    plain(line)
    for lab in LABS
    for cell in read_lab(ROOT / f"solutions/{lab}.md").cells
    if cell.role == "note"
    for text in cell.text.values()
    for line in text.splitlines()
    if len(plain(line)) >= SPECIFIC
}


def leaks(files: Mapping[str, str], lines: set[str]) -> list[tuple[str, str]]:
    return [(name, line) for name, text in files.items() for line in lines if line in text]


def folder(path: Path, pattern: str = "*") -> dict[str, str]:
    found = (file for file in sorted(path.rglob(pattern)) if file.is_file() and file.suffix in TEXTS)
    return {str(file.relative_to(path)): _plain_file(file) for file in found}


def _plain_file(file: Path) -> str:
    return plain(file.read_text("utf-8", errors="replace"), page=file.suffix == ".html")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The texts of the wheel and of the source distribution, built as `pip` builds them."""
    out = tmp_path_factory.mktemp("dist")
    code = "import sys, hatchling.build as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(out)], cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(out.glob("*.whl"))) as wheel:
        texts = {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(next(out.glob("*.tar.gz"))) as sources:
        members = [member for member in sources.getmembers() if member.isfile()]
        more = {member.name: sources.extractfile(member).read() for member in members}  # type: ignore[union-attr]
    return {
        kind: {name: plain(data.decode("utf-8", errors="replace")) for name, data in found.items()}
        for kind, found in (("wheel", texts), ("sdist", more))
    }


def test_there_is_something_to_look_for() -> None:
    assert len(SECRETS["SOLUTION"]) > 100
    assert len(SECRETS["HIDDEN TESTS"]) > 600
    instructors = folder(ROOT / "solutions", "*.md")
    for lines in SECRETS.values():
        assert {line for _, line in leaks(instructors, lines)} == lines


def test_the_search_finds_what_is_written_as_html_or_json() -> None:
    line = next(line for line in SECRETS["HIDDEN TESTS"] if '"' in line)
    page = "<span>" + html.escape(line).replace("=", "</span>=<span>") + "</span>"
    notebook = line.replace("\\", "\\\\").replace('"', '\\"')
    assert leaks({"page": plain(page, page=True), "notebook": plain(notebook)}, {line}) == [
        ("page", line),
        ("notebook", line),
    ]


def test_nothing_secret_is_in_the_labs() -> None:
    labs = folder(ROOT / "labs")
    assert len(labs) == 2 * len(LABS)
    assert leaks(labs, SECRETS["SOLUTION"] | SECRETS["HIDDEN TESTS"]) == []


def test_nothing_secret_is_on_the_site() -> None:
    site = folder(ROOT / "site")
    assert len(site) > 30, "the book is not built: run `make book`"
    assert leaks(site, SECRETS["HIDDEN TESTS"]) == []
    own_pages = {name: text for name, text in site.items() if "labs" in name or "_downloads" in name}
    assert leaks(own_pages, SECRETS["SOLUTION"]) == []
    assert len(TEACHING_NOTES) > 50
    assert leaks(site, TEACHING_NOTES) == []
    assert not (ROOT / "site/instructors").exists()


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_nothing_secret_is_in_what_is_installed(installed: dict[str, dict[str, str]], kind: str) -> None:
    assert leaks(installed[kind], SECRETS["HIDDEN TESTS"]) == []
    # minimodel is open, and its functions resemble the solutions: a student cannot call them in their place
    others = {name: text for name, text in installed[kind].items() if "minimodel/" not in name}
    assert leaks(others, SECRETS["SOLUTION"]) == []


def test_the_wheel_has_what_the_labs_import_and_no_grader(installed: dict[str, dict[str, str]]) -> None:
    wheel = set(installed["wheel"])
    cells = [cell for lab in LABS for cell in read_lab(ROOT / f"solutions/{lab}.md").cells if cell.role != "prose"]
    imported = {name for cell in cells for name in re.findall(r"from (coursekit[\w.]*) import", cell.text["en"])}
    assert len(imported) > 3
    assert {f"{name.replace('.', '/')}.py" for name in imported} <= wheel
    assert [name for name in wheel if re.search(r"solutions|gallery|grading/|site/|derive", name)] == []


def test_the_wheel_alone_checks_an_answer(tmp_path: Path) -> None:
    code = "import hatchling.build as b, sys; print(b.build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    zipfile.ZipFile(next(tmp_path.glob("*.whl"))).extractall(tmp_path / "lib")
    program = (
        "import sys; sys.path[0] = sys.argv[1]\n"
        "import numpy as np, coursekit, coursekit.labs.adder, coursekit.labs.watched, coursekit.labs.needs\n"
        "import coursekit.labs.desk, coursekit.labs.hand_in_report\n"
        "from coursekit.labs.check import check\n"
        "def half(x): return x / 2\n"
        "with check('half') as call: call(2).gives(1, en='', es='')\n"
        "from coursekit.__main__ import main\n"
        "print(coursekit.__file__, main(['labs']))\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path / "lib")],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert run.stdout.splitlines()[0].startswith("✓ half")
    assert run.stdout.splitlines()[1] == f"{tmp_path}/lib/coursekit/__init__.py 1"
    assert "run this in a clone of the course" in run.stderr
