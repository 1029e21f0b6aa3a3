"""The verbs of grading, as they look on a terminal: `python -m coursekit grade|status|feedback|export|report LAB`."""

import time
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column, Table

from coursekit.grading.course import Course, GradingError
from coursekit.grading.driver import Grading, Options, Row
from coursekit.grading.intake import told
from coursekit.grading.messages import say
from coursekit.grading.standing import standing, waiting
from coursekit.labs.language import spoken

SIGNS = {"right": "[green]✓[/]", "wrong": "[red]✗[/]", "not_started": "○", "missing": "○"}


def grade(arguments: Namespace) -> int:
    """Grade a lab's submissions; those that nothing was changed in are not graded again."""
    options = Options(scheduler=arguments.scheduler, boxed=not arguments.no_sandbox)
    if arguments.workers is not None:
        if arguments.workers < 1:
            raise GradingError(say("no_workers", count=arguments.workers))
        options = Options(arguments.workers, options.scheduler, options.boxed)
    console, grading = Console(), Grading(_course(arguments), arguments.lab, options)
    if not options.boxed:
        Console(stderr=True).print(f"[bold white on red]{say('unboxed')}")
    if arguments.dry_run:
        console.print(_prospect(grading))
        return 0
    began = time.monotonic()
    rows = _run(grading, console)
    console.print(table(rows))
    failed, ran = sum(bool(row.reason) for row in rows), sum(row.ran for row in rows)
    seconds, graded = time.monotonic() - began, len(rows) - failed
    said = say("summary", lab=arguments.lab, seconds=seconds, graded=graded, all=len(rows), ran=ran, failed=failed)
    console.print(said, markup=False)
    if count := waiting(grading.course, grading.lab):
        console.print(say("wait_for_you", count=count))
    return 1 if failed else 0


def _prospect(grading: Grading) -> str:
    states = [row.state for row in grading.look()]
    return say(
        "would", lab=grading.lab, todo=states.count("run"), record=states.count("record"), done=states.count("done")
    )


def _run(grading: Grading, console: Console) -> list[Row]:
    """Grade, with a bar that moves."""
    title = TextColumn("{task.description}")
    last = TextColumn("{task.fields[last]}")
    columns = title, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), last
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(say("grading", lab=grading.lab), total=len(grading.folders), last="")
        return grading.run(lambda row: progress.update(bar, advance=1, last=_harmless(row.student)))


def table(rows: list[Row]) -> Table:
    """The class, a line a student."""
    lines = Table(
        Column(say("student"), no_wrap=True),
        *map(say, ("language", "mark", "items", "seconds")),
        Column(say("note"), overflow="fold"),
    )
    for row in rows:
        mark = f"{row.points:g}/{row.out_of:g}" if row.known else "–"
        signs = "".join(SIGNS.get(item["kind"], "[red]![/]") for item in row.known.get("items", {}).values())
        lines.add_row(_harmless(row.student), row.lang, mark, signs, f"{row.seconds:.1f}", _note(row))
    return lines


def _note(row: Row) -> str:
    """Why there is no mark, or what was out of the ordinary."""
    notes = [f"[red]{_harmless(row.reason)}[/]"] if row.reason else []
    notes += [_event(each) for each in row.known.get("events", [])]
    notes += [_harmless(told(each, spoken())) for each in row.known.get("repairs", [])]
    return "\n".join(notes)


def _harmless(text: str) -> str:
    """A text that a student may have chosen, which neither styles nor commands the terminal."""
    return escape("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text))


def _event(event: Mapping[str, Any]) -> str:
    """What happened during the run; cells are counted from 1, as people do."""
    return say(event["event"], item=escape(str(event.get("item", ""))), cell=event.get("cell", 0) + 1)


def status(arguments: Namespace) -> int:
    """Show, for each lab, what is handed in, graded, changed since, to be marked by hand, and returned."""
    course = _course(arguments)
    columns = ("handed_in", "graded", "changed", "by_hand", "with_feedback")
    lines = Table(Column(say("lab"), no_wrap=True), *(_whole_words(say(name)) for name in columns))
    for lab in [arguments.lab] if arguments.lab else course.labs:
        lines.add_row(lab, *standing(course, lab).row)
    Console().print(lines)
    return 0


def _whole_words(heading: str) -> Column:
    """A column as wide as the longest word of its heading."""
    return Column(heading, width=max(map(len, heading.split())))


def feedback(arguments: Namespace) -> int:
    """Write each graded student's feedback, in the student's language."""
    from coursekit.grading.feedback import write_feedback  # noqa: PLC0415

    console, course = Console(), _course(arguments)
    failed = write_feedback(course, arguments.lab)
    for student, error in failed.items():
        console.print(_harmless(say("no_feedback", student=student, error=error)), style="red")
    folder = course.directory.feedback_directory
    count = len(list(course.root.glob(f"{folder}/*/{arguments.lab}/*.html")))
    console.print(say("feedback_written", lab=arguments.lab, count=count, folder=folder))
    return 1 if failed else 0


def export(arguments: Namespace) -> int:
    """Write a lab's marks as CSV, for a gradebook, and as JSON."""
    from coursekit.grading.marks import write_marks  # noqa: PLC0415

    count, paths = write_marks(_course(arguments), arguments.lab)
    Console().print(say("exported", count=count, paths=", ".join(map(str, paths))), markup=False)
    return 0


def report(arguments: Namespace) -> int:
    """Write a report on how the class did, as a page and as data."""
    from coursekit.grading.report import write_report  # noqa: PLC0415

    paths = write_report(_course(arguments), arguments.lab, arguments.lang)
    Console().print(say("report_written", lab=arguments.lab, paths=", ".join(map(str, paths))), markup=False)
    return 0


def _course(arguments: Namespace) -> Course:
    return Course(arguments.root.resolve())
