"""nbgrader's collect, which copies what students put into the exchange: links are not followed, nothing is overwritten.

The stock one follows links with the instructor's rights: a notebook that is a link to the solutions would come in as
the student's. It also deletes what it replaces, and stops at the first submission that it cannot read or that lies
under a name of no submission's. And whoever may write there may file under another's name: stock warns in its log, and
takes the newest. Here what students filed themselves goes before what others filed for them, and the latter is told.
Configured as ``c.ExchangeFactory.collect``.
"""

import contextlib
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc

from coursekit.grading.course import disk_space_for
from coursekit.grading.intake.exporter import sources_of
from coursekit.grading.intake.repair import Repair
from coursekit.grading.intake.tidy import keep_earlier, keeping_place, record, tidy
from coursekit.grading.messages import say


class CarefulCollect(ExchangeCollect):  # type: ignore[misc]
    """Collect a lab's submissions, each put in order."""

    def init_src(self) -> None:
        """Find what there is to collect; what is no submission is left where it is, and said."""
        super().init_src()
        self.src_records: list[dict[str, Any]] = [record for record in self.src_records if record["username"]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Whose a submission is, and when it was handed in; nobody's if that cannot be told."""
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            named = record["username"] not in ("", ".", "..") and record["timestamp"] is not None
        except (ExchangeError, ValueError, OverflowError):
            named = False
        if named and Path(path).is_dir() and not Path(path).is_symlink():
            return record
        self.log.warning(say("no_submission", path=ascii(path)))
        return {"username": None, "filename": "", "timestamp": parse_utc("1970-01-01 00:00:00 UTC")}

    def _sort_by_timestamp(self, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Newest first, but what another student's account filed comes last."""
        others = {each["filename"]: account for each in records if (account := self._filed_by_other(each))}
        for name, account in others.items():
            self.log.warning(say("other_account", path=ascii(name), owner=account))
        newest: list[dict[str, Any]] = super()._sort_by_timestamp(records)
        return sorted(newest, key=lambda each: each["filename"] in others)

    def _filed_by_other(self, record: Mapping[str, Any]) -> str | None:
        """The account that filed a submission, where that is another's than the student's and not an instructor's."""
        uid = _owner(Path(self.inbound_path) / record["filename"])
        if not self.check_owner or uid in (0, os.getuid()):
            return None
        with contextlib.suppress(KeyError):  # nobody of this machine: in a container, there is nothing to compare
            account = pwd.getpwuid(uid).pw_name
            return account if account != record["username"] else None
        return None

    def copy_files(self) -> None:
        """Copy all that is new, and put it in order."""
        for each in self.src_records:
            folder, keep = self._places(each["username"])
            if folder.exists():
                self._tidy(each["username"])  # a date that is none would stop the class
                if self._is_replaced(each, folder):
                    kept = keep_earlier(folder, keep)
                    self.log.info("%s: the earlier submission is kept as %s", each["username"], kept)
        super().copy_files()
        for each in self.src_records:
            self._tidy(each["username"])

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy one submission, its links as links; an empty folder in its place where that cannot be done.

        Raises:
            GradingError: the disk is full.
        """
        self._tell_who_filed(Path(src))
        try:
            with disk_space_for(Path(dest)), tempfile.TemporaryDirectory() as scratch:
                links = _copy_plain(Path(src), Path(scratch) / "submission")
                super().do_copy(str(Path(scratch) / "submission"), dest, log)
        except (OSError, RuntimeError) as error:  # the latter for more than nbgrader takes
            self.log.warning(say("not_collected", path=ascii(src), error=error))
            shutil.rmtree(dest, ignore_errors=True)
            Path(dest).mkdir()
            return
        for name, target in links.items():
            with contextlib.suppress(OSError):  # in a folder that nbgrader leaves out
                (Path(dest) / name).symlink_to(target)

    def _tell_who_filed(self, source: Path) -> None:
        filed = self._path_to_record(str(source))
        if account := self._filed_by_other(filed):
            _, keep = self._places(filed["username"])
            record(keep, folder=[Repair("other_account", details={"owner": account})])

    def _places(self, student: str) -> tuple[Path, Path]:
        """A student's submission and what is kept beside it."""
        lab = self.coursedir.assignment_id
        folder = self.coursedir.format_path(self.coursedir.submitted_directory, student, lab)
        return Path(folder), keeping_place(Path(self.coursedir.root), student, lab)

    def _is_replaced(self, record: Mapping[str, Any], folder: Path) -> bool:
        """Whether nbgrader is about to delete what was collected earlier."""
        old, new = self.coursedir.get_existing_timestamp(str(folder)), record["timestamp"]
        return bool((self.update and (old is None or new > old)) or (self.before_duedate and old != new))

    def _tidy(self, student: str) -> None:
        folder, keep = self._places(student)
        lab = self.coursedir.assignment_id
        for repair in tidy(folder, lab, sources_of(self.coursedir, lab), keep).repairs:
            self.log.warning("%s: %s", student, repair.as_data())


def _owner(path: Path) -> int:
    return path.lstat().st_uid


def _copy_plain(source: Path, target: Path) -> dict[Path, Path]:
    """Copy the folders and regular files that can be read; the links, by their place, with what they point to."""
    links = dict[Path, Path]()
    target.mkdir()
    for where, folders, files in os.walk(source):
        for name in [*folders, *files]:
            path = Path(where) / name
            relative = path.relative_to(source)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode) and (target / relative).parent.is_dir():
                links[relative] = path.readlink()
            elif stat.S_ISDIR(mode):
                (target / relative).mkdir()
            elif stat.S_ISREG(mode):
                with contextlib.suppress(PermissionError):
                    shutil.copy2(path, target / relative, follow_symlinks=False)
    return links
