"""The checks of a lab: what a test cell says about the function that the student has just written.

A test cell reads::

    with check("entropy") as call:
        call([0.5, 0.5]).gives(np.log(2), en="Use the natural logarithm.", es="Usa el logaritmo natural.")
        ### BEGIN HIDDEN TESTS
        call.hide()
        call([1, 0]).gives(0, en="0·log 0 counts as 0.", es="0·log 0 vale 0.")
        ### END HIDDEN TESTS

A failing check names the call, what it gave, what was expected and the likely misconception; a hidden one the
misconception alone. For nbgrader a failing cell ends in an error and earns nothing; a warning that the student's code
gives, which would cost the cell its points, is dropped.
"""

import contextlib
import io
import pickle
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any

import numpy as np

import minimodel
from coursekit.labs.language import spoken
from coursekit.labs.messages import say
from coursekit.labs.own_work import Borrowed, own_work
from coursekit.labs.report import CheckFailed, NotStarted
from coursekit.labs.students_code import StudentLine, student_line
from coursekit.labs.values import fresh, mismatch, not_integer, same, shown, shown_call

SLIPS = (NameError, AttributeError, ImportError)  # errors that say it all: a hint about the idea would mislead
WRONG_SHAPE = ("of_shape", "extra_axis")
WRONG_KIND = ("extra_axis", "no_integer", "no_number", "no_parts")  # these are hints in themselves


def check(name: str, *, given: tuple[str, ...] = ()) -> "Check":
    """Return the checks of the function called ``name`` in the notebook whose cell calls this.

    The functions named in ``given``, from which the student builds this one, are minimodel's own during the checks: a
    slip in one of them costs its own points and no others. Any other function of minimodel's that would do the work is
    barred: calling it earns nothing, and the report says so.
    """
    return Check(name, sys._getframe(1), given)


class Check:
    """One function under test. Calling it describes a call of that function, whose expectation is then stated."""

    def __init__(self, name: str, cell: FrameType, given: tuple[str, ...]) -> None:
        self.name, self.hidden = name, False
        self.running: Call | None = None
        self._cell, self._given = cell, given

    def __enter__(self) -> "Check":
        if self.name not in self._cell.f_globals:
            raise NotStarted(say("missing", name=self.name), say("run_definition"))
        if not callable(self.function):
            hint = say("is_overwritten", name=self.name, value=shown(self.function))
            raise CheckFailed(say("not_callable", name=self.name), hint)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> "Call":
        """The call with these arguments; nothing runs before its expectation is stated."""
        return Call(self, args, kwargs)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None:
            print(say("passed", name=self.name))
        elif not isinstance(error, CheckFailed):
            raise self._explained(error, student_line(error, self._cell)) from None

    def hide(self) -> None:
        """From here on say no more than the hint: the first line of the hidden tests."""
        self.hidden = True

    @property
    def function(self) -> Callable[..., Any]:
        """The student's function as it now stands in the notebook."""
        function: Callable[..., Any] = self._cell.f_globals[self.name]
        return function

    @contextlib.contextmanager
    def parts_in_place(self) -> Iterator[None]:
        """Minimodel's own functions under the names of the given ones, and barred under this one's, during a call."""
        names = self._cell.f_globals
        own = {name: names[name] for name in self._given if name in names}
        names.update({name: getattr(minimodel, name) for name in self._given})
        try:
            with own_work(self.name, self._given):
                yield
        finally:
            for name in self._given:
                del names[name]
            names.update(own)

    def failure(self, kind: str, hint: str, *rows: tuple[str, str]) -> CheckFailed:
        """A report of this kind; the rows, which give a test away, stay out of a hidden one."""
        return CheckFailed(say(kind + "_hidden" * self.hidden, name=self.name), hint, () if self.hidden else rows)

    def _explained(self, error: BaseException, line: StudentLine | None) -> CheckFailed:
        """What to tell of an error that the student's function let through."""
        if isinstance(error, NotImplementedError):
            return self._unwritten(line)
        place = line.row if line else ()
        if isinstance(error, Borrowed):
            return CheckFailed(say("borrowed", name=self.name), say("write_it_yourself", other=error.args[0]), place)
        if isinstance(error, KeyboardInterrupt):
            return CheckFailed(say("interrupted", name=self.name), say("endless"), place)
        call = self.running
        hint = call.hint_after(error) if call else ""
        raised = (say("raised"), type(error).__name__ if self.hidden else f"{type(error).__name__}: {error}")
        report = self.failure("stopped", hint, *(call.rows if call else ()))
        report.rows = (*report.rows, raised, *place)
        return report

    def _unwritten(self, line: StudentLine | None) -> NotStarted:
        other = line.function if line else self.name
        if other == self.name:
            return NotStarted(say("not_started", name=self.name), say("how_to_start"))
        return NotStarted(say("needs_other", name=self.name, other=other), say("write_other", other=other))


class Call:
    """A call of the student's function, and what is expected of it."""

    def __init__(self, check: Check, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._check, self._args, self._kwargs = check, args, kwargs
        self.hint = ""
        self.rows: tuple[tuple[str, str], ...] = ((say("call"), shown_call(check.name, args, kwargs)),)

    def gives(self, expected: Any, *, en: str, es: str) -> None:
        """It gives the number, the array or the tuple of arrays ``expected``, to rounding, in that shape."""
        self._expect({"en": en, "es": es}, shown(expected))
        value = self._value()
        if reason := mismatch(value, expected):
            raise self._wrong(reason, value, expected)

    def gives_id(self, expected: int, *, en: str, es: str) -> None:
        """It gives this id: an integer, of whatever kind."""
        self._expect({"en": en, "es": es}, shown(expected))
        value = self._value()
        if reason := mismatch(value, expected) or not_integer(value):
            raise self._wrong(reason, value, expected)

    def satisfies(self, condition: Callable[[Any], bool], *, en: str, es: str) -> None:
        """Its result meets ``condition``, which the hint puts in words."""
        self._expect({"en": en, "es": es})
        value = self._value()
        if not condition(value):
            raise self._wrong("value", value, None)

    def is_refused(self, *, en: str, es: str) -> None:
        """It raises ValueError."""
        self._expect({"en": en, "es": es}, say("value_error"))
        with contextlib.suppress(ValueError):
            raise self._check.failure("wrong", self.hint, *self._rows_with("value", self._value()))

    def _expect(self, hint: dict[str, str], expected: str = "") -> None:
        self.hint = hint[spoken()]
        if expected:
            self.rows = (*self.rows, (say("expected"), expected))

    def _value(self) -> Any:
        """What the function gives for copies of the arguments, with nothing else changed on the way."""
        self._check.running = self
        args, kwargs = fresh(self._args), fresh(self._kwargs)
        before = _random_state()
        with self._check.parts_in_place(), _quiet(everything=self._check.hidden):
            value = self._check.function(*args, **kwargs)
        if _random_state() != before:
            raise self._check.failure("wrong", say("touches_random"), self.rows[0])
        if not same((args, kwargs), (self._args, self._kwargs)):
            after = (say("left"), shown_call("", args, kwargs)[1:-1])
            raise self._check.failure("wrong", say("changes_argument"), self.rows[0], after)
        return value

    def hint_after(self, error: BaseException) -> str:
        """The hint for a call that raised ``error``."""
        told = str(error) if isinstance(error, TypeError | AttributeError) else ""
        if type(error).__name__ == "AxisError":  # NumPy's; in grading its name is all that arrives
            return say("no_such_axis")
        if "unhashable" in told:
            return say("unhashable")
        if ("'list'" in told or "sequence" in told) and any(isinstance(each, list) for each in self._args):
            return say("list_given")
        return "" if isinstance(error, SLIPS) and not self._check.hidden else self.hint

    def _wrong(self, reason: str, value: Any, expected: Any) -> CheckFailed:
        """The report of a wrong value; where its kind or shape is wrong, that is the hint."""
        if value is None:
            return self._check.failure("wrong", say("no_return"), *self._rows_with("value", value))
        rows = self._rows_with(reason, value)
        if reason in WRONG_SHAPE:
            rows = (*rows[:2], (say("expected"), _shown(reason, expected)))
        return self._check.failure("wrong", say(reason) if reason in WRONG_KIND else self.hint, *rows)

    def _rows_with(self, reason: str, value: Any) -> tuple[tuple[str, str], ...]:
        """The call, what it gave, and what was expected."""
        return self.rows[0], (say("got"), _shown(reason, value)), *self.rows[1:]


@contextlib.contextmanager
def _quiet(*, everything: bool) -> Iterator[None]:
    """No warning and no stderr, which nbgrader takes for a failure; no print either, where it would show a test."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(np.errstate(all="ignore"))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        if everything:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        yield


def _random_state() -> bytes:
    """The global generators' state, as a value to compare."""
    return pickle.dumps((random.getstate(), np.random.get_state()))  # noqa: NPY002  to see that nobody used it


def _shown(reason: str, value: Any) -> str:
    """The value; with its shape, or exactly as it is, where that is what is wrong."""
    if reason in WRONG_SHAPE:
        return say("of_shape" if np.shape(value) else "one_number", value=shown(value), shape=np.shape(value))
    return repr(value) if reason == "no_integer" else shown(value)
