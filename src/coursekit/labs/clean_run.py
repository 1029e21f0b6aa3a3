"""A notebook run as it is graded: from the top, in a fresh kernel, in a folder with nothing else in it."""

import copy
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from coursekit.labs.files_read import left_behind

CELL_SECONDS, RUN_SECONDS = 30, 120  # what grading allows
WATCH = "__import__('coursekit.labs.files_read', fromlist=['record']).record({log!r})"


@dataclass(frozen=True)
class CleanRun:
    """What came of a run.

    Attributes:
        errors: nbformat's error output of each cell that stopped with one of its own, by the cell's number.
        stopped: the number of a cell that ended Python or would not end, at which the run stopped; None where none did.
        reason: "dead" or "timeout" where it stopped.
        left_behind: files it asked for that lie beside it, and would not be there when it is graded.
        seconds: how long it took.
    """

    errors: dict[int, Any]
    stopped: int | None
    reason: str
    left_behind: list[str]
    seconds: float

    def reached(self, cell: int) -> bool:
        """Whether the cell of this number was run to its end."""
        return self.stopped is None or cell < self.stopped


def run_clean(notebook: NotebookNode, beside: Path, *, cell_seconds: float = CELL_SECONDS) -> CleanRun:
    """Run a copy of the notebook that lies in the folder ``beside``."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        log, clean = Path(scratch, "asked"), Path(scratch, "clean")
        clean.mkdir()
        executed = copy.deepcopy(notebook)
        executed.cells.insert(0, new_code_cell(WATCH.format(log=str(log))))
        at, reason = _execute(executed, clean, cell_seconds)
        asked = log.read_text("utf-8").splitlines() if log.exists() else []
        files = left_behind(asked, beside.resolve(), clean)
    stopped = at - 1 if reason else None
    cells = enumerate(executed.cells[1:])
    errors = {number: error for number, cell in cells if number != stopped and (error := _error(cell))}
    return CleanRun(errors, stopped, reason, files, time.perf_counter() - begin)


def _execute(notebook: NotebookNode, folder: Path, seconds: float) -> tuple[int, str]:
    """The number of the last cell that was begun, and what stopped it, if anything did."""
    begun = [0]
    client = NotebookClient(notebook, timeout=seconds, allow_errors=True, resources={"metadata": {"path": str(folder)}})
    client.on_cell_start = lambda cell, cell_index: begun.append(cell_index)  # noqa: ARG005  nbclient's names
    try:
        client.execute(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # of the kernel itself, not of the cells
    except CellTimeoutError:
        return begun[-1], "timeout"
    except DeadKernelError:
        return begun[-1], "dead"
    return begun[-1], ""


def _error(cell: NotebookNode) -> Any:
    return next((output for output in cell.get("outputs", ()) if output.output_type == "error"), None)
