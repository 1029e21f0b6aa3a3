"""A report on a class: how the marks lie, what was misunderstood, whose code is alike, how long it took."""

import ast
import json
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from coursekit.grading.course import Course, write_atomically
from coursekit.grading.driver import Grading, Row
from coursekit.grading.feedback import render
from coursekit.grading.marks import absent, marks_of
from coursekit.grading.structure import similar
from coursekit.labs.messages import CATALOGUE
from minimodel.language import LANGUAGES

BINS = 10


def report_data(course: Course, lab: str) -> dict[str, Any]:
    """All that the report tells, as data; hints in both languages.

    Raises:
        GradingError: nobody has a mark.
    """
    marks = marks_of(course, lab)
    rows = Grading(course, lab).known()
    hints = paired_hints(course.source(lab, "en"))
    return {
        "lab": lab,
        "students": len(marks),
        "not_handed_in": [row["student_id"] for row in absent(course, lab)],
        "marks": _distribution(marks),
        "items": {name: _item(name, marks, rows, hints) for name in marks[0]["items"]},
        "similar": similar({row.student: row.known.get("structure", []) for row in rows}),
        "without_mark": {row.student: row.reason for row in rows if row.reason},
        "seconds": _seconds(rows),
    }


def _distribution(marks: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean, median, and how many have each tenth of the points."""
    scores, out_of = [row["score"] for row in marks], marks[0]["max_score"] or 1
    bins = [0] * BINS
    for score in scores:
        bins[min(BINS - 1, int(BINS * score / out_of))] += 1
    return {"mean": statistics.mean(scores), "median": statistics.median(scores), "max": out_of, "bins": bins}


def _item(
    name: str, marks: list[dict[str, Any]], rows: list[Row], hints: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """One item: its mean, how it went by kind, and the hints that were given, most given first."""
    scores = [row["items"][name] for row in marks if name in row["items"]]
    went = [row.known["items"][name] for row in rows if name in row.known.get("items", {})]
    given = Counter(each["hint"] for each in went if each["kind"] in ("wrong", "error") and each["hint"])
    by_pair = Counter[tuple[str, ...]]()
    for hint, count in given.items():
        by_pair[tuple(hints.get(hint, dict.fromkeys(LANGUAGES, hint)).values())] += count
    return {
        "mean": statistics.mean(each["score"] for each in scores),
        "max": scores[0]["max"],
        "full": sum(each["score"] >= each["max"] for each in scores),
        "kinds": dict(Counter(each["kind"] for each in went)),
        "misconceptions": [
            {"count": count, **dict(zip(LANGUAGES, pair, strict=True))} for pair, count in by_pair.most_common()
        ],
    }


def paired_hints(source: str) -> dict[str, dict[str, str]]:
    """Each hint of a lab's tests, and of the course's catalogue, in all languages, by its text in any of them."""
    pairs = dict[str, dict[str, str]]()
    for pair in chain(_hints_in(json.loads(source)), CATALOGUE.values()):
        pairs |= {text: {lang: pair[lang] for lang in LANGUAGES} for text in pair.values()}
    return pairs


def _hints_in(notebook: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The texts that the tests' calls give under the languages' names."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade") and cell["cell_type"] == "code":
            for node in ast.walk(ast.parse("".join(cell["source"]))):
                words = {str(each.arg): each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
                texts = {name: str(each.value) for name, each in words.items() if isinstance(each, ast.Constant)}
                if texts.keys() >= set(LANGUAGES):
                    yield {lang: texts[lang] for lang in LANGUAGES}


def _seconds(rows: list[Row]) -> dict[str, float]:
    spent = [row.seconds for row in rows] or [0.0]
    return {"total": sum(spent), "each": statistics.mean(spent), "longest": max(spent)}


def write_report(course: Course, lab: str, lang: str | None = None) -> list[Path]:
    """Write the pages, in ``lang`` or in each language, and the data; where they are.

    Raises:
        GradingError: nobody has a mark, or the disk is full.
    """
    data, folder = report_data(course, lab), course.grading / "report"
    pages = {folder / f"{lab}.{each}.html": each for each in ([lang] if lang else LANGUAGES)}
    for path, each in pages.items():
        title = json.loads(course.source(lab, each))["metadata"].get("title", lab)
        write_atomically(path, render("report.html", each, title=title, data=data, misses=_misses(data)))
    write_atomically(folder / f"{lab}.json", json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    return [*pages, folder / f"{lab}.json"]


def _misses(data: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The misconceptions of all items, most frequent first."""
    each = [(name, one) for name, item in data["items"].items() for one in item["misconceptions"]]
    return sorted(each, key=lambda pair: -pair[1]["count"])
