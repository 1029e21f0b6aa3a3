"""nbgrader's autograde, from the command line or the formgrader's button, on submissions made gradable first.

nbgrader makes its exporter when it has listed the submissions and before it touches the first, and reads each notebook
through it before any preprocessor, where a damaged one would stop the class. So that is where both are put right:
configured as ``c.Autograde.exporter_class``.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from coursekit.grading.intake.gradable import normalise
from coursekit.grading.intake.language import language_of_submission
from coursekit.grading.intake.tidy import keeping_place, record, tidy
from minimodel.language import LANGUAGES


class GradableExporter(NotebookExporter):  # type: ignore[misc]
    """Notebook in, notebook out; what comes from ``submitted/`` is made gradable on the way."""

    parent: Any

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if self.parent is not None:
            self._tidy_all()
            self.parent.init_notebooks()  # once more: they may have other names now, and be more

    def from_filename(self, filename: str, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """Convert the notebook in the file ``filename``."""
        if self.parent is None or not self.parent._sanitizing:  # its second pass reads its own output
            return super().from_filename(filename, resources, **kwargs)  # type: ignore[no-any-return]
        which = resources["nbgrader"]
        data, sources = Path(filename).read_bytes(), sources_of(self.parent.coursedir, which["assignment"])
        normalised = normalise(sources[language_of_submission(data, sources)], data)
        for repair in normalised.repairs:
            self.log.warning("%s: %s", which["student"], repair.as_data())
        record(self._keep(which["student"], which["assignment"]), notebook=normalised.repairs)
        notebook = nbformat.reads(normalised.notebook_text, as_version=4)
        return self.from_notebook_node(notebook, resources, **kwargs)  # type: ignore[no-any-return]

    def _tidy_all(self) -> None:
        """Put in order the folders of all submissions that are to be graded."""
        coursedir = self.parent.coursedir
        pattern = self.parent._format_source
        parts = re.compile(pattern("(?P<lab>[^/]*)", "(?P<student>[^/]*)", escape=True))
        for folder in sorted(Path("/").glob(pattern(coursedir.assignment_id, coursedir.student_id).lstrip("/"))):
            if match := parts.fullmatch(str(folder)):
                sources = sources_of(coursedir, match["lab"])
                for repair in tidy(folder, match["lab"], sources, self._keep(match["student"], match["lab"])).repairs:
                    self.log.warning("%s: %s", match["student"], repair.as_data())

    def _keep(self, student: str, lab: str) -> Path:
        return keeping_place(Path(self.parent.coursedir.root), student, lab)


def sources_of(coursedir: CourseDirectory, lab: str) -> Mapping[str, str]:
    """The instructor's notebooks of a lab, by language, that of the configuration in use first.

    Raises:
        NbGraderException: there is no such lab.
    """
    own = Path(coursedir.format_path(coursedir.source_directory, ".", lab))
    here = own.parent.name if own.parent.name in LANGUAGES else "en"
    paths = {lang: own.parents[1] / lang / lab / f"{lab}.ipynb" for lang in sorted(LANGUAGES, key=lambda x: x != here)}
    texts = {lang: path for lang, path in paths.items() if path.exists()}
    if not texts:
        raise NbGraderException(f"{own} holds no {lab}.ipynb: it has the tests. Derive it with `make labs`.")
    return {lang: _text(path, path.stat().st_mtime_ns) for lang, path in texts.items()}


@cache
def _text(path: Path, _: int) -> str:
    return path.read_text(encoding="utf-8")
