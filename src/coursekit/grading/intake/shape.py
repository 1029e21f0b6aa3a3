"""From any JSON that means to be a notebook, of whatever format, to a list of plain cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from coursekit.grading.intake.repair import Repair

MOST_CELLS = 2000
LONGEST_CELL, LONGEST_TEXT = 500_000, 4_000_000  # characters, of one cell and of all
LONGEST_ATTACHMENTS, LONGEST_OUTPUTS = 3_000_000, 5_000_000
FORMAT = 4
TYPES = ("code", "markdown", "raw")
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MEDIA = re.compile(r"image/(?:png|jpeg|gif|webp)")


@dataclass
class Cell:
    """A submitted cell, whose outputs and own metadata nobody needs.

    Attributes:
        number: its place in the submission, from 1.
        type: code, markdown or raw.
        mark: nbgrader's metadata, whatever they say.
        attachments: the pictures of a cell of prose.
        role: which cell of the lab it turns out to be: its grade id; none where it is the student's own.
    """

    number: int
    type: str
    source: str
    id: str = ""
    mark: dict[str, Any] = field(default_factory=dict)
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    role: str = ""

    @property
    def grade_id(self) -> str:
        """The grade id that its marks claim."""
        claimed = self.mark.get("grade_id")
        return claimed if isinstance(claimed, str) else ""


def read_cells(document: dict[str, Any]) -> tuple[list[Cell], list[Repair]]:
    """The cells of a notebook, and what had to be put right."""
    repairs = list[Repair]()
    raw = _raw_cells(document)
    version = document.get("nbformat")
    if version is None:
        repairs.append(Repair("no_format"))
    elif version != FORMAT:
        repairs.append(Repair("old_format", details={"version": str(version)[:20]}))
    if len(raw) > MOST_CELLS:
        repairs.append(Repair("too_many_cells", details={"count": len(raw), "kept": MOST_CELLS}))
    cells, room = list[Cell](), LONGEST_TEXT
    for number, each in enumerate(raw[:MOST_CELLS], 1):
        if not isinstance(each, dict) or not isinstance(each.get("cell_type"), str):
            repairs.append(Repair("cell_dropped", number))
            continue
        cell = _read_cell(number, each)
        repairs += _cut_down(cell, room)
        room -= len(cell.source)
        cells.append(cell)
    return cells, repairs + _output_repairs(raw)


def _raw_cells(document: dict[str, Any]) -> list[Any]:
    """The cells as they stand, also those of format 3, which are in worksheets."""
    if isinstance(cells := document.get("cells"), list):
        return cells
    sheets = [sheet for sheet in _list(document.get("worksheets")) if isinstance(sheet, dict)]
    return [cell for sheet in sheets for cell in _list(sheet.get("cells"))]


def _read_cell(number: int, raw: dict[str, Any]) -> Cell:
    kind, source = raw["cell_type"], _text(raw.get("source", raw.get("input")))
    if kind == "heading":  # of format 3
        level = raw.get("level")
        kind, source = "markdown", f"{'#' * (level if isinstance(level, int) and level in range(1, 7) else 1)} {source}"
    metadata = raw.get("metadata")
    mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    cell = Cell(number, kind if kind in TYPES else "markdown", source, mark=mark if isinstance(mark, dict) else {})
    if isinstance(name := raw.get("id"), str) and _ID.fullmatch(name):
        cell.id = name
    if cell.type != "code":
        cell.attachments = dict(_attachments(raw.get("attachments")))
    return cell


def _text(source: Any) -> str:
    """A cell's text as one string, with nothing in it that no file or database can hold."""
    whole = source if isinstance(source, str) else "".join(line for line in _list(source) if isinstance(line, str))
    return whole.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _attachments(raw: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for name, bundle in raw.items() if isinstance(raw, dict) else ():
        pictures = {kind: _text(data) for kind, data in bundle.items()} if isinstance(bundle, dict) else {}
        pictures = {kind: data for kind, data in pictures.items() if data and _MEDIA.fullmatch(kind)}
        if pictures:
            yield _text(name), pictures


def _cut_down(cell: Cell, room: int) -> Iterator[Repair]:
    if (size := len(cell.source)) > min(LONGEST_CELL, room):
        cell.source = ""
        yield Repair("oversized_cell", cell.grade_id or cell.number, {"size": size})
    if (
        size := sum(len(data) for bundle in cell.attachments.values() for data in bundle.values())
    ) > LONGEST_ATTACHMENTS:
        cell.attachments = {}
        yield Repair("oversized_attachment", cell.grade_id or cell.number, {"size": size})


def _output_repairs(raw: list[Any]) -> list[Repair]:
    """Outputs are made anew in grading; only very long ones are worth a word."""
    size = sum(_length(cell.get("outputs")) for cell in raw if isinstance(cell, dict))
    return [Repair("oversized_outputs", details={"size": size})] if size > LONGEST_OUTPUTS else []


def _length(tree: Any) -> int:
    """The characters of all texts in a tree, which is known not to be deep."""
    if isinstance(tree, str):
        return len(tree)
    children = tree.values() if isinstance(tree, dict) else _list(tree)
    return sum(map(_length, children))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
