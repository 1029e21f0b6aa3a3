"""What the intake has to know of a lab: the instructor's notebook, and each cell as students were given it."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
from nbgrader.utils import compute_checksum

from coursekit.labs.stubs import CODE_STUBS, TEXT_STUB


@dataclass(frozen=True)
class Expected:
    """A cell that a submission has to have.

    Attributes:
        name: its grade id; that of a set-up cell is its id.
        kind: setup, answer (a function), test or written.
        source: the instructor's text.
        released: the student's.
        mark: nbgrader's metadata.
    """

    name: str
    kind: str
    type: str
    source: str
    released: str
    mark: dict[str, Any]

    @property
    def function(self) -> str:
        """The function that it answers or tests."""
        return self.name.removeprefix("test_") if self.kind == "test" else self.name

    @property
    def blank(self) -> str:
        """What stands in its place where it is missing."""
        return {"setup": self.source, "test": self.source, "written": self.released, "answer": ""}[self.kind]


@dataclass(frozen=True)
class Lab:
    """A lab's expected cells in order, its prose, and its notebook's metadata."""

    cells: tuple[Expected, ...]
    prose: tuple[str, ...]
    metadata: dict[str, Any]

    @property
    def graded(self) -> tuple[Expected, ...]:
        """The expected cells that bear marks."""
        return tuple(cell for cell in self.cells if cell.kind != "setup")

    @property
    def lang(self) -> str:
        """The language that it is in."""
        return str(self.metadata.get("lang", "en"))


@lru_cache(maxsize=64)
def read_lab_notebook(source_nb: str) -> Lab:
    """The lab whose instructor's notebook has this text."""
    notebook = nbformat.reads(source_nb, as_version=4)
    released, cells = _released(source_nb), list[Expected]()
    for own, theirs in zip(notebook.cells, released.cells, strict=True):
        mark = dict(own.metadata.get("nbgrader", {}))
        if mark.get("grade") or mark.get("solution"):
            cells.append(_expected(own, theirs, mark))
        elif own.cell_type == "code" and not any(cell.kind != "setup" for cell in cells):
            cells.append(Expected(own.id, "setup", "code", own.source, own.source, {}))
    prose = tuple(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return Lab(tuple(cells), prose, json.loads(json.dumps(notebook.metadata)))


def _expected(own: NotebookNode, theirs: NotebookNode, mark: dict[str, Any]) -> Expected:
    kind = "test" if not mark.get("solution") else "answer" if own.cell_type == "code" else "written"
    known = theirs if mark.get("solution") else own  # by which nbgrader tells a changed cell from an untouched one
    mark["checksum"] = compute_checksum(known)
    return Expected(mark["grade_id"], kind, own.cell_type, own.source, theirs.source, mark)


def _released(source_nb: str) -> NotebookNode:
    """The student's notebook, as nbgrader makes it of the instructor's."""
    notebook: NotebookNode = nbformat.reads(source_nb, as_version=4)
    stub = CODE_STUBS.get(notebook.metadata.get("lang"), CODE_STUBS["en"])
    clear = ClearSolutions(code_stub={"python": stub}, text_stub=TEXT_STUB)
    notebook, _ = clear.preprocess(notebook, {})
    notebook, _ = ClearHiddenTests().preprocess(notebook, {})
    return notebook
