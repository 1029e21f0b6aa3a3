"""Whose a file is, by the names that learning management systems give what they hand out.

| system | name |
|---|---|
| Moodle | ``Ada Lovelace_1234567_assignsubmission_file_/lab.ipynb``, or without the last slash |
| Canvas | ``lovelaceada_12345_678901_lab.ipynb``, ``lovelaceada_LATE_12345_678901_lab.ipynb`` |
| Blackboard | ``Lab 01_alovelace_attempt_2026-11-21-10-30-00_lab.ipynb`` |
| none | ``alovelace/lab.ipynb``, ``alovelace.ipynb`` |
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

_MOODLE = re.compile(r"(?P<stem>(?P<who>[^/]+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?)/?(?P<file>.*)")
_CANVAS = re.compile(r"(?P<stem>(?P<who>[^/_]+)(?:_LATE)?_(?P<number>\d+)_\d+)_(?P<file>.+)")
_BLACKBOARD = re.compile(
    r"(?P<stem>.+_(?P<who>[^/_]+)_attempt_(?P<date>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d))(?:_(?P<file>.+)|\.txt)"
)
_SYSTEMS = {"moodle": _MOODLE, "canvas": _CANVAS, "blackboard": _BLACKBOARD}


@dataclass(frozen=True)
class Sender:
    """Who handed a file in, as its name says.

    Attributes:
        who: the name as it stands there.
        stem: what every file of theirs begins with, and their feedback has to.
        file: the file's own name.
        system: moodle, canvas, blackboard, or plain.
        number: of the sender, where the system gives one.
        date: of the submission, where the name has it.
    """

    who: str
    stem: str
    file: str
    system: str
    number: str = ""
    date: str = ""


@dataclass(frozen=True)
class Student:
    """A student of the gradebook."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""


def sender_of(path: PurePosixPath) -> Sender | None:
    """Who sent a file; None where its name says nothing.

    >>> sender_of(PurePosixPath("José Ruiz_12_assignsubmission_file_/a.ipynb")).who
    'José Ruiz'
    >>> sender_of(PurePosixPath("ruizjose_LATE_12_345_a-1.ipynb")).file
    'a-1.ipynb'
    """
    for system, pattern in _SYSTEMS.items():
        for name in (str(path), str(PurePosixPath(*path.parts[1:]))):  # perhaps all in one folder
            if match := pattern.fullmatch(name):
                parts = match.groupdict()
                date = re.sub(r"-(\d\d)-(\d\d)-(\d\d)$", r" \1:\2:\3", parts.get("date") or "")
                number = parts.get("number") or ""
                return Sender(parts["who"], parts["stem"], parts["file"] or "", system, number, date)
    if len(path.parts) > 1:
        return Sender(path.parts[0], path.parts[0], str(PurePosixPath(*path.parts[1:])), "plain")
    if path.suffix.lower() == ".ipynb":
        return Sender(path.stem, path.stem, path.name, "plain")
    return None


def match_names(names: Iterable[str], roster: Iterable[Student]) -> Mapping[str, Student | None]:
    """The student whom each name means: by id, mail address, or full name in either order, accents and case aside.

    None where nobody has it, or more than one.
    """
    known = dict[str, set[Student]]()
    for student in roster:
        first, last = student.first_name, student.last_name
        ways = (
            student.id,
            student.email,
            student.email.partition("@")[0],
            student.lms_user_id,
            first + last,
            last + first,
        )
        for way in ways:
            known.setdefault(_squeezed(way), set()).add(student)
    known.pop("", None)
    found = {name: known.get(_squeezed(name), set()) for name in names}
    return {name: next(iter(students)) if len(students) == 1 else None for name, students in found.items()}


def as_id(name: str) -> str:
    """A student id made of a name, where there is no roster.

    >>> as_id("José Ruiz, Jr."), as_id("李明")
    ('jose-ruiz-jr', '李明')
    """
    letters = unicodedata.normalize("NFC", _plain(name))  # Hangul was taken apart, too
    return re.sub(r"(?:[^\w@.]|_)+", "-", letters).strip("-.") or "unnamed"


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", _plain(name))


def _plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold()
