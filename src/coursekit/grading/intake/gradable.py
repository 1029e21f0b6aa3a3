"""`normalise`: a submission made gradable, with the instructor's marks and tests, and every repair told."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coursekit.grading.intake.decoding import Refused, read_json
from coursekit.grading.intake.lab import Expected, Lab, read_lab_notebook
from coursekit.grading.intake.matching import assign_roles, defines, is_blank, is_test, missing, own_lines, same_text
from coursekit.grading.intake.repair import REFUSALS, Repair
from coursekit.grading.intake.shape import Cell, read_cells


@dataclass(frozen=True)
class Normalised:
    """A submission that can be graded, and how it came to be so.

    Attributes:
        notebook_text: a notebook of format 4.5 with every cell that the lab grades.
        repairs: what was put right, in order.
    """

    notebook_text: str
    repairs: tuple[Repair, ...] = ()

    @property
    def refusal(self) -> Repair | None:
        """Why nothing of the submission could be used, where that is so: all its marks are 0."""
        return next((repair for repair in self.repairs if repair.kind in REFUSALS), None)


def normalise(source_nb: str, submitted: bytes) -> Normalised:
    """Return the submission whose file holds ``submitted``, gradable against the instructor's notebook ``source_nb``.

    Never fails, whatever the file holds: what can be saved is saved. Where nothing can, the lab comes back blank, and
    the repair that says why is the `refusal`. Outputs and the cells' own metadata are dropped; grading makes them anew.
    """
    lab = read_lab_notebook(source_nb)
    try:
        document, repairs = read_json(submitted)
    except Refused as refused:
        return blank(source_nb, refused.repair)
    cells, reshaped = read_cells(document)
    reshaped += _metadata_repairs(lab, document)
    if any(repair.kind == "damaged" for repair in repairs):  # what stands at a file's end went with it
        reshaped = [repair for repair in reshaped if repair.kind not in ("no_format", "no_kernel")]
    repairs += [*reshaped, *assign_roles(lab, cells)]
    if not any(cell.role for cell in cells):
        repairs.append(Repair("other_lab"))
    cells, repaired = _complete(lab, cells)
    return Normalised(_written(lab, cells), tuple(repairs + repaired))


def blank(source_nb: str, reason: Repair, *others: Repair) -> Normalised:
    """The lab with nothing in it, for a submission of which nothing can be used."""
    lab = read_lab_notebook(source_nb)
    cells = [Cell(number, each.type, each.blank, role=each.name) for number, each in enumerate(lab.cells, 1)]
    return Normalised(_written(lab, cells), (*others, reason))


def _metadata_repairs(lab: Lab, document: Mapping[str, Any]) -> Iterator[Repair]:
    metadata = document.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    if metadata.get("lang") not in ("en", "es"):
        yield Repair("language", details={"lang": lab.lang})
    kernel = metadata.get("kernelspec")
    name = kernel.get("name") if isinstance(kernel, dict) else None
    if name is None:
        yield Repair("no_kernel")
    elif name != lab.metadata["kernelspec"]["name"]:
        yield Repair("kernel", details={"name": str(name)[:60]})


def _complete(lab: Lab, cells: list[Cell]) -> tuple[list[Cell], list[Repair]]:
    """The cells with their texts and types restored, what is missing put back, and tests behind their answers."""
    expected = {each.name: each for each in lab.graded}
    repairs, done = list[Repair](), list[Cell]()
    for cell in cells:
        if cell.role:
            done += _restored(expected[cell.role], cell, cells, repairs)
        elif cell.grade_id in expected and expected[cell.grade_id].kind == "test":
            done += [cell] if own_lines(expected[cell.grade_id], cell.source) else []
        else:
            if cell.grade_id and cell.grade_id not in expected:
                repairs.append(Repair("unknown_mark", cell.number, {"name": cell.grade_id[:60]}))
            done.append(cell)
    for each in missing(lab, done):
        repairs.append(Repair("test_missing" if each.kind == "test" else "answer_missing", each.name))
        _put_back(lab, each, done)
    for each in lab.graded:
        repairs += _behind_its_answer(each, done) if each.kind == "test" else ()
    return _with_setup(lab, done, repairs), repairs


def _restored(expected: Expected, cell: Cell, cells: list[Cell], repairs: list[Repair]) -> list[Cell]:
    """The cell as the lab has it, behind the student's own lines where they stood in a test."""
    if cell.type != expected.type:
        repairs.append(Repair("retyped", expected.name, {"was": cell.type}))
        cell.type, cell.attachments = expected.type, {}
        elsewhere = any(other is not cell and defines(expected.function, other) for other in cells)
        if expected.kind == "answer" and is_blank(expected, cell.source) and elsewhere:
            cell.source = ""  # set aside for another cell, which it would undo
    if expected.kind != "test":
        return [cell]
    edited = not is_test(expected, cell.source)
    own = Cell(cell.number, "code", cell.source)
    cell.source = expected.source
    if edited:
        repairs.append(Repair("test_edited", expected.name))
    return [own, cell] if edited and own_lines(expected, own.source) else [cell]


def _put_back(lab: Lab, expected: Expected, cells: list[Cell]) -> None:
    """Put a missing cell where it belongs: behind the one before it in the lab."""
    before = [each.name for each in lab.graded[: lab.graded.index(expected)]]
    at = max((number for number, cell in enumerate(cells, 1) if cell.role in before), default=0)
    cells.insert(at, Cell(0, expected.type, expected.blank, role=expected.name))


def _behind_its_answer(expected: Expected, cells: list[Cell]) -> Iterator[Repair]:
    """Move a test that stands before the cell that defines what it tests."""
    at = next(number for number, cell in enumerate(cells) if cell.role == expected.name)
    defining = [
        number
        for number, cell in enumerate(cells)
        if defines(expected.function, cell) and "raise NotImplementedError" not in cell.source
    ]
    if defining and defining[0] > at:
        cells.insert(defining[0], cells.pop(at))
        yield Repair("test_moved", expected.name)


def _with_setup(lab: Lab, cells: list[Cell], repairs: list[Repair]) -> list[Cell]:
    """The cells, behind those of the lab's set-up that are missing: what comes later overrides them."""
    back = list[Cell]()
    for expected in lab.cells:
        if expected.kind == "setup" and not any(
            cell.id == expected.name or same_text(cell.source, expected.source) for cell in cells
        ):
            repairs.append(Repair("setup_missing"))
            back.append(Cell(0, "code", expected.source))
    return back + cells


def _written(lab: Lab, cells: list[Cell]) -> str:
    """The notebook's text."""
    expected, used = {each.name: each for each in lab.graded}, {each.name for each in lab.graded}
    nodes = list[dict[str, Any]]()
    for number, cell in enumerate(cells, 1):
        mark = {"nbgrader": dict(expected[cell.role].mark)} if cell.role in expected else {}
        name = cell.role if mark else cell.id
        while not mark and (not name or name in used):
            name = f"{cell.type}-{number}" if name in ("", cell.id) else f"{name}-"
        used.add(name)
        nodes.append(_node(cell, name, mark))
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": lab.metadata, "cells": nodes}
    return json.dumps(notebook, ensure_ascii=False)  # nbformat would check it twice, in vain, and indent it


def _node(cell: Cell, name: str, metadata: dict[str, Any]) -> dict[str, Any]:
    """One cell, as nbformat has it."""
    own: dict[str, Any] = {"id": name, "cell_type": cell.type, "source": cell.source, "metadata": metadata}
    own |= {"outputs": [], "execution_count": None} if cell.type == "code" else {}
    return own | ({"attachments": cell.attachments} if cell.attachments else {})
