"""A submission's folder: which file is the lab's notebook, and what is no part of the lab. No link is followed."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.utils import parse_utc

from coursekit.grading.intake.decoding import LARGEST, Refused, read_json
from coursekit.grading.intake.lab import Lab, read_lab_notebook
from coursekit.grading.intake.language import language_of_submission
from coursekit.grading.intake.matching import assign_roles, is_blank
from coursekit.grading.intake.repair import Repair
from coursekit.grading.intake.shape import read_cells

STAMP = "timestamp.txt"  # nbgrader's
MOST_FILES, DEEPEST_FOLDER, MOST_NOTEBOOKS = 500, 5, 20
_LITTER = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".ipynb_checkpoints", "__pycache__", ".nbgrader.log"}


@dataclass
class Found:
    """What is in a folder.

    Attributes:
        notebook: the one to grade.
        data: its bytes.
        lang: its language.
        aside: what is no part of the lab.
        repairs: what there is to tell.
        stamp_is_bad: the file with the date of submission holds none.
    """

    notebook: Path | None = None
    data: bytes = b""
    lang: str = "en"
    aside: list[Path] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    stamp_is_bad: bool = False


def look_into(folder: Path, lab: str, sources: Mapping[str, str]) -> Found:
    """What the folder of one submission of ``lab`` holds; nothing in it is changed.

    Args:
        folder: of the submission.
        lab: the lab's name, which is also its notebook's.
        sources: the instructor's notebooks by language.
    """
    found, notebooks = Found(), dict[Path, bytes]()
    for path in _entries(folder, found):
        if path.suffix.lower() == ".ipynb" and len(notebooks) < MOST_NOTEBOOKS:
            notebooks |= _read(path, folder, found)
        elif path != folder / STAMP:
            found.aside.append(path)
            found.repairs.append(Repair("stray", details={"name": _name(path, folder)}))
    _check_stamp(folder, found)
    if notebooks:
        _choose(notebooks, folder, lab, sources, found)
    elif not any(repair.kind in ("too_large", "unreadable_file") for repair in found.repairs):
        found.repairs.append(Repair("no_notebook"))
    return found


def _entries(folder: Path, found: Found) -> Iterator[Path]:
    """The regular files of a folder and its folders; what is none is set aside."""
    if folder.is_symlink() or not folder.is_dir():
        return
    count = 0
    for where, folders, files in os.walk(folder):
        inside = len(Path(where).relative_to(folder).parts)
        walked = [name for name in folders if _is_walked(Path(where) / name, inside)]
        for name in sorted([*files, *(set(folders) - set(walked))]):
            path, count = Path(where) / name, count + 1
            if count <= MOST_FILES and name not in _LITTER and stat.S_ISREG(path.lstat().st_mode):
                yield path
            else:
                found.aside.append(path)
                found.repairs += _why_aside(path, folder, count)
        folders[:] = walked


def _is_walked(path: Path, inside: int) -> bool:
    """Whether to look into a folder."""
    plain = path.name not in _LITTER and path.suffix.lower() != ".ipynb" and inside < DEEPEST_FOLDER
    return plain and not path.is_symlink()


def _why_aside(path: Path, folder: Path, count: int) -> Iterator[Repair]:
    """What to tell of something that is no file of the student's; nothing of what systems leave behind."""
    if path.is_symlink():
        yield Repair("link", details={"name": _name(path, folder), "target": _printable(str(path.readlink()))})
    elif count == MOST_FILES + 1:
        yield Repair("too_many_files", details={"kept": MOST_FILES})
    elif count <= MOST_FILES and path.name not in _LITTER:
        yield Repair("stray", details={"name": _name(path, folder)})


def _read(path: Path, folder: Path, found: Found) -> dict[Path, bytes]:
    """The notebook's bytes, if they can be had."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        found.repairs.append(Repair("unreadable_file", details={"name": _name(path, folder), "reason": error.strerror}))
        found.aside.append(path)
        return {}
    return {path: data}


def _choose(notebooks: dict[Path, bytes], folder: Path, lab: str, sources: Mapping[str, str], found: Found) -> None:
    """Of several notebooks the one with most of the lab in it; work goes before the right name."""
    right = folder / f"{lab}.ipynb"
    languages = {path: language_of_submission(data, sources) for path, data in notebooks.items()}

    def worth(path: Path) -> tuple[bool, bool, int, float]:
        there, filled = _progress(read_lab_notebook(sources[languages[path]]), notebooks[path])
        return filled > 0, path == right, there, path.stat().st_mtime

    chosen = max(sorted(notebooks), key=worth) if len(notebooks) > 1 else next(iter(notebooks))
    found.notebook, found.data, found.lang = chosen, notebooks[chosen], languages[chosen]
    found.aside += [path for path in notebooks if path != chosen]
    if chosen != right:
        found.repairs.append(Repair("renamed", details={"name": _name(chosen, folder)}))
    if len(notebooks) > 1:
        names = ", ".join(_name(path, folder) for path in sorted(notebooks))
        found.repairs.append(Repair("several_notebooks", details={"names": names, "name": _name(chosen, folder)}))


def _progress(lab: Lab, data: bytes) -> tuple[int, int]:
    """How many of the lab's cells a notebook has, and how many answers are written in it."""
    try:
        cells, _ = read_cells(read_json(data)[0])
    except Refused:
        return 0, 0
    assign_roles(lab, cells)
    asked = {each.name: each for each in lab.graded if each.kind != "test"}
    filled = sum(cell.role in asked and not is_blank(asked[cell.role], cell.source) for cell in cells)
    return sum(bool(cell.role) for cell in cells), filled


def _check_stamp(folder: Path, found: Found) -> None:
    """Whether the date of submission is one: nbgrader stops the class where it is not."""
    path = folder / STAMP
    if path.is_symlink() or not path.is_file():
        return
    with path.open("rb") as file:
        text = file.read(200).decode("utf-8", "replace").strip()
    try:
        parse_utc(text)
    except (ValueError, OverflowError):
        found.stamp_is_bad = bool(text)
    if found.stamp_is_bad:
        found.repairs.append(Repair("bad_timestamp", details={"text": _printable(text)}))


def _name(path: Path, folder: Path) -> str:
    return _printable(str(path.relative_to(folder)))


def _printable(text: str) -> str:
    """A name that a student chose, fit to be shown and stored."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:120]
