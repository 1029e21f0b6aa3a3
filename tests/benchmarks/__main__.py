"""Run all benchmarks, print their ratios beside the goals, and keep them as JSON for the book."""

from __future__ import annotations

import argparse
import json
import os
import platform
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import decoding, sampling

OUT = Path(__file__).parents[2] / "book" / "_data" / "benchmarks.json"
LENGTHS = (128, 256, 512)


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="where the JSON goes (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few calls of each only: to see that it runs")
    options = parser.parse_args()
    rows = list(measure(quick=options.quick))
    Console().print(table(rows))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1, ensure_ascii=False) + "\n")
    print(f"written to {options.out}")


def measure(*, quick: bool) -> Any:
    """Yield one row a case: what it is, the times in µs, what it is compared with, and the goal."""
    for case in track(list(sampling.cases()), "drawing"):
        rounds = 5 if quick else 60 if case.vocabulary > sampling.SEEN[0] * 100 else 3000
        times = sampling.measure(case, rounds)
        yield _row("draw", f"{case.name}, V = {case.vocabulary:,}, {case.shape}", times, "transformers", case.goal)
    for shape in ("peaked", "normal", "flat"):
        times = sampling.measure_filter(shape, 5 if quick else 60)
        yield _row("filter", f"top-p .9, V = 151,936, {shape}", times, "transformers", 15)
    for name, times in decoding.measure_single(1 if quick else 9).items():
        yield _row("decode", f"one prompt, {name}, folded", times, "transformers", 12)
        yield _row("decode", f"one prompt, {name}, plain", {"minimodel": times["plain"]} | times, "transformers", 5)
    yield _row("decode", "256 prompts, greedy", decoding.measure_batch(256, 1 if quick else 3), "transformers", 3)
    lengths = (LENGTHS[0], LENGTHS[0] + 50) if quick else LENGTHS
    growth = decoding.measure_growth(lengths, 1 if quick else 3)
    for name, goal in (("cached", "≤ 1.3"), ("no cache", "≥ 2")):
        seconds = dict(zip(lengths, growth[name], strict=True))
        slope = decoding.exponent(lengths, growth[name])
        yield {"kind": "growth", "case": name, "times": seconds, "exponent": slope, "goal": goal}


def _row(kind: str, case: str, times: dict[str, float], peer: str, goal: float | None) -> dict[str, Any]:
    own = times.get("minimodel", times.get("folded"))
    assert own is not None
    ratios = {name: time / own for name, time in times.items()}
    return {"kind": kind, "case": case, "times": times, "ratios": ratios, "ratio": ratios[peer], "goal": goal}


def table(rows: list[dict[str, Any]]) -> Table:
    """The rows as a table of ratios."""
    made = Table(title="How many times as fast as transformers", caption="processor time, one thread, medians")
    for heading in ("", "case", "ours, µs", "ratio", "goal", "other ratios"):
        made.add_column(heading, justify="left" if heading in ("", "case", "other ratios") else "right")
    for row in rows:
        if row["kind"] == "growth":
            made.add_row(
                "growth", f"{row['case']}: exponent of time in length", "", f"{row['exponent']:.2f}", row["goal"]
            )
            continue
        others = {
            name: ratio for name, ratio in row["ratios"].items() if name not in ("minimodel", "folded", "transformers")
        }
        said = ", ".join(f"{name} {ratio:.1f}" for name, ratio in others.items())
        own = row["times"].get("minimodel", row["times"].get("folded"))
        goal = "" if row["goal"] is None else f"{row['goal']:g}"
        made.add_row(row["kind"], row["case"], f"{own:,.0f}", f"{row['ratio']:.1f}", goal, said)
    return made


def machine() -> dict[str, Any]:
    """Where it was measured."""
    import numpy as np  # noqa: PLC0415 - for its version only
    import torch  # noqa: PLC0415
    import transformers  # noqa: PLC0415

    versions = {"numpy": np.__version__, "torch": torch.__version__, "transformers": transformers.__version__}
    return {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()} | versions


if __name__ == "__main__":
    main()
