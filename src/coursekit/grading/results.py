"""What grading has found out, on disk: a file a result, named by the hash of all that it depends on.

A result that is there is never worked out again; one that is recorded is never recorded again. Files appear whole or
not at all, so that a grading that was killed goes on where it stopped.
"""

import json
from dataclasses import asdict
from typing import Any

from coursekit.grading.course import Course, write_atomically
from coursekit.grading.tasks import KEY, Graded


class Results:
    """The results of one lab.

    Args:
        course: the course's folder.
        lab: which.
    """

    def __init__(self, course: Course, lab: str) -> None:
        self.folder = course.grading / "results" / lab

    def get(self, key: str) -> Graded | None:
        """The result under a key, if it is there."""
        try:
            return Graded(**json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def has(self, key: str) -> bool:
        """Whether there is a result under a key."""
        return (self.folder / f"{key}.json").exists()

    def put(self, key: str, graded: Graded) -> None:
        """Keep a result."""
        write_atomically(self.folder / f"{key}.json", json.dumps(asdict(graded), ensure_ascii=False))

    def recorded(self) -> dict[str, tuple[str, str]]:
        """By student, the key of the result that is in the gradebook, and the terms under which it was put there."""
        texts = {path.name: path.read_text(encoding="utf-8") for path in (self.folder / "recorded").glob("[!.]*")}
        return {student: (text[:KEY], text[KEY:]) for student, text in texts.items()}

    def mark_recorded(self, student: str, key: str, terms: str) -> None:
        """Note that a student's result is in the gradebook, and under which terms."""
        write_atomically(self.folder / "recorded" / student, key + terms)

    def knows_source(self, version: str) -> bool:
        """Whether it is this version of the lab that the gradebook knows."""
        mark = self.folder / "source"
        return mark.exists() and mark.read_text(encoding="utf-8") == version

    def mark_source(self, version: str) -> None:
        """Note which version of the lab the gradebook knows."""
        write_atomically(self.folder / "source", version)


def known_of(graded: Graded) -> dict[str, Any]:
    """What `execute` says of a submission: its language, items in their order, events, repairs and structure."""
    if not graded.notebook:
        return {}
    notebook = json.loads(graded.notebook)
    known: dict[str, Any] = notebook["metadata"]["coursekit"]
    order = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]]
    return known | {"items": dict(sorted(known["items"].items(), key=lambda item: order.index(item[0])))}
