"""Exploring with a function that is not there yet, or stops: told briefly, and the notebook goes on."""

from typing import Any

import pytest

from .student import run_cell

EXPLORE = "with needs('half'):\n    print(half(2))\n    print('shown')\ndone = True"


def explore(answer: str, cell: str = EXPLORE) -> dict[str, Any]:
    names: dict[str, Any] = {}
    run_cell("from coursekit.labs.needs import needs", names, "<set-up>")
    run_cell(answer, names, "<answer>")
    run_cell(cell, names, "<explore>")
    return names


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("pass", "○ This cell uses half, which is not written yet."),
        ("def half(x):\n    raise NotImplementedError", "○ This cell uses half, which is not written yet."),
        (
            "def other(x):\n    raise NotImplementedError\ndef half(x): return other(x)",
            "○ This cell uses other, which is not written yet.",
        ),
        ("def half(x):\n    return x / 0", "ZeroDivisionError: division by zero\n  your line 2   return x / 0"),
    ],
)
def test_what_the_students_function_lacks_is_told_and_the_notebook_goes_on(
    answer: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explore(answer)["done"]
    said = capsys.readouterr().out
    assert told in said
    assert "shown" not in said


def test_with_the_function_in_place_it_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    explore("def half(x): return x / 2")
    assert capsys.readouterr().out == "1.0\nshown\n"


@pytest.mark.parametrize("error", ["1 / 0", "missing"])
def test_an_error_of_the_cells_own_is_no_secret(error: str) -> None:
    with pytest.raises((ZeroDivisionError, NameError)):
        explore("def half(x): return x / 2", f"with needs('half'):\n    {error}")


def test_an_interrupted_cell_stays_interrupted() -> None:
    with pytest.raises(KeyboardInterrupt):
        explore("def half(x):\n    raise KeyboardInterrupt")
