"""A lab's one source, ``solutions/<lab>.md``: read, and refused where it is not what a lab has to be.

A MyST text notebook. Prose cells come in pairs, ``+++ {"lang": "en"}`` then ``+++ {"lang": "es"}``. Code cells are
shared, but a line that ends in ``#:en:`` or ``#:es:`` belongs to that language alone. A code cell with the option
``:solution: entropy`` holds the worked answer, one with ``:test: entropy`` and ``:points: 2`` its test. A prose pair
that adds ``"written": "judgement", "points": 4`` is a model answer, in whose place the student writes one that a
person marks, and one that adds ``"for": "instructors"`` is a teaching note, which no notebook has: it appears in the
instructors' book alone. The first cell opens with the lab's title, ``# …``, in each language.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from jupytext.myst import MystMetadataParsingError, myst_to_notebook

from minimodel.language import LANGUAGES

Role = Literal["prose", "written", "note", "code", "solution", "test"]
_OWN_LINE = re.compile(r"\s*#:(\w+):[ \t]*$")
NOTE = {"for": "instructors"}
_OPTIONS: dict[Role, set[str]] = {"code": {"tags"}, "solution": {"solution"}, "test": {"test", "points"}}


class LabError(ValueError):
    """A lab source that cannot be used, with the file and the line where it has to be mended."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"{path}, line {line}: {problem}")


@dataclass(frozen=True)
class Cell:
    """One cell in every language: its text by language code, and the function that it solves or tests.

    A written answer has a name in place of the function's.
    """

    role: Role
    line: int
    text: Mapping[str, str]
    function: str = ""
    points: float = 0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lab:
    """A lab: where it was read, its kernel and its cells."""

    path: Path
    kernelspec: Mapping[str, str]
    cells: tuple[Cell, ...] = field(repr=False)

    @property
    def name(self) -> str:
        """The assignment's and the notebooks' name."""
        return self.path.stem

    @property
    def title(self) -> dict[str, str]:
        """The heading that the lab opens with, by language code."""
        return {lang: text.splitlines()[0].removeprefix("# ") for lang, text in self.cells[0].text.items()}


def read_lab(path: Path) -> Lab:
    """The lab in the file at ``path``.

    Raises:
        LabError: it is no MyST notebook, or a cell is not one of the six kinds, with its twin where it is prose.
    """
    try:
        notebook = myst_to_notebook(path.read_text(encoding="utf-8"), add_source_map=True)
    except MystMetadataParsingError as error:
        raise LabError(path, 1, str(error)) from error
    lines = notebook.metadata.pop("source_map")
    cells = tuple(_cells(path, list(zip(lines, notebook.cells, strict=True))))
    if not isinstance(notebook.metadata.get("kernelspec"), dict):
        raise LabError(path, 1, "the front matter has no 'kernelspec': copy another lab's")
    if not cells or cells[0].role != "prose" or not all(text.startswith("# ") for text in cells[0].text.values()):
        raise LabError(path, lines[0] if lines else 1, "a lab opens with its title, '# …', in each language")
    return Lab(path, dict(notebook.metadata.kernelspec), cells)


def _cells(path: Path, raw: list[tuple[int, Any]]) -> Iterator[Cell]:
    """The cells, each pair of prose cells made one."""
    rest = iter(raw)
    for line, cell in rest:
        if cell.cell_type == "code":
            yield _code(path, line, cell.source, dict(cell.metadata))
        else:
            yield _prose(path, line, cell, *next(rest, (line, None)))


def _prose(path: Path, line: int, english: Any, twin_line: int, spanish: Any) -> Cell:
    """An English prose cell and the Spanish one that has to follow it."""
    marks = {key: value for key, value in english.metadata.items() if key != "lang"}
    if english.metadata.get("lang") != "en" or (marks not in ({}, NOTE) and set(marks) != {"written", "points"}):
        raise LabError(path, line, 'prose has to begin with +++ {"lang": "en"}, its twin with +++ {"lang": "es"}')
    twin = marks | {"lang": "es"}
    if spanish is None or spanish.cell_type != "markdown" or spanish.metadata != twin:
        raise LabError(path, twin_line, f"the English prose of line {line} needs its twin here: +++ {json.dumps(twin)}")
    text = {"en": english.source, "es": spanish.source}
    if marks in ({}, NOTE):
        return Cell("note" if marks else "prose", line, text)
    if not _is_positive(marks["points"]):
        raise LabError(path, line, f'a written answer has to have "points" above 0, not {marks["points"]!r}')
    return Cell("written", line, text, marks["written"], marks["points"])


def _code(path: Path, line: int, source: str, options: dict[str, Any]) -> Cell:
    """A code cell of the kind that its options say."""
    role: Role = "test" if "test" in options else "solution" if "solution" in options else "code"
    if unknown := set(options) - _OPTIONS[role]:
        raise LabError(path, line, f"a {role} cell takes no option {', '.join(map(repr, sorted(unknown)))}")
    if role == "test" and not _is_positive(options.get("points")):
        raise LabError(path, line, f"a test has to have ':points:' above 0, not {options.get('points')!r}")
    text: dict[str, str] = {lang: _in_language(path, line, source, lang) for lang in LANGUAGES}
    return Cell(role, line, text, options.get(role, ""), options.get("points", 0), tuple(options.get("tags", ())))


def _in_language(path: Path, first: int, source: str, lang: str) -> str:
    """The lines of ``source`` that ``lang`` has, without the marks."""
    kept = []
    for line in source.splitlines():
        mark = _OWN_LINE.search(line)
        if mark and mark[1] not in LANGUAGES:
            raise LabError(path, first, f"{line.strip()!r} ends in no language of the course ({', '.join(LANGUAGES)})")
        if not mark or mark[1] == lang:
            kept.append(line[: mark.start()] if mark else line)
    return "\n".join(kept)


def _is_positive(points: object) -> bool:
    return isinstance(points, int | float) and not isinstance(points, bool) and points > 0
