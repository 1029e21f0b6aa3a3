"""The last look before handing in, as a student reads it."""

import textwrap
from collections.abc import Sequence

from coursekit.labs.hand_in import Report, Task
from coursekit.labs.messages import say
from coursekit.labs.report import WIDTH

CAN_EARN = ("passes", "unknown", "written")


def shown(report: Report) -> str:
    """The report as text, in the notebook's language."""
    head = [say("would_be_lost"), *_items(report.lost)] if report.lost else [_whole(report)]
    notes = ["", say("look_at"), *_items(report.notes)] if report.notes else []
    most = sum(task.worth for task in report.tasks if task.state in CAN_EARN)
    total = say("total", points=f"{most:g}", all=f"{sum(task.worth for task in report.tasks):g}")
    return "\n".join([*head, *notes, "", say("points_heading"), *_rows(report.tasks), "", total])


def _whole(report: Report) -> str:
    return say("nothing_lost", seconds=report.seconds)


def _items(texts: Sequence[str]) -> list[str]:
    item = textwrap.TextWrapper(
        WIDTH, initial_indent="  · ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return [item.fill(text) for text in texts]


def _rows(tasks: Sequence[Task]) -> list[str]:
    margin = max(len(task.name) for task in tasks) + 3
    return [f"  {task.name:<{margin}}{say(f'task_{task.state}', worth=f'{task.worth:g}')}" for task in tasks]
