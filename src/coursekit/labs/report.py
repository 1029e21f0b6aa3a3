"""How a check that fails looks: a headline, a few rows, a hint; never a traceback."""

import textwrap

WIDTH = 80  # `nbgrader validate` cuts lines at 87 characters, four of them its own indent
_RED, _BLUE, _PLAIN = "\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"


class CheckFailed(AssertionError):  # noqa: N818  students read this name
    """An expectation about a student's function that was not met.

    Jupyter shows `_render_traceback_` in place of a traceback; ``str()`` is the headline and the hint on one line,
    for whatever keeps only that.
    """

    colour = _RED

    def __init__(self, headline: str, hint: str = "", rows: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(" ".join(filter(None, (headline, hint))))
        self.headline, self.hint, self.rows = headline, hint, rows

    @property
    def text(self) -> str:
        """The whole report, as it is printed."""
        return "\n".join(self._render_traceback_())

    def _render_traceback_(self) -> list[str]:
        """The lines that Jupyter prints for this error."""
        lines = [f"{self.colour}{_paragraph(self.headline, '')}{_PLAIN}"]
        if self.rows:
            margin = max(len(label) for label, _ in self.rows) + 3
            lines += ["", *(_paragraph(text, f"  {label:<{margin}}") for label, text in self.rows)]
        if self.hint:
            lines += ["", _paragraph(self.hint, "  ")]
        return lines


class NotStarted(CheckFailed):
    """Nothing is wrong: there is nothing to check yet. It earns no points, and says so kindly."""

    colour = _BLUE


def _paragraph(text: str, lead: str) -> str:
    """``text`` wrapped after ``lead``, its later lines aligned under its first."""
    width = WIDTH - len(lead)
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, width, break_on_hyphens=False) or [""]]
    return lead + f"\n{' ' * len(lead)}".join(lines)
