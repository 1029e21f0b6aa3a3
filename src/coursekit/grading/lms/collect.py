"""`collect`: what a class handed in as files, brought to where nbgrader looks for it."""

import contextlib
import datetime
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook

from coursekit.grading.intake.tidy import keep_earlier, keeping_place, tidy
from coursekit.grading.lms.archive import Member, as_utc, read_archive, read_folder
from coursekit.grading.lms.names import Sender, Student, as_id, match_names, sender_of
from coursekit.grading.messages import say
from coursekit.labs.derive import course_config
from minimodel.language import LANGUAGES


@dataclass
class Collected:
    """What came in.

    Attributes:
        rows: for each sender the name, the student's id, what became of it, and how many repairs the folder needed.
        unknown: the names that nobody in the roster has.
        refused: the files that were not taken, with the reasons.
    """

    rows: list[tuple[str, str, str, int]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def table(self) -> list[str]:
        """The lines to show."""
        head = (say("handed_in_by"), say("student"), say("submission"), say("repairs_made"))
        rows = [head, *[(name, student, what, str(count or "")) for name, student, what, count in self.rows]]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines += [say("not_taken", name=name) for name in self.refused]
        lines += [say("unknown", name=name) for name in self.unknown]
        if self.unknown:
            lines.append(say("add_them"))
        return lines


def collect(root: Path, lab: str, origin: Path) -> Collected:
    """Bring the submissions of ``lab`` in a zip file or folder to ``grading/submitted``.

    Nothing is overwritten: an earlier submission is kept with its date, and the same one again changes nothing. With
    an empty gradebook, ids are made of the names.

    Raises:
        ValueError: there is no such lab, or the file is no zip file.
        FileNotFoundError: there is no such file.
    """
    sources = lab_sources(root, lab)
    if not origin.exists():
        raise FileNotFoundError(say("no_origin", path=origin))
    collected = Collected()
    files = _by_sender(
        read_folder(origin, collected.refused) if origin.is_dir() else read_archive(origin, collected.refused),
        collected,
    )
    roster = _roster(root)
    whose = match_names({sender.who for sender in files}, roster)
    senders = dict[str, Sender]()
    for sender in sorted(files, key=lambda each: (each.date, each.who), reverse=True):
        student = whose[sender.who]
        if roster and student is None:
            collected.unknown.append(sender.who)
            continue
        name = student.id if student else as_id(sender.who)
        if name in senders:
            twice = say("handed_in_twice", student=name, other=senders[name].stem)
            collected.refused.append(f"{sender.stem}: {twice}")
            continue
        senders[name] = sender
        collected.rows.append((sender.who, name, *_lay_in(root, lab, name, files[sender], sources)))
    _remember(root, lab, senders)
    collected.rows.sort()
    return collected


def lab_sources(root: Path, lab: str) -> Mapping[str, str]:
    """The instructor's notebooks of a lab by language.

    Raises:
        ValueError: there is no such lab.
    """
    paths = {lang: root / f"solutions/{lang}/{lab}/{lab}.ipynb" for lang in LANGUAGES}
    if not all(path.exists() for path in paths.values()):
        there = ", ".join(sorted(path.stem for path in (root / "solutions").glob("*.md"))) or "–"
        missing = next(path for path in paths.values() if not path.exists())
        raise ValueError(say("no_lab", lab=lab, path=missing, labs=there))
    return {lang: path.read_text(encoding="utf-8") for lang, path in paths.items()}


def senders_file(root: Path, lab: str) -> Path:
    """Where it is written down under which names a lab's submissions came, for the feedback to go back under."""
    return root / "grading" / "intake" / f"{lab}.senders.json"


def _by_sender(members: Iterable[Member], collected: Collected) -> dict[Sender, list[Member]]:
    """The files of each sender."""
    files = defaultdict[str, list[Member]](list)
    senders = dict[str, Sender]()
    for member in members:
        if (sender := sender_of(member.path)) is None:
            collected.refused.append(f"{member.path}: {say('whose')}")
            continue
        key = f"{sender.who}\0{sender.number or sender.stem}"  # Canvas begins each file of a sender's otherwise
        senders.setdefault(key, sender)
        files[key].append(
            Member(type(member.path)(sender.file or member.path.name), member.data, as_utc(sender.date) or member.date)
        )
    return {senders[key]: each for key, each in files.items()}


def _roster(root: Path) -> list[Student]:
    """The students of the gradebook."""
    with Gradebook(course_config(root, "en").CourseDirectory.db_url) as book:
        return [
            Student(each.id, each.first_name or "", each.last_name or "", each.email or "", each.lms_user_id or "")
            for each in book.students
        ]


def _lay_in(root: Path, lab: str, student: str, files: list[Member], sources: Mapping[str, str]) -> tuple[str, int]:
    """Put one student's files in their place; what became of it, and how many repairs were needed."""
    folder, keep = root / "grading" / "submitted" / student / lab, keeping_place(root, student, lab)
    if _is_there(keep / "received", files):
        return say("same_as_before"), 0
    earlier = keep_earlier(folder, keep)
    keep_earlier(keep / "received", keep)
    for place in (keep / "received", folder):
        for member in files:
            with contextlib.suppress(
                FileExistsError, NotADirectoryError, IsADirectoryError
            ):  # it is both, in the archive
                (place / member.path).parent.mkdir(parents=True, exist_ok=True)
                (place / member.path).write_bytes(member.data)
    date = (
        max((member.date for member in files), default="") or f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M:%S}"
    )
    (folder / "timestamp.txt").write_text(f"{date} UTC", encoding="utf-8")
    return say("replaces" if earlier else "new"), len(tidy(folder, lab, sources, keep).repairs)


def _is_there(folder: Path, files: list[Member]) -> bool:
    there = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return there == {member.path.as_posix(): member.data for member in files}


def _remember(root: Path, lab: str, senders: Mapping[str, Sender]) -> None:
    path = senders_file(root, lab)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known |= {student: {"system": sender.system, "stem": sender.stem} for student, sender in senders.items()}
    path.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
