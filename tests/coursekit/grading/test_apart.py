"""A task done beside a Dask worker, whose other threads draw random numbers of their own all the time."""

import json
import random
import threading
from collections.abc import Iterator

import pytest

from coursekit.grading.tasks import Task, _apart, grade_apart

from .lab import POINTS, notebook


@pytest.fixture
def restless() -> Iterator[None]:
    """A thread that changes the global random state as fast as it can."""
    over = threading.Event()

    def draw() -> None:
        while not over.wait(0.0001):
            random.random()

    thread = threading.Thread(target=draw)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.usefixtures("restless")
def test_other_threads_chance_is_not_taken_for_the_students() -> None:
    graded = grade_apart(Task(notebook(), notebook().encode()))
    for worker in _apart:
        worker.end()
    _apart.clear()
    assert graded.notebook, graded.reason
    items = json.loads(graded.notebook)["metadata"]["coursekit"]["items"]
    assert sum(item["points"] for item in items.values()) == sum(POINTS.values()), items
