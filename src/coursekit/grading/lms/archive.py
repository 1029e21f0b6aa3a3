"""A zip file, read without trust: its names lead nowhere, and it does not swell."""

import datetime
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from coursekit.grading.messages import say

MOST_FILES, MOST_BYTES, LARGEST = 20_000, 2**30, 64 * 2**20
RATIO, RATIO_FROM = 200, 10 * 2**20  # notebooks full of pictures shrink to a third, full of blanks to a fiftieth
_LITTER = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints"}
_ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar")
LONGEST_NAME = 240  # bytes, nearly, of what file systems take
_UTF8_FLAG = 0x800


@dataclass(frozen=True)
class Member:
    """A file among those handed in: where it stood, its content, its date as ``YYYY-MM-DD HH:MM:SS`` UTC."""

    path: PurePosixPath
    data: bytes
    date: str = ""


class ArchiveError(ValueError):
    """An archive that cannot be used at all."""


def read_archive(archive: Path, refused: list[str]) -> Iterator[Member]:
    """The files in an archive; what is not taken is added to ``refused``, with the reason.

    Raises:
        ArchiveError: it is no zip file, or more would come out of it than a class can hand in.
    """
    try:
        opened = zipfile.ZipFile(archive)
    except (zipfile.BadZipFile, OSError) as error:
        raise ArchiveError(say("no_zip", path=archive, error=error)) from error
    with opened:
        _check_sizes(archive, opened.infolist())
        seen = dict[str, str]()
        for info in opened.infolist():
            name = _name(info)
            if info.is_dir() or not _LITTER.isdisjoint(PurePosixPath(name).parts) or "/._" in f"/{name}":
                continue
            if reason := _objection(name, info, seen):
                refused.append(f"{_shown(name)}: {reason}")
                continue
            yield from _member(opened, info, name, refused)


def read_folder(folder: Path, refused: list[str]) -> Iterator[Member]:
    """The files in a folder, as `read_archive` has them; links are not followed."""
    for path in sorted(folder.rglob("*")):
        name = os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "replace")
        if not _LITTER.isdisjoint(PurePosixPath(name).parts) or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file():
            refused.append(f"{_shown(name)}: {say('not_regular')}")
        elif not name.isprintable():
            refused.append(f"{_shown(name)}: {say('bad_name')}")
        elif name.lower().endswith(_ARCHIVES):
            refused.append(f"{_shown(name)}: {say('archive_within')}")
        elif (size := path.stat().st_size) > LARGEST:
            refused.append(f"{_shown(name)}: {say('too_many_bytes', size=size, most=LARGEST)}")
        else:
            date = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
            yield Member(PurePosixPath(name), path.read_bytes(), f"{date:%Y-%m-%d %H:%M:%S}")


def _check_sizes(archive: Path, infos: list[zipfile.ZipInfo]) -> None:
    size, packed = sum(info.file_size for info in infos), sum(info.compress_size for info in infos)
    if len(infos) > MOST_FILES:
        raise ArchiveError(say("too_many_files", path=archive, count=len(infos), most=MOST_FILES))
    if size > MOST_BYTES:
        raise ArchiveError(say("unpacks_to_much", path=archive, size=size, most=MOST_BYTES))
    if size > RATIO_FROM and size > RATIO * max(packed, archive.stat().st_size):
        raise ArchiveError(say("bomb", path=archive, times=size // max(packed, 1)))


def _name(info: zipfile.ZipInfo) -> str:
    """The name as UTF-8, which many programs write without saying so."""
    if info.flag_bits & _UTF8_FLAG:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _objection(name: str, info: zipfile.ZipInfo, seen: dict[str, str]) -> str | None:
    """Why a file is not taken out; None where it is."""
    twin = seen.setdefault(name.casefold(), info.filename + str(info.header_offset))
    objections = {
        say("leads_out"): _leads_out(name),
        say("bad_name"): not name.isprintable() or max(len(part.encode()) for part in name.split("/")) > LONGEST_NAME,
        say("link"): stat.S_IFMT(info.external_attr >> 16) == stat.S_IFLNK,
        say("archive_within"): name.lower().endswith(_ARCHIVES),
        say("password"): bool(info.flag_bits & 1),
        say("twin"): twin != info.filename + str(info.header_offset),
        say("too_many_bytes", size=info.file_size, most=LARGEST): info.file_size > LARGEST,
        say("swells"): info.file_size > RATIO_FROM and info.file_size > RATIO * max(info.compress_size, 1),
    }
    return next((reason for reason, holds in objections.items() if holds), None)


def _leads_out(name: str) -> bool:
    return name.startswith("/") or name[1:2] == ":" or "\\" in name or ".." in PurePosixPath(name).parts


def _member(opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, refused: list[str]) -> Iterator[Member]:
    try:
        with opened.open(info) as file:
            data = file.read(LARGEST + 1)  # a header may lie about the size
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        refused.append(f"{_shown(name)}: {say('damaged_file', error=error)}")
        return
    if len(data) > LARGEST:
        refused.append(f"{_shown(name)}: {say('too_many_bytes', size=len(data), most=LARGEST)}")
        return
    year, month, day, hour, minute, second = info.date_time
    local = f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
    yield Member(PurePosixPath(name), data, as_utc(local))


def as_utc(local: str) -> str:
    """A date as zip files and learning systems write it, in the time of this place, as UTC; "" where it is none.

    >>> as_utc("1980-00-00 00:00:00")
    ''
    """
    try:
        return f"{datetime.datetime.fromisoformat(local).astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return ""


def _shown(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:120]
