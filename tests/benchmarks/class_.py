"""Classes to be graded: right submissions, hostile ones and damaged ones."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coursekit.grading.course import Course

ROOT = Path(__file__).parents[2]
HOSTILE = {
    "exit": "import os; os._exit(0)",
    "endless loop": "while True: pass",
    "10 GB of memory": "x = bytearray(10**10)",
    "fork bomb": "import os\nwhile True: os.fork()",
    "100 MB of output": "print('x' * 10**8)",
    "network": "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
}
DAMAGED: dict[str, Callable[[str, int], str]] = {
    "cut short": lambda text, at: text[:at],
    "beginning lost": lambda text, at: text[at:],
    "zeros within": lambda text, at: f"{text[:at]}{chr(0) * 9}{text[at:]}",
    "fields renamed": lambda text, _: text.replace('"cell_type"', '"cell-type"'),
}


def course_in(folder: Path) -> Course:
    """A new course with the labs of this one."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "solutions", folder / "solutions")
    return Course(folder)


def hand_in(course: Course, lab: str, student: str, text: str) -> None:
    """Put a submission where nbgrader collects it."""
    folder = course.root / f"grading/submitted/{student}/{lab}"
    folder.mkdir(parents=True)
    (folder / f"{lab}.ipynb").write_text(text, encoding="utf-8")


def notebook(lab: str, number: int) -> dict[str, Any]:
    """A right submission, unlike any other."""
    lang = ("en", "es")[number % 2]
    content: dict[str, Any] = json.loads((ROOT / f"solutions/{lang}/{lab}/{lab}.ipynb").read_text(encoding="utf-8"))
    own = {"cell_type": "code", "execution_count": None, "id": "own", "metadata": {}, "outputs": []}
    content["cells"].insert(1, own | {"source": f"me = {number}"})
    return content


def synthetic(lab: str, number: int, rng: random.Random) -> tuple[str, str]:
    """One of a large class, what it is and its text: of twenty one is hostile and two are damaged."""
    content = notebook(lab, number)
    if number % 20 == 0:
        kind = list(HOSTILE)[number // 20 % len(HOSTILE)]
        bad = content["cells"][1] | {"source": HOSTILE[kind], "id": "bad"}
        content["cells"].insert(rng.randrange(len(content["cells"])), bad)
        return kind, json.dumps(content)
    text = json.dumps(content)
    if number % 10 == 3:
        kind = list(DAMAGED)[number // 10 % len(DAMAGED)]
        return kind, DAMAGED[kind](text, rng.randrange(len(text)))
    return "honest", text
