"""From each ``solutions/<lab>.md`` to its notebooks, two languages each: the instructor's and the student's.

The student's notebook is what nbgrader's own `generate_assignment` makes of the instructor's, under the course's own
``nbgrader_config.py``; deriving again gives the same bytes.
"""

import itertools
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from coursekit.labs.desk import dated_name
from coursekit.labs.notebooks import instructor_notebook, is_as_derived
from coursekit.labs.rules import check_lab
from coursekit.labs.source import Lab, read_lab
from minimodel.language import LANGUAGES


def derive_all(root: Path, *, out: Callable[[str], None] = print) -> list[Path]:
    """Derive every lab's notebooks under ``root``; write those that changed, say so, and return their paths.

    A notebook that somebody worked in is kept beside its folder, with the date in its name, before it is replaced.

    Raises:
        LabError: a source breaks a rule; nothing is written then.
        FileNotFoundError: there is no source.
    """
    sources = sorted((root / "solutions").glob("*.md"))
    if not sources:
        raise FileNotFoundError(f"no lab in {root / 'solutions'}: expected one file solutions/<lab>.md for each")
    labs = [read_lab(path) for path in sources]
    for lab in labs:
        check_lab(lab)
    with tempfile.TemporaryDirectory() as scratch:
        for lab, lang in itertools.product(labs, LANGUAGES):
            _derive(lab, lang, root, Path(scratch))
        changed = [path for path in sorted(_files(Path(scratch))) if _publish(Path(scratch), path, root, out)]
    if not changed:
        out(f"labs: {len(labs)} up to date, in {' and '.join(LANGUAGES)}")
    return [root / path for path in changed]


def course_config(root: Path, lang: str) -> Config:
    """What ``nbgrader_config.py`` under ``root`` sets for one language."""
    with patch.dict(os.environ, COURSE_LANG=lang):
        return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()


def _derive(lab: Lab, lang: str, root: Path, scratch: Path) -> None:
    """Both notebooks of one lab in one language, into ``scratch``, at the places that they have under ``root``."""
    config = course_config(root, lang)
    config.CourseDirectory.root = str(scratch)
    config.CourseDirectory.assignment_id = lab.name
    config.SaveCells.enabled = False  # nbgrader's own --no-db
    config.GenerateAssignment.no_database = True
    source = scratch / config.CourseDirectory.source_directory / lab.name / f"{lab.name}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(instructor_notebook(lab, lang), encoding="utf-8")
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.log = logging.getLogger("nbgrader")  # its errors tell more than the exception that follows them
    converter.start()


def _files(folder: Path) -> Iterator[Path]:
    return (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _publish(scratch: Path, path: Path, root: Path, out: Callable[[str], None]) -> bool:
    """Put one derived file in its place, if it differs from what is there; whether it did."""
    new, place = (scratch / path).read_text(encoding="utf-8"), root / path
    old = place.read_text(encoding="utf-8") if place.exists() else None
    if new == old:
        return False
    if old is not None and not is_as_derived(old):
        kept = dated_name(place)
        shutil.copy2(place, kept)
        out(f"{path}: it had been worked in, so the old one is kept as {kept.relative_to(root)}")
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_suffix(".new")
    beside.write_text(new, encoding="utf-8")
    beside.replace(place)
    out(f"{path}: written")
    return True
