"""Run all benchmarks, print their ratios beside the goals, and keep them as JSON for the book."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import decoding, sampling
from benchmarks.machine import machine
from benchmarks.protocol import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    kept = {"machine": machine(), "quick": options.quick, "rows": rows}
    options.out.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"written to {options.out}")


def measure(*, quick: bool) -> Any:
    """Yield one row a case: what it is, in words and in fields, the times in µs, what it is compared with, the goal."""
    for case in track(list(sampling.cases()), "drawing"):
        rounds = 5 if quick else 120 if case.vocabulary > sampling.SEEN[0] * 100 else 3000
        fields = {"sampler": case.name, "vocabulary": case.vocabulary, "logits": case.shape, "rounds": rounds}
        name = f"{case.name}, V = {case.vocabulary:,}, {case.shape}"
        yield _row("draw", name, sampling.measure(case, rounds), case.goal, **fields)
    for shape in ("peaked", "normal", "flat"):
        rounds = 5 if quick else 120
        fields = {"sampler": "top-p .9", "vocabulary": 151_936, "logits": shape, "rounds": rounds}
        yield _row("filter", f"top-p .9, V = 151,936, {shape}", sampling.measure_filter(shape, rounds), 15, **fields)
    rounds = 1 if quick else 15
    for name, times in decoding.measure_single(rounds).items():
        fields = {"sampler": name, "prompts": 1, "rounds": rounds}
        yield _row("decode", f"one prompt, {name}, folded", times, 12, code="folded", **fields)
        plain = {"minimodel": times["plain"]} | times
        yield _row("decode", f"one prompt, {name}, plain", plain, 5, code="plain", **fields)
    rounds = 1 if quick else 7
    fields = {"sampler": "greedy", "prompts": 256, "rounds": rounds, "code": "folded"}
    yield _row("decode", "256 prompts, greedy", decoding.measure_batch(256, rounds), 3, **fields)
    lengths = (LENGTHS[0], LENGTHS[0] + 50) if quick else LENGTHS
    growth = decoding.measure_growth(lengths, 1 if quick else 7)
    for name, goal in (("cached", "≤ 1.3"), ("no cache", "≥ 2")):
        seconds = dict(zip(lengths, np.median(growth[name], axis=1).tolist(), strict=True))
        slope = decoding.exponent(lengths, growth[name])
        yield {"kind": "growth", "case": name, "times": seconds, "exponent": slope, "goal": goal}


def _row(
    kind: str, case: str, times: dict[str, NDArray[np.float64]], goal: float | None, **fields: object
) -> dict[str, Any]:
    own = times.get("minimodel", times.get("folded"))
    assert own is not None
    ratios = {name: ratio(time, own) for name, time in times.items()}
    medians = {name: float(np.median(time)) for name, time in times.items()}
    compared = {"times": medians, "ratios": ratios, "ratio": ratios["transformers"], "goal": goal}
    return {"kind": kind, "case": case} | fields | compared


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


if __name__ == "__main__":
    main()
