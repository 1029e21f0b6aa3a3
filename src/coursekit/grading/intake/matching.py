"""Which submitted cell is which of the lab's, however they were copied, split, moved, re-typed or stripped."""

import re
from collections.abc import Iterator
from itertools import pairwise

from coursekit.grading.intake.lab import Expected, Lab
from coursekit.grading.intake.repair import Repair
from coursekit.grading.intake.shape import Cell


def assign_roles(lab: Lab, cells: list[Cell]) -> list[Repair]:
    """Give each cell of the lab's its role, at most one for each; the rest stay the student's own."""
    repairs = list[Repair]()
    for expected in lab.graded:
        copies = [cell for cell in cells if cell.grade_id == expected.name]
        _mark_second_half(expected, copies, cells)
        repairs += _join_halves(expected, copies, cells)
        repairs += _choose(expected, copies)
        if len(copies) > 1:
            repairs.append(Repair("copied", expected.name, {"copies": len(copies) - 1}))
    for expected in missing(lab, cells):
        repairs += _recognise(expected, cells)
    return repairs


def missing(lab: Lab, cells: list[Cell]) -> list[Expected]:
    """The cells with marks that nothing has the role of."""
    there = {cell.role for cell in cells}
    return [expected for expected in lab.graded if expected.name not in there]


def defines(name: str, cell: Cell) -> bool:
    r"""Whether a cell's code defines a function, or puts something in its place.

    Looked up in the text: a parser may be brought down by what it is given.

    >>> defines("half", Cell(1, "code", "import math\ndef half (x):\n    return x /"))
    True
    """
    return cell.type == "code" and bool(
        re.search(rf"^(?:async +)?(?:def +{name} *\(|{name} *=[^=])", cell.source, re.MULTILINE)
    )


def is_blank(expected: Expected, text: str) -> bool:
    """Whether nothing was written: the stub is as it was, or there is no text."""
    return _squeezed(text) in ("", _squeezed(expected.released))


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ in blanks at most."""
    return _squeezed(one) == _squeezed(other)


def is_test(expected: Expected, text: str) -> bool:
    """Whether a text is a test's, as released or whole."""
    return same_text(text, expected.released) or same_text(text, expected.source)


def own_lines(expected: Expected, text: str) -> bool:
    """Whether a test cell holds lines that are not the test's."""
    known = {line.strip() for line in expected.source.splitlines()}
    return any(line.strip() not in known for line in text.splitlines() if line.strip())


def _choose(expected: Expected, copies: list[Cell]) -> Iterator[Repair]:
    """Of several copies the last counts, as in nbgrader; but rather one that is filled in."""
    written = [cell for cell in copies if expected.kind == "test" or not is_blank(expected, cell.source)]
    if copies:
        chosen = (written or copies)[-1]
        chosen.role = expected.name
        yield from _changed_marks(expected, chosen)


def _changed_marks(expected: Expected, cell: Cell) -> Iterator[Repair]:
    wrong = [key for key, value in expected.mark.items() if key != "checksum" and cell.mark.get(key) != value]
    wrong = [key for key in wrong if key in cell.mark or key != "cell_type"]
    if wrong:
        yield Repair("marks_changed", expected.name, {"what": ", ".join(wrong)})


def _mark_second_half(expected: Expected, copies: list[Cell], cells: list[Cell]) -> None:
    """Count what was split off an answer without its marks: indented lines that give something back, right behind it.

    What an answer ends with has to be indented, too, or such lines would spoil it.
    """
    if expected.kind != "answer" or len(copies) != 1:
        return
    ends = copies[0].source.rstrip().rpartition("\n")[2]
    behind = cells.index(copies[0]) + 1
    for cell in cells[behind : behind + 1]:
        within = cell.type == "code" and not cell.mark and not re.search(r"^\S", cell.source, re.MULTILINE)
        if within and re.match(r"[ \t]|.*:$", ends) and re.search(r"^[ \t]+return\b", cell.source, re.MULTILINE):
            cell.mark = dict(copies[0].mark)
            copies.append(cell)


def _join_halves(expected: Expected, copies: list[Cell], cells: list[Cell]) -> Iterator[Repair]:
    """Put together a cell that was split in the middle of a function: its second part begins with an indent."""
    for first, second in pairwise(list(copies)):
        adjacent = cells.index(second) == cells.index(first) + 1
        if expected.kind == "answer" and adjacent and re.match(r"\s*?^[ \t]+\S", second.source, re.MULTILINE):
            second.source = f"{first.source}\n{second.source}"
            cells.remove(first)
            copies.remove(first)
            yield Repair("split", expected.name)


def _recognise(expected: Expected, cells: list[Cell]) -> Iterator[Repair]:
    """Find a cell that has lost its marks: by its id, by a test's text, by the function that an answer defines."""
    free = [cell for cell in cells if not cell.role and not cell.grade_id]
    ways = {
        "id": [cell for cell in free if cell.id == expected.name],
        "text": [cell for cell in free if expected.kind == "test" and is_test(expected, cell.source)],
        "name": [cell for cell in free if expected.kind == "answer" and defines(expected.function, cell)],
    }
    for way, found in ways.items():
        if found:
            found[-1].role = expected.name
            yield Repair("recognised", expected.name, {"by": way})
            return


def _squeezed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
