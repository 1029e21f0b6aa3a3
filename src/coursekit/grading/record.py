"""Record results in the gradebook through nbgrader's own converter: one notebook, one transaction, one file.

Stock `nbgrader autograde` opens the gradebook anew for each of its steps, commits after each cell and converts each
notebook twice; that, and not the marks themselves, is what its recording costs.
"""

import contextlib
import logging
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
from alembic.script import ScriptDirectory
from nbconvert.exporters import NotebookExporter
from nbgrader import api as _api
from nbgrader.api import Gradebook, SourceCell, SubmittedAssignment
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters import autograde as _autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import latesubmissions, overwritecells, saveautogrades
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from coursekit.grading.course import Course, disk_space_for, write_atomically

_USERS = (_autograde, overwritecells, saveautogrades, latesubmissions)
# What stock's two passes do and ours need not: the outputs are those of the tests' run, and the kernel and the cells'
# metadata are the instructor's, restored by the intake, and not the student's, which would have to be checked.
_NEEDLESS = ("ClearOutput", "OverwriteKernelspec", "CheckCellMetadata", "Execute", "SplitExecute")
log = logging.getLogger("coursekit.grading")


class OpenGradebook(Gradebook):  # type: ignore[misc]
    """The gradebook, open for as long as a class is recorded; what nbgrader commits is committed once, at the end."""

    def __init__(self, url: str, course_id: str) -> None:
        with patch.object(_api, "get_alembic_version", newest_schema):  # nbgrader starts a program to ask for it
            super().__init__(url, course_id)
        self._commit, self.db.commit = self.db.commit, self.db.flush
        self._source_cells = dict[tuple[str, str, str], SourceCell]()

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> SourceCell:
        """The instructor's cell, the same for every student: read once, and no longer the session's."""
        key = (name, notebook, assignment)
        if key not in self._source_cells:
            self._source_cells[key] = super().find_source_cell(*key)
            self.db.expunge(self._source_cells[key])
        return self._source_cells[key]

    def close(self) -> None:
        """Stay open: each of nbgrader's steps closes it."""

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything or nothing of what is done meanwhile."""
        try:
            yield
            self._commit()
        except BaseException:
            self.db.rollback()
            raise
        finally:
            self.db.expunge_all()

    def really_close(self) -> None:
        """Close it."""
        super().close()


def newest_schema() -> str | None:
    """The version of the gradebook's tables that this nbgrader makes."""
    return ScriptDirectory(str(Path(_api.__file__).parent / "alembic")).get_current_head()


class Tolerant(CourseDirectory):  # type: ignore[misc]
    """A course's folders; a time of submission that cannot be read is none."""

    def get_existing_timestamp(self, dest_path: str) -> Any:
        """The time that stands beside a submission."""
        try:
            return parse_utc((Path(dest_path) / "timestamp.txt").read_text(encoding="utf-8").strip())
        except (OSError, ValueError, OverflowError):
            return None


class Recorder(Autograde):  # type: ignore[misc]
    """nbgrader's Autograde, for notebooks that were executed elsewhere.

    Args:
        course: whose gradebook it is.
    """

    def __init__(self, course: Course) -> None:
        config = Config(course.config)
        directory = Tolerant(config=config)
        directory.ignore = ["*"]  # nothing that lies beside a notebook is copied
        super().__init__(coursedir=directory, config=config, log=log)
        self.gradebook = OpenGradebook(directory.db_url, directory.course_id)
        self.exporter = NotebookExporter(parent=self, config=self.config, optimistic_validation=True)
        for preprocessor in (*self.sanitize_preprocessors, *self.autograde_preprocessors):
            if _named(preprocessor) not in _NEEDLESS:
                self.exporter.register_preprocessor(preprocessor)

    def __enter__(self) -> "Recorder":
        self._patches = contextlib.ExitStack()
        self._patches.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", SAWarning)  # of the way in which nbgrader makes its rows
        for module in _USERS:
            self._patches.enter_context(patch.object(module, "Gradebook", lambda *_: self.gradebook))
        return self

    def __exit__(self, *_: object) -> None:
        self._patches.close()
        self.gradebook.really_close()

    def record(self, student: str, lab: str, notebook: str) -> None:
        """Record one student's executed notebook.

        Raises:
            GradingError: the disk is full.
            Exception: whatever nbgrader's converter raises; nothing is recorded then.
        """
        name = f"{self._format_source(lab, student)}/{lab}.ipynb"
        self.notebooks = [name]
        with disk_space_for(Path(self._format_dest(lab, student))), self.gradebook.transaction():
            self.init_assignment(lab, student)
            resources = self.init_single_notebook_resources(name)
            output, _ = self.exporter.from_notebook_node(nbformat.reads(notebook, as_version=4), resources)
            self._write(student, lab, output)

    def _write(self, student: str, lab: str, output: str) -> None:
        source, target = (Path(each(lab, student)) for each in (self._format_source, self._format_dest))
        write_atomically(target / f"{lab}.ipynb", output)
        if self.coursedir.get_existing_timestamp(str(source)):
            write_atomically(target / "timestamp.txt", (source / "timestamp.txt").read_text(encoding="utf-8"))
        self.set_permissions(lab, student)

    def knows(self, lab: str) -> bool:
        """Whether the gradebook has the lab."""
        return lab in [each.name for each in self.gradebook.assignments]

    def submissions(self, lab: str) -> dict[str, SubmittedAssignment]:
        """What the gradebook has for a lab, by student."""
        return {each.student_id: each for each in self.gradebook.assignment_submissions(lab)}


def _named(preprocessor: Any) -> str:
    return preprocessor.rsplit(".", 1)[-1] if isinstance(preprocessor, str) else preprocessor.__name__


def enter_assignment(course: Course, lab: str) -> None:
    """Make the lab's items known to the gradebook, as `nbgrader generate_assignment` does; ``labs/`` is not touched."""
    with tempfile.TemporaryDirectory() as folder:
        directory = CourseDirectory(config=course.config)
        directory.assignment_id, directory.release_directory = lab, folder
        converter = GenerateAssignment(coursedir=directory, config=course.config, log=log)
        converter.start()


def late_rules(course: Course, lab: str) -> str:
    """What decides whether a submission is late and what that costs: the date, and the course's configuration."""
    with Gradebook(course.directory.db_url, course.directory.course_id) as book:
        due = [str(each.duedate) for each in book.assignments if each.name == lab]
    return "\n".join([*due, (course.root / "nbgrader_config.py").read_text(encoding="utf-8")])
