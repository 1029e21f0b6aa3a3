"""What every test of the labs needs."""

import pytest


@pytest.fixture(autouse=True)
def own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """English to begin with; what a set-up cell changes is put back after the test. No window for a plot."""
    monkeypatch.setenv("COURSE_LANG", "en")
    monkeypatch.setenv("MPLBACKEND", "agg")
