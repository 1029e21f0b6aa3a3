"""Grade a class: run what is new or changed, record what is not recorded, and leave nobody out.

The driver is the only one that writes: results as they come from the workers, each to a file of its own and then, in
one transaction, to the gradebook. It holds no more than a few notebooks at a time.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coursekit.grading.course import Course, GradingError
from coursekit.grading.intake.folder import STAMP, look_into
from coursekit.grading.intake.tidy import folder_repairs, keeping_place
from coursekit.grading.limits import Limits
from coursekit.grading.messages import say
from coursekit.grading.record import Recorder, enter_assignment, late_rules
from coursekit.grading.results import Results, known_of
from coursekit.grading.sandbox import NoSandboxError
from coursekit.grading.tasks import KEY, Graded, Task, get_ready, run_here, run_on_cluster
from minimodel.language import LANGUAGES


@dataclass
class Row:
    """How one submission fared.

    Attributes:
        student: whose it is.
        key: of its result.
        lang: of the notebook.
        known: what the grader says of it: items, events, repairs.
        terms: what decides whether it is late, see `Grading.look`.
        reason: why it has no mark.
        seconds: of work.
        state: what is to be done yet: "run", "record" or "done".
        ran: whether its code was run this time.
        record_seconds: how long it took to put it into the gradebook.
    """

    student: str
    key: str
    lang: str
    terms: str = ""
    known: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0
    state: str = "run"
    ran: bool = False
    record_seconds: float = 0

    @property
    def points(self) -> float:
        """What the tests gave."""
        return float(sum(item["points"] for item in self.known.get("items", {}).values()))

    @property
    def out_of(self) -> float:
        """What they can give."""
        return float(sum(item["max"] for item in self.known.get("items", {}).values()))


@dataclass(frozen=True)
class Options:
    """How to grade.

    Attributes:
        workers: how many processes of this machine.
        scheduler: a Dask cluster's, in place of them.
        boxed: False to run student code without a sandbox.
        limits: of one submission.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    scheduler: str | None = None
    boxed: bool = True
    limits: Limits = field(default_factory=Limits)


class Grading:
    """The grading of one lab of a course.

    Args:
        course: the course's folder.
        lab: which lab.
        options: how.

    Raises:
        GradingError: there is no such lab, or nobody has handed it in.
    """

    def __init__(self, course: Course, lab: str, options: Options | None = None) -> None:
        self.course, self.lab, self.options = course, lab, options or Options()
        self.results = Results(course, lab)
        self.sources: dict[str, str] = {lang: course.source(lab, lang) for lang in LANGUAGES}
        self.folders = course.handed_in(lab)
        if not self.folders:
            raise GradingError(say("nobody", lab=lab, folder=course.directory.submitted_directory))

    def look(self) -> list[Row]:
        """What there is to do for each submission."""
        recorded = self.results.recorded()
        rows = [self._row(student, folder) for student, folder in self.folders.items()]
        rules = late_rules(self.course, self.lab)
        for row in rows:
            row.terms = self._terms(row.student, rules)
            if self.results.has(row.key):
                row.state = "done" if recorded.get(row.student) == (row.key, row.terms) else "record"
        return rows

    def _terms(self, student: str, rules: str) -> str:
        """The hash of what makes a submission late: the rules, and when it was handed in."""
        stamp = self.folders[student] / STAMP
        came = stamp.read_bytes() if stamp.is_file() and not stamp.is_symlink() else b""
        return hashlib.sha256(rules.encode() + came).hexdigest()[:KEY]

    def known(self) -> list[Row]:
        """What is known of each submission, as it was last recorded; nothing is done."""
        recorded, rows = self.results.recorded(), list[Row]()
        for student in self.folders:
            key, _ = recorded.get(student, ("", ""))
            graded = self.results.get(key)
            rows.append(Row(student, key, "", reason="" if graded else say("no_result")))
            if graded:
                self._take(rows[-1], graded)
        return rows

    def _row(self, student: str, folder: Path) -> Row:
        task, lang = self._task(student, folder)
        return Row(student, task.key, lang)

    def _task(self, student: str, folder: Path) -> tuple[Task, str]:
        """The task that a submission is, and its language; what collecting has put right is told with the rest."""
        found = look_into(folder, self.lab, self.sources)
        before = folder_repairs(keeping_place(self.course.root, student, self.lab))
        repairs = (*before, *(each for each in found.repairs if each not in before))
        source = self.sources[found.lang]
        return Task(source, found.data, repairs, self.options.limits, self.options.boxed), found.lang

    def run(self, tell: Callable[[Row], None] = lambda _: None) -> list[Row]:
        """Grade the class; ``tell`` hears of each submission that is done.

        Raises:
            GradingError: another grading is at work, the disk is full, no scheduler or no sandbox is there.
        """
        with self.course.locked():
            if self.options.scheduler is None:
                get_ready()
            self._enter()
            rows = self.look()
            with Recorder(self.course) as recorder:
                known = recorder.submissions(self.lab)
                for row in self._graded(rows):
                    self._record(recorder, row, known=row.student in known)
                    tell(row)
            return rows

    def _enter(self) -> None:
        """Make the gradebook know the lab, where it does not or where the lab has changed."""
        version = hashlib.sha256(self.sources["en"].encode()).hexdigest()
        with Recorder(self.course) as recorder:
            there = recorder.knows(self.lab)
        if not there or not self.results.knows_source(version):
            enter_assignment(self.course, self.lab)
            self.results.mark_source(version)

    def _graded(self, rows: list[Row]) -> Iterator[Row]:
        """The submissions, each as soon as there is a result."""
        yield from (row for row in rows if row.state != "run")
        by_key: dict[str, list[Row]] = {}
        for row in rows:
            if row.state == "run":
                by_key.setdefault(row.key, []).append(row)
        todo = ((key, self._task(same[0].student, self.folders[same[0].student])[0]) for key, same in by_key.items())
        for key, graded in self._results_of(todo):
            if graded.final:
                self.results.put(key, graded)
            for row in by_key[key]:
                row.state, row.ran = "record", True
                self._take(row, graded)
                yield row

    def _results_of(self, tasks: Iterable[tuple[str, Task]]) -> Iterator[tuple[str, Graded]]:
        try:
            if self.options.scheduler is None:
                yield from run_here(tasks, self.options.workers)
            else:
                yield from run_on_cluster(tasks, self.options.scheduler)
        except NoSandboxError as error:
            raise GradingError(say("no_sandbox", error=error, way="--no-sandbox")) from error
        except OSError as error:
            if self.options.scheduler is None:
                raise
            raise GradingError(say("no_scheduler", address=self.options.scheduler, error=error)) from error

    def _take(self, row: Row, graded: Graded) -> None:
        row.reason, row.seconds = graded.reason, graded.seconds
        row.known = known_of(graded)

    def _record(self, recorder: Recorder, row: Row, *, known: bool) -> None:
        """Put a submission's result into the gradebook, if it is not there."""
        graded = self.results.get(row.key)
        if graded is None or graded.notebook is None:
            row.reason = row.reason or (graded.reason if graded else "")
            return
        self._take(row, graded)
        if row.state == "done" and known:
            return
        began = time.monotonic()
        try:
            recorder.record(row.student, self.lab, graded.notebook)
        except GradingError:
            raise
        except UnicodeEncodeError:  # no database takes such a name
            row.reason = say("name_is_no_text")
            return
        except Exception as error:  # noqa: BLE001  nobody's submission stops the class
            row.reason = say("not_recorded", error=f"{type(error).__name__}: {error}"[:300])
            return
        self.results.mark_recorded(row.student, row.key, row.terms)
        row.state, row.record_seconds = "done", time.monotonic() - began
