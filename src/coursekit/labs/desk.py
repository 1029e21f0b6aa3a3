"""A student's desk: working copies of the labs, in ``work/``, since ``labs/`` belongs to the course."""

import datetime
import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

from coursekit.labs.messages import say
from minimodel.language import LANGUAGES, Language, check_language


def lab_names(root: Path) -> list[str]:
    """The labs of the course under ``root``, in their order."""
    return [path.stem for path in sorted((root / "labs" / LANGUAGES[0]).glob("*/*.ipynb")) if _is_lab(path)]


def released(root: Path, lang: str, lab: str) -> Path:
    """The notebook of ``lab`` as the course hands it out.

    Raises:
        ValueError: there is no such lab; the message lists those that there are.
    """
    if lab not in lab_names(root):
        raise ValueError(f"{say('no_such_lab', name=lab)}\n{list_of_labs(root)}")
    return root / "labs" / lang / lab / f"{lab}.ipynb"


def list_of_labs(root: Path) -> str:
    """The labs, a line each, and how to open one."""
    names = lab_names(root)
    return "\n".join([say("the_labs"), *(f"  {name}" for name in names), say("how_to_open", name=names[0])])


def working_copy(root: Path, lang: str, lab: str) -> Path:
    """Where a student's copy of ``lab`` lies, or will."""
    return root / "work" / lang / lab / f"{lab}.ipynb"


def language_at_work(root: Path, lab: str, asked: str | None) -> Language:
    """The language to work in: the one asked for, else that of the copy last saved, else English.

    Raises:
        ValueError: the course has no such language.
    """
    if asked:
        return check_language(asked)
    folders = [folder for lang in LANGUAGES if (folder := working_copy(root, lang, lab).parent).is_dir()]
    copies = [path for folder in folders for path in folder.glob("*.ipynb")]
    latest = max(copies, key=lambda path: path.stat().st_mtime, default=None)
    return check_language(latest.parents[1].name) if latest else LANGUAGES[0]


def take_out(root: Path, lang: str, lab: str, *, again: bool, out: Callable[[str], None] = print) -> Path:
    """Return the student's copy of ``lab``: made the first time, kept from then on.

    With ``again`` it is made anew, and the old one kept under a name with its date.

    Raises:
        ValueError: there is no such lab.
    """
    original, copy = released(root, lang, lab), working_copy(root, lang, lab)
    if copy.exists() and again and copy.read_bytes() != original.read_bytes():
        kept = dated_name(copy)
        copy.rename(kept)
        out(say("kept_aside", path=kept.relative_to(root)))
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, copy)
        out(say("copy_made", path=copy.relative_to(root)))
    return copy


def dated_name(notebook: Path) -> Path:
    """A free name with today's date beside the notebook's folder: inside it, the old one would be handed in or out."""
    stem = f"{notebook.stem}.{datetime.date.today()}"
    names = itertools.chain([stem], (f"{stem}-{count}" for count in itertools.count(2)))
    return next(path for name in names if not (path := notebook.parents[1] / f"{name}.ipynb").exists())


def _is_lab(path: Path) -> bool:
    return path.stem == path.parent.name
