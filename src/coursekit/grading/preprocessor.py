"""nbgrader's autograde, made safe: the preprocessor that stands in `nbgrader_config.py` in place of its own Execute.

Stock autograde runs student code and tests in one kernel, as the instructor, on the instructor's machine. With this
one, the command `nbgrader autograde` and the formgrader's button do the same as ever, but for that.
"""

import os
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from coursekit.grading.execute import execute
from coursekit.grading.messages import say
from coursekit.grading.sandbox import NO_SANDBOX, NoSandboxError


class SplitExecute(NbGraderPreprocessor):  # type: ignore[misc]
    """Run a submission's cells in the sandbox and the instructor's tests outside it.

    Raises:
        NbGraderException: there is no sandbox to be had, or no such lab; the submission gets no mark then.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as executed and graded."""
        if os.environ.get(NO_SANDBOX) == "1":
            self.log.warning(say("unboxed"))
        source = self._source(resources["nbgrader"]["assignment"], resources["unique_key"])
        try:
            executed = execute(source.read_text(encoding="utf-8"), nbformat.writes(nb))
        except NoSandboxError as error:
            raise NbGraderException(say("no_sandbox", error=error, way=f"{NO_SANDBOX}=1")) from error
        return nbformat.reads(executed, as_version=nb.nbformat), resources

    def _source(self, assignment: str, notebook: str) -> Path:
        """The instructor's notebook."""
        coursedir = CourseDirectory(parent=self)
        folder = coursedir.format_path(coursedir.source_directory, ".", assignment)
        source = Path(folder) / f"{notebook}.ipynb"
        if not source.exists():
            raise NbGraderException(say("no_tests", path=source))
        return source
