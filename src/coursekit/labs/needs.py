"""Cells that explore with the student's functions: where one is blank or stops, the notebook says so and goes on."""

import sys
from types import TracebackType

from coursekit.labs.messages import say
from coursekit.labs.report import CheckFailed
from coursekit.labs.students_code import student_line


class needs:  # noqa: N801  read as a word: with needs("entropy"):
    """Around lines that use the student's functions: an error of theirs is told briefly; their checks say more."""

    def __init__(self, *functions: str) -> None:
        self._functions, self._cell = functions, sys._getframe(1)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        told = self._told(error) if isinstance(error, Exception) else None
        if told:
            print(told)
        return told is not None

    def _told(self, error: Exception) -> str | None:
        """What to say of ``error``; None where it is none of the student's functions'."""
        if isinstance(error, NameError) and error.name in self._functions:
            return say("not_yet", name=error.name)
        line = student_line(error, self._cell)
        if line is None:
            return None
        if isinstance(error, NotImplementedError):
            return say("not_yet", name=line.function)
        raised = (say("raised"), f"{type(error).__name__}: {error}")
        return CheckFailed(say("broken"), say("see_its_check"), (raised, *line.row)).text
