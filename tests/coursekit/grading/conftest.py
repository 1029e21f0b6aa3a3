"""Tests that run submissions need the sandbox; where there can be none they are skipped, and say why."""

from pathlib import Path

import pytest

from coursekit.grading.sandbox import lacking

HERE = Path(__file__).parent
WITHOUT = {
    "test_wire",
    "test_mask",
    "test_archive",
    "test_tidy",
    "test_gradebook",
    "test_guide",
    "test_exchange",
    "test_feedback",
    "test_verbs",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a sandbox where there is none."""
    ours = [item for item in items if item.path.is_relative_to(HERE) and item.path.stem not in WITHOUT]
    if ours and (problem := lacking()):
        for item in ours:
            item.add_marker(pytest.mark.skip(reason=f"no sandbox here: {problem}"))
