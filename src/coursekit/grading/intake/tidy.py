"""A submission's folder put in order, so that nbgrader finds in it what it looks for; what is moved is kept.

What is set aside, the earlier submissions and the record of repairs are in ``grading/intake/<student>/<lab>/``.
"""

import datetime
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coursekit.grading.intake.folder import STAMP, Found, look_into
from coursekit.grading.intake.gradable import blank
from coursekit.grading.intake.repair import Repair


def keeping_place(root: Path, student: str, lab: str) -> Path:
    """Where a course under ``root`` keeps what belongs to a submission and is not to be graded."""
    return root / "grading" / "intake" / student / lab


def tidy(folder: Path, lab: str, sources: Mapping[str, str], keep: Path) -> Found:
    """Put the folder of a submission in order: the notebook under its name, the rest aside, a date that is one.

    Args:
        folder: of the submission.
        lab: the lab's name.
        sources: the instructor's notebooks by language.
        keep: where to put what is moved and the record.
    """
    found = look_into(folder, lab, sources)
    right = folder / f"{lab}.ipynb"
    date = _own_date(folder, found)
    if folder.is_symlink():
        _set_aside(folder, folder.parent, keep)
    for path in found.aside:
        _set_aside(path, folder, keep)
    if found.stamp_is_bad:
        _set_aside(folder / STAMP, folder, keep)
        (folder / STAMP).write_text(date, encoding="utf-8")
    if found.notebook is None:
        folder.mkdir(parents=True, exist_ok=True)
        right.write_text(blank(next(iter(sources.values())), found.repairs[-1]).notebook_text, encoding="utf-8")
    elif found.notebook != right:
        _set_aside(found.notebook, folder, keep)
        right.write_bytes(found.data)
    record(keep, folder=found.repairs)
    return found


def record(keep: Path, **repairs: Any) -> None:
    """Write down the repairs: those of the folder add up, since what they tell of is no longer to be seen there."""
    now = recorded(keep)
    for part, each in repairs.items():
        new = [repair.as_data() for repair in each]
        now[part] = now[part] + [one for one in new if one not in now[part]] if part == "folder" else new
    keep.mkdir(parents=True, exist_ok=True)
    beside = keep / "repairs.json.new"
    beside.write_text(json.dumps(now, ensure_ascii=False, indent=1), encoding="utf-8")
    beside.replace(keep / "repairs.json")


def recorded(keep: Path) -> dict[str, list[dict[str, Any]]]:
    """The repairs written down of a submission: of its folder, and of its notebook."""
    try:
        return dict(json.loads((keep / "repairs.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {"folder": [], "notebook": []}


def folder_repairs(keep: Path) -> list[Repair]:
    """The repairs written down of a submission's folder, which is in order since."""
    return [Repair(each.pop("kind"), each.pop("cell"), each) for each in recorded(keep)["folder"]]


def keep_earlier(folder: Path, keep: Path) -> Path | None:
    """Move what was handed in before out of the way of something newer; where it now is."""
    if not folder.exists() and not folder.is_symlink():
        return None
    when = datetime.datetime.fromtimestamp(folder.lstat().st_mtime, datetime.UTC).strftime("%Y-%m-%d %H.%M.%S")
    place = _free(keep / "earlier" / when)
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(folder, place)  # noqa: PTH105  moves a link, does not follow it
    if (keep / "repairs.json").exists():
        shutil.move(keep / "repairs.json", place / "repairs.json")
    return place


def _own_date(folder: Path, found: Found) -> str:
    """The date of the notebook's file, as nbgrader writes dates."""
    path = found.notebook or folder
    when = path.stat().st_mtime if path.exists() else 0
    return datetime.datetime.fromtimestamp(when, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _set_aside(path: Path, folder: Path, keep: Path) -> None:
    place = _free(keep / "aside" / path.relative_to(folder))
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path, place)  # noqa: PTH105  moves a link, does not follow it


def _free(path: Path) -> Path:
    """The path, or one like it that is not taken."""
    number = 1
    place = path
    while place.exists() or place.is_symlink():
        number += 1
        place = path.with_name(f"{path.name} ({number})")
    return place
