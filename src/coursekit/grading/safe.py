"""Preprocessors of nbgrader's that make what a student's notebook holds safe to look at, and keep the tests hidden."""

import re
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import List

SHOWN = ("text/plain", "image/png", "image/jpeg")  # nothing among them can run
_HIDDEN = re.compile(r"^[ \t]*### BEGIN HIDDEN TESTS.*?(?:### END HIDDEN TESTS[^\n]*|\Z)", re.DOTALL | re.MULTILINE)


def prose(source: str) -> str:
    """A text in Markdown as HTML in which nothing can run; formulas stay as typed.

    >>> prose("*So* <script>alert(1)</script> [on](javascript:alert)")
    '<p><em>So</em> &lt;script&gt;alert(1)&lt;/script&gt; <a href="#harmful-link">on</a></p>'
    """
    renderer = IPythonRenderer(escape=True, allow_harmful_protocols=False)
    return str(MarkdownWithMath(renderer=renderer).render(source)).strip()


class _Quiet(NbGraderPreprocessor):  # type: ignore[misc]
    """One that says nothing of nbconvert's options, which it does not use."""

    display_data_priority: Any = List(config=True)


class Defuse(_Quiet):
    """Leave of each output what cannot run: texts and bitmaps. No HTML, SVG, LaTeX, JavaScript, Markdown or widget."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Go through a cell's outputs and attachments."""
        del cell_index
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data = NotebookNode({kind: output.data[kind] for kind in SHOWN if kind in output.data})
                output.metadata = NotebookNode()
        cell.pop("attachments", None)
        return cell, resources


class HideHidden(_Quiet):
    """Take the hidden tests out of what a student gets to see, and each traceback of a test down to its message."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Cut a cell's hidden part."""
        del cell_index
        cell.source = _HIDDEN.sub("", cell.source).rstrip()
        if is_grade(cell) and not is_solution(cell):
            for output in cell.get("outputs", []):
                if output.output_type == "error" and not output.evalue.startswith(("✗", "○")):
                    output.traceback = [f"{output.ename}: {output.evalue}"]
        return cell, resources


class Marks(GetGrades):  # type: ignore[misc]
    """nbgrader's GetGrades, which also tells what nobody has marked yet."""

    def _get_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._get_score(cell, resources)
        grade = self.gradebook.find_grade(
            cell.metadata["nbgrader"]["grade_id"], self.notebook_id, self.assignment_id, self.student_id
        )
        marked = grade.manual_score is not None  # and yet, after a second run, nbgrader wants it looked at
        cell.metadata.nbgrader["unmarked"] = bool(grade.needs_manual_grade) and not marked
