"""The benchmark runs, and its ratios are what its protocol says; how fast anything is, no test asks."""

import json
import sys

import numpy as np
import pytest

from benchmarks import __main__ as bench
from benchmarks.protocol import microseconds, ratio


def test_a_round_calls_each_once_with_fresh_input_and_the_first_round_does_not_count():
    done = []
    calls = {name: (lambda name=name: done.append(name)) for name in ("ours", "theirs")}
    times = microseconds(calls, rounds=3, refresh=lambda: done.append("fresh"))
    assert done == ["fresh", "ours", "fresh", "theirs", "fresh"] * 4  # the last is for the empty call
    assert {name: len(each) for name, each in times.items()} == {"ours": 3, "theirs": 3}


def test_a_ratio_is_that_of_one_round():
    ours, theirs = np.array([1.0, 10.0, 1.0]), np.array([3.0, 30.0, 30.0])  # the machine is slow, then half of a round
    assert ratio(theirs, ours) == 3
    assert np.median(theirs) / np.median(ours) == 30


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    out = tmp_path_factory.mktemp("bench") / "new" / "benchmarks.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["make bench", "--quick", "--out", str(out)])
        bench.main()
    kept = json.loads(out.read_text("utf-8"))
    assert kept["quick"]
    assert set(kept["machine"]) == set(json.loads(bench.OUT.read_text("utf-8"))["machine"])
    return kept["rows"]


def test_a_quick_run_has_the_cases_of_the_run_that_the_book_shows(rows):
    shown = json.loads(bench.OUT.read_text("utf-8"))["rows"]
    assert [(row["kind"], row["case"], row["goal"]) for row in rows] == [
        (row["kind"], row["case"], row["goal"]) for row in shown
    ]


def test_every_case_is_held_against_transformers(rows):
    for row in rows:
        assert all(time > 0 for time in row["times"].values())
        if row["kind"] != "growth":
            assert row["ratio"] == row["ratios"]["transformers"]
            assert 1 in row["ratios"].values()
