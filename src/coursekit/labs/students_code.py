"""Where in the student's own code an error arose."""

import linecache
import traceback
from dataclasses import dataclass
from types import FrameType
from typing import Any

from coursekit.labs.messages import say


@dataclass(frozen=True)
class StudentLine:
    """One line of a notebook cell."""

    function: str
    number: int
    text: str

    @property
    def row(self) -> tuple[tuple[str, str], ...]:
        """The line as a row of a report, if its text can be had."""
        return ((say("your_line", line=self.number), self.text),) if self.text else ()


def student_line(error: BaseException, cell: FrameType) -> StudentLine | None:
    """The innermost line of ``error``'s traceback that stands in the notebook, but not in the test cell itself.

    An error that comes from elsewhere, as in grading, brings its line along.
    """
    brought = getattr(error, "student_line", None)
    return brought if isinstance(brought, StudentLine) else line_among(error, cell.f_globals, cell.f_code.co_filename)


def line_among(error: BaseException, names: dict[str, Any], but: str = "") -> StudentLine | None:
    """The innermost line of ``error``'s traceback in code whose globals are ``names``, outside the file ``but``."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        code = frame.f_code
        if frame.f_globals is names and code.co_filename != but:
            return StudentLine(code.co_name, number, linecache.getline(code.co_filename, number).strip())
    return None
