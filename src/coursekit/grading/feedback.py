"""Feedback: one page a student, in the student's language, that needs no network and in which nothing can run.

The pages are nbgrader's, by `nbgrader generate_feedback` or by `python -m coursekit feedback`; the exporter is ours.
It shows code, plain text and bitmaps, all escaped, and none of the tests' source.
"""

import logging
import re
import secrets
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import Exporter
from nbconvert.filters.ansi import strip_ansi
from nbformat import NotebookNode
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_solution
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from coursekit.grading.course import Course, GradingError, write_atomically
from coursekit.grading.intake import told
from coursekit.grading.intake.folder import SECRET, STAMP
from coursekit.grading.messages import say
from coursekit.grading.safe import prose
from minimodel.language import LANGUAGES

PAGES = Path(__file__).parent / "pages"
LONGEST = 20_000  # characters of one output, or of one cell
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")
_NO_ANSWER = "No response."  # what nbgrader says of a written answer that nobody has begun
log = logging.getLogger("coursekit.feedback")


class FeedbackExporter(HTMLExporter):  # type: ignore[misc]
    """A graded notebook as its student's feedback."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page."""
        nb, resources = Exporter.from_notebook_node(self, nb, resources, **kwargs)
        return feedback_page(nb, resources["nbgrader"]), resources


def feedback_page(nb: NotebookNode, marks: Mapping[str, Any]) -> str:
    """The page of a notebook whose cells have their marks in ``metadata.nbgrader``."""
    known = nb.metadata.get("coursekit", {})
    lang = known.get("language", nb.metadata.get("lang"))
    lang = lang if lang in LANGUAGES else "en"
    answers = {cell.metadata.nbgrader.grade_id: cell for cell in nb.cells if is_solution(cell)}
    items = [_item(cell, known, answers) for cell in nb.cells if is_grade(cell)]
    items = [item | {"comment": _remark(item["comment"], lang)} for item in items]
    shown = {name for item in items for name in (item["name"], f"test_{item['name']}")}
    rest = [_shown(cell) for cell in nb.cells if _is_more(cell, shown)]
    values = {"title": nb.metadata.get("title", marks["notebook"]), "marks": marks, "items": items}
    repairs = [told(each, lang, "student") for each in known.get("repairs", [])]
    return render("feedback.html", lang, repairs=repairs, rest=rest, **values)


def _item(cell: NotebookNode, known: Mapping[str, Any], answers: Mapping[str, NotebookNode]) -> dict[str, Any]:
    """What the page says of one item."""
    mark = cell.metadata.nbgrader
    name = mark.grade_id.removeprefix("test_")
    row = known.get("items", {}).get(mark.grade_id, {})
    answer = answers.get(name)
    item = {"name": name, "points": mark.get("score") or 0, "max": mark.get("points") or 0, "row": row, "mark": mark}
    comment = mark.get("comment") or (answer.metadata.nbgrader.get("comment") if answer else "")
    if is_solution(cell):
        return item | {"text": cell.source, "comment": comment}
    return item | {"code": answer.source if answer else "", "said": _shown(cell)["outputs"], "comment": comment}


def _remark(comment: str | None, lang: str) -> Markup:
    """A comment, which the formgrader takes as Markdown; nbgrader's own is said in the student's language."""
    text = say("no_answer", lang) if comment == _NO_ANSWER else comment or ""
    return Markup(prose(text))  # noqa: S704  nothing runs in it


def _is_more(cell: NotebookNode, shown: set[str]) -> bool:
    return cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade_id") not in shown


def _shown(cell: NotebookNode) -> dict[str, Any]:
    return {"code": cell.source, "outputs": list(_outputs(cell))}


def _outputs(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """Each output as ("text", …) or ("image/png", base64); nothing else is shown."""
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        pictures = [kind for kind in ("image/png", "image/jpeg") if _BASE64.fullmatch(str(data.get(kind, "")))]
        text = output.get("text") or "\n".join(output.get("traceback", [])) or data.get("text/plain", "")
        if pictures:
            yield pictures[0], data[pictures[0]]
        elif text:
            yield "text", strip_ansi(str(text))[:LONGEST]


def render(page: str, lang: str, **values: Any) -> str:
    """A page of ours in a language, every value escaped."""
    return _environment().get_template(page).render(lang=lang, say=partial(say, lang=lang), **values)


@cache
def _environment() -> Environment:
    environment = Environment(loader=FileSystemLoader(PAGES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["python"] = _coloured
    environment.globals["code_style"] = Markup(HtmlFormatter(style="friendly").get_style_defs("pre"))  # noqa: S704
    return environment


def _coloured(code: str) -> Markup:
    """Python code; of very much of it, where it begins."""
    code = code if len(code) <= LONGEST else f"{code[:LONGEST]}\n…"
    return Markup(highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)))  # noqa: S704  escaped


class FeedbackWriter(GenerateFeedback):  # type: ignore[misc]
    """nbgrader's GenerateFeedback, one student at a time.

    Args:
        course: whose.
    """

    def __init__(self, course: Course) -> None:
        super().__init__(coursedir=CourseDirectory(config=course.config), config=course.config, log=log)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        for preprocessor in self.preprocessors:
            self.exporter.register_preprocessor(preprocessor)

    def source(self, lab: str, student: str) -> str:
        """The folder of a graded submission."""
        return str(self._format_source(lab, student))

    def write(self, student: str, lab: str) -> None:
        """Write one student's page.

        Raises:
            GradingError: the disk is full.
            Exception: whatever nbgrader's preprocessors raise.
        """
        graded = f"{self.source(lab, student)}/{lab}.ipynb"
        page, _ = self.exporter.from_filename(graded, self.init_single_notebook_resources(graded))
        write_atomically(Path(self._format_dest(lab, student)) / f"{lab}.html", page)
        self._write_for_the_exchange(student, lab)

    def _write_for_the_exchange(self, student: str, lab: str) -> None:
        """Put beside a page what `nbgrader release_feedback` asks for; what came by mail gets a secret of no use."""
        came = Path(self.coursedir.format_path(self.coursedir.submitted_directory, student, lab))
        for name, otherwise in {STAMP: "", SECRET: secrets.token_hex(64)}.items():
            path = came / name
            known = path.is_file() and not path.is_symlink()
            text = path.read_text(encoding="utf-8", errors="replace") if known else otherwise
            write_atomically(Path(self._format_dest(lab, student)) / name, text)


def write_feedback(course: Course, lab: str) -> dict[str, str]:
    """Write each graded student's page; return by student what went wrong, if anything.

    Raises:
        GradingError: no submission of the lab is graded yet, or the disk is full.
    """
    writer, failed = FeedbackWriter(course), dict[str, str]()
    graded = f"{writer.source(lab, '*')}/{lab}.ipynb"
    students = sorted(path.parent.parent.name for path in Path("/").glob(graded.lstrip("/")))
    if not students:
        course.source(lab, "en")  # to begin with, is there such a lab?
        raise GradingError(say("not_graded", lab=lab))
    for student in students:
        try:
            writer.write(student, lab)
        except GradingError:
            raise
        except Exception as error:  # noqa: BLE001  nobody's page stops the others'
            failed[student] = f"{type(error).__name__}: {error}"[:300]
    return failed
