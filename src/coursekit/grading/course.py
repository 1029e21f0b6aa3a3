"""Where a course keeps its labs, its submissions and its marks: as its `nbgrader_config.py` says, and beside that."""

import contextlib
import errno
import glob
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from filelock import FileLock, Timeout
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from coursekit.grading.messages import say


class GradingError(ValueError):
    """Grading cannot go on. The message says why, and what to do."""


@dataclass(frozen=True)
class Course:
    """A course's folder.

    Attributes:
        root: where `nbgrader_config.py` is.
    """

    root: Path

    @cached_property
    def config(self) -> Config:
        """The course's nbgrader configuration."""
        if not (self.root / "nbgrader_config.py").exists():
            raise GradingError(say("no_course", folder=self.root))
        if glob.escape(str(self.root)) != str(self.root):
            raise GradingError(say("pattern_in_path", folder=self.root))
        config: Config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        return config

    @cached_property
    def directory(self) -> CourseDirectory:
        """The course as nbgrader sees it."""
        return CourseDirectory(config=self.config)

    @cached_property
    def labs(self) -> list[str]:
        """The labs that there are notebooks of, in order."""
        return sorted(path.parent.name for path in self.root.glob("solutions/en/*/*.ipynb"))

    @cached_property
    def grading(self) -> Path:
        """The folder of all that grading keeps."""
        return self.root / "grading"

    def source(self, lab: str, lang: str) -> str:
        """The instructor's notebook, as text.

        Raises:
            GradingError: there is no such lab.
        """
        path = self.root / f"solutions/{lang}/{lab}/{lab}.ipynb"
        if not path.exists():
            raise GradingError(say("no_lab", lab=lab, path=path, labs=", ".join(self.labs) or "–"))
        return path.read_text(encoding="utf-8")

    def handed_in(self, lab: str) -> dict[str, Path]:
        """The folders of the submissions, by student, in order."""
        folders = Path(self.directory.format_path(self.directory.submitted_directory, "*", lab))
        found = self.root.glob(str(folders.relative_to(self.root)))
        return {path.parent.name: path for path in sorted(found) if path.is_dir() and not path.is_symlink()}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one that grades; a grader that was killed holds nothing.

        Raises:
            GradingError: another one is at work.
        """
        self.grading.mkdir(exist_ok=True)
        try:
            with FileLock(self.grading / ".lock", timeout=0):
                yield
        except Timeout:
            raise GradingError(say("locked", folder=self.grading)) from None


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all, and have it on the disk.

    Raises:
        GradingError: the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with disk_space_for(path):
        handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:  # for names
                file.write(text)
                file.flush()
                os.fsync(handle)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def disk_space_for(path: Path) -> Iterator[None]:
    """Say it plainly where the disk is full.

    Raises:
        GradingError: it is.
    """
    try:
        yield
    except Exception as error:
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        if full or "disk is full" in str(error):  # the latter is SQLite's
            raise GradingError(say("disk_full", path=path)) from error
        raise
