"""`make bench-grading`: a class graded by ours and by stock nbgrader side by side, and a large synthetic class.

python -m benchmarks.grading [--students 30] [--labs LAB …] [--class 1000] [--no-stock]
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from coursekit.grading.course import Course
from coursekit.grading.driver import Grading, Options, Row

ROOT = Path(__file__).parents[2]
LABS = ["00-greedy", "01-temperature-sweep", "02-top-k-and-top-p"]  # those that need NumPy and matplotlib alone
STOCK = """
c.Autograde.exporter_class = "nbconvert.exporters.NotebookExporter"
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.Execute", "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor", "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades", "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""
HOSTILE = [
    "import os; os._exit(0)",
    "while True: pass",
    "x = bytearray(10**10)",
    "import os\nwhile True: os.fork()",
    "print('x' * 10**8)",
    "open('/etc/passwd').read(); import socket; socket.create_connection(('1.1.1.1', 80), 1)",
]


def course_in(folder: Path) -> Course:
    """A new course with the labs of this one."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "solutions", folder / "solutions")
    return Course(folder)


def notebook(lab: str, number: int) -> dict:
    """A right submission, unlike any other."""
    lang = ("en", "es")[number % 2]
    content = json.loads((ROOT / f"solutions/{lang}/{lab}/{lab}.ipynb").read_text(encoding="utf-8"))
    own = {"cell_type": "code", "execution_count": None, "id": "own", "metadata": {}, "outputs": []}
    content["cells"].insert(1, own | {"source": f"me = {number}"})
    return content


def hand_in(course: Course, lab: str, student: str, text: str) -> None:
    """Put a submission where nbgrader collects it."""
    folder = course.root / f"grading/submitted/{student}/{lab}"
    folder.mkdir(parents=True)
    (folder / f"{lab}.ipynb").write_text(text, encoding="utf-8")


def graded(course: Course, lab: str, workers: int) -> tuple[float, list[Row]]:
    """Wall-clock seconds of `python -m coursekit grade`, imports and all, and what came of it."""
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "coursekit", "grade", lab, "--workers", str(workers), "--root", str(course.root)],
        stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return time.monotonic() - began, Grading(course, lab).known()


def stock(course: Course, lab: str) -> float:
    """Wall-clock seconds of stock `nbgrader autograde`."""
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(STOCK)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in ("generate_assignment", "autograde"):
        began = time.monotonic()
        subprocess.run(["nbgrader", command, lab], cwd=course.root, env=environment, capture_output=True, check=True)
    return time.monotonic() - began


def side_by_side(base: Path, lab: str, students: int, *, with_stock: bool) -> Iterator[str]:
    """The lines on one lab: stock, one worker, two workers, the projection, the recording."""
    seconds, rows = dict[str, float](), list[Row]()
    for name in ["stock"] * with_stock + ["1", "2"]:
        course = course_in(base / f"{lab}-{name}")
        for number in range(students):
            hand_in(course, lab, f"s{number:03}", json.dumps(notebook(lab, number)))
        if name == "stock":
            seconds[name] = stock(course, lab)
        else:
            seconds[name], rows = graded(course, lab, int(name))
            assert all(row.points == row.out_of for row in rows), [(row.student, row.points) for row in rows]
        yield f"{lab:24} {students} × {name:>5}: {seconds[name]:7.1f} s" + (
            f"   {seconds['stock'] / seconds[name]:.1f}×" if name != "stock" and with_stock else ""
        )
    each = statistics.median(row.seconds for row in rows)
    record = recording(course, lab)
    start = max(0.0, seconds["1"] - students * each)
    speed_up = seconds["1"] / seconds["2"]
    yield f"{lab:24} task {each:.2f} s, recorded in {record:.3f} s; speed-up of two workers {speed_up:.2f}"
    for workers, many in ((16, 300), (16, 3000)):
        whole = start + max(many * each / workers, many * record)
        yield f"{lab:24} projected: {many} notebooks by {workers} workers in {whole:.0f} s"


def recording(course: Course, lab: str) -> float:
    """Median seconds of recording one notebook, the results being there."""
    for path in course.grading.glob(f"results/{lab}/recorded/*"):
        path.unlink()
    return statistics.median(row.record_seconds for row in Grading(course, lab, Options(workers=1)).run())


def synthetic(lab: str, number: int, rng: random.Random) -> str:
    """One of a large class: of twenty one is hostile and two are damaged."""
    content = notebook(lab, number)
    if number % 20 == 0:
        bad = content["cells"][1] | {"source": rng.choice(HOSTILE), "id": "bad"}
        content["cells"].insert(rng.randrange(len(content["cells"])), bad)
    text = json.dumps(content)
    if number % 10 == 3:
        cut = rng.randrange(len(text))
        renamed, torn = text.replace('"cell_type"', '"cell-type"'), f"{text[:cut]}{chr(0) * 9}{text[cut:]}"
        return rng.choice([text[:cut], text[cut:], renamed, torn])
    return text


def large_class(base: Path, lab: str, students: int) -> Iterator[str]:
    """The lines on a large class with hostile and damaged submissions."""
    course, rng = course_in(base / "large"), random.Random(7)
    for number in range(students):
        hand_in(course, lab, f"s{number:04}", synthetic(lab, number, rng))
    seconds, rows = graded(course, lab, os.cpu_count() or 1)
    lost = [row.student for row in rows if not row.known and not row.reason]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    marked = sum(bool(row.known) for row in rows)
    yield f"{students} submissions: {seconds:.0f} s, {marked} marks, {len(lost)} with neither mark nor reason"
    yield f"the largest process, the driver included: {peak:.0f} MB"


def main() -> None:
    """Print all the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--labs", nargs="*", default=LABS)
    parser.add_argument("--class", dest="large", type=int, default=1000)
    parser.add_argument("--no-stock", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for lab in arguments.labs:
            for line in side_by_side(Path(folder), lab, arguments.students, with_stock=not arguments.no_stock):
                print(line, flush=True)
        if arguments.large:
            for line in large_class(Path(folder), arguments.labs[0], arguments.large):
                print(line, flush=True)


if __name__ == "__main__":
    main()
