"""`make bench-grading`: a class graded by ours and by stock nbgrader side by side, and a large synthetic class.

python -m benchmarks.grading [--quick] [--students 30] [--labs LAB …] [--class 1000] [--no-stock] [--out FILE]

Stock is `nbgrader autograde LAB` as its manual has it: one notebook after another, no sandbox. Before it comes
`nbgrader generate_assignment LAB`, since ours tells the gradebook of the lab too. Ours is one command, with its
sandbox, by one worker and by two. Both grade the same notebooks, both times are those on the wall with the start of
Python in them.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.class_ import HOSTILE, ROOT, course_in, hand_in, notebook, synthetic
from benchmarks.machine import machine
from coursekit.grading.course import Course

OUT = ROOT / "book" / "_data" / "grading.json"
LABS = ["00-greedy", "01-temperature-sweep", "02-top-k-and-top-p"]  # those that need NumPy and matplotlib alone
LARGE_LAB = "01-temperature-sweep"
STOCK = """
c.Autograde.exporter_class = "nbconvert.exporters.NotebookExporter"
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.Execute", "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor", "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades", "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""
GOALS = {"ratio": 3.5, "record_seconds": 0.1, "peak_mb": 1024}
PROJECTED = ((16, 300), (16, 3000), (64, 3000))  # workers, notebooks


def ours(course: Course, lab: str, workers: int) -> tuple[float, dict[str, Any]]:
    """Wall-clock seconds of a grading, imports and all; its rows, and the memory of its driver."""
    began = time.monotonic()
    command = [sys.executable, "-m", "benchmarks.driver", str(course.root), lab, str(workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return time.monotonic() - began, json.loads(done.stdout)


def stock(course: Course, lab: str) -> float:
    """Wall-clock seconds of stock `nbgrader autograde`, and of telling the gradebook of the lab, as ours does."""
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(STOCK)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    began = time.monotonic()
    for command in ("generate_assignment", "autograde"):
        subprocess.run(["nbgrader", command, lab], cwd=course.root, env=environment, capture_output=True, check=True)
    return time.monotonic() - began


def class_of(base: Path, lab: str, students: int) -> Course:
    """A course in which so many right submissions of a lab were handed in."""
    course = course_in(base)
    for number in range(students):
        hand_in(course, lab, f"s{number:03}", json.dumps(notebook(lab, number)))
    return course


def side_by_side(base: Path, lab: str, students: int, *, with_stock: bool) -> dict[str, Any]:
    """What one lab takes: stock, one worker, two workers, a notebook's recording."""
    seconds = dict[str, float]()
    if with_stock:
        seconds["stock"] = stock(class_of(base / f"{lab}-stock", lab, students), lab)
        say(f"{lab:24} {students} × stock        {seconds['stock']:7.1f} s")
    for workers in (1, 2):
        course = class_of(base / f"{lab}-{workers}", lab, students)
        seconds[str(workers)], made = ours(course, lab, workers)
        wrong = [(row["student"], row["points"]) for row in made["rows"] if not row["points"] == row["out_of"] > 0]
        assert not wrong, f"right submissions without full marks: {wrong}"
        faster = f"   {seconds['stock'] / seconds[str(workers)]:.1f} times as fast" if with_stock else ""
        say(f"{lab:24} {students} × {workers} worker(s)  {seconds[str(workers)]:7.1f} s{faster}")
        if workers == 1:
            task = statistics.median(row["seconds"] for row in made["rows"])
    record = recording(course, lab)
    say(f"{lab:24} a notebook {task:.2f} s, its recording {record:.3f} s")
    return {"lab": lab, "students": students, "seconds": seconds, "task_seconds": task, "record_seconds": record}


def recording(course: Course, lab: str) -> float:
    """Median seconds of recording one notebook in a new gradebook, by a driver that does nothing else."""
    for path in (*course.grading.glob(f"results/{lab}/recorded/*"), *course.grading.glob("gradebook.db*")):
        path.unlink()
    shutil.rmtree(course.grading / "autograded")
    return statistics.median(row["record_seconds"] for row in ours(course, lab, 1)[1]["rows"])


def projected(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What more workers would take: the tasks shared among them, or the one who records, whichever is slower."""
    start = max(0.0, row["seconds"]["1"] - row["students"] * row["task_seconds"])
    each = [
        {"workers": workers, "notebooks": many, "seconds": start + max(many * task / workers, many * record)}
        for workers, many in PROJECTED
        for task, record in [(row["task_seconds"], row["record_seconds"])]
    ]
    for case in each:
        say(f"{row['lab']:24} projected: {case['notebooks']} by {case['workers']} workers {case['seconds']:.0f} s")
    return each


def large_class(base: Path, students: int) -> dict[str, Any]:
    """How a large class with hostile and damaged submissions fares."""
    course, rng = course_in(base / "large"), random.Random(7)
    kinds = dict[str, str]()
    for number in range(students):
        kinds[f"s{number:04}"], text = synthetic(LARGE_LAB, number, rng)
        hand_in(course, LARGE_LAB, f"s{number:04}", text)
    seconds, made = ours(course, LARGE_LAB, 2)
    rows = {row["student"]: row for row in made["rows"]}
    honest = [row for row in rows.values() if kinds[row["student"]] == "honest"]
    slow = {
        kind: statistics.median(rows[student]["seconds"] for student in kinds if kinds[student] == kind)
        for kind in dict.fromkeys(kinds.values())
    }
    return {
        "lab": LARGE_LAB,
        "submissions": students,
        "hostile": sum(kind in HOSTILE for kind in kinds.values()),
        "damaged": sum(kind not in HOSTILE for kind in kinds.values()) - len(honest),
        "seconds": seconds,
        "marks": sum(bool(row["known"]) and row["state"] == "done" for row in rows.values()),
        "reasons": sum(bool(row["reason"]) for row in rows.values()),
        "neither": [student for student in kinds if not settled(rows.get(student, {}))],
        "honest_without_full_marks": [row["student"] for row in honest if not row["points"] == row["out_of"] > 0],
        "peak_mb": made["peak_mb"],
        "seconds_by_kind": slow,
    }


def settled(row: dict[str, Any]) -> bool:
    """Whether a submission has a mark in the gradebook, or it is said why not."""
    return bool(row) and (row["state"] == "done" or bool(row["reason"]))


def say(line: str) -> None:
    """Print a line at once, with the time of day: a whole run takes long."""
    print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)


def measure(base: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """All the figures."""
    rows = [side_by_side(base, lab, arguments.students, with_stock=arguments.stock) for lab in arguments.labs]
    for row in rows:
        row["projected"] = projected(row)
    kept: dict[str, Any] = {"machine": machine(), "goals": GOALS, "rows": rows}
    if arguments.stock and rows:
        total = {name: sum(row["seconds"][name] for row in rows) for name in ("stock", "1", "2")}
        kept["total"] = {"seconds": total, "ratios": {name: total["stock"] / total[name] for name in ("1", "2")}}
        said = ", ".join(f"{kept['total']['ratios'][name]:.2f} times as fast by {name}" for name in ("1", "2"))
        say(f"{'all':24} stock {total['stock']:.0f} s; {said}")
    if arguments.large:
        kept["large"] = large = large_class(base, arguments.large)
        say(", ".join(f"{name} {value}" for name, value in large.items()))
    return kept


def main() -> None:
    """Print the figures as they come; keep those of a whole run for the book."""
    parser = argparse.ArgumentParser(prog="make bench-grading", description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--labs", nargs="*", default=LABS)
    parser.add_argument("--class", dest="large", type=int, default=1000)
    parser.add_argument("--no-stock", dest="stock", action="store_false")
    parser.add_argument("--quick", action="store_true", help="4 students, one lab, 40 submissions: to see that it runs")
    parser.add_argument("--out", type=Path, help=f"where the figures go; those of a whole run go to {OUT}")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.students, arguments.labs, arguments.large = 4, [LARGE_LAB], 40
    whole = (arguments.students, arguments.labs, arguments.large, arguments.stock) == (30, LABS, 1000, True)
    with tempfile.TemporaryDirectory() as folder:
        kept = {"quick": not whole} | measure(Path(folder), arguments)
    if out := arguments.out or (OUT if whole else None):
        out.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        say(f"written to {out}")


if __name__ == "__main__":
    main()
