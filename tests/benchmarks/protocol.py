"""How time is measured, so that the ratios can be trusted.

Everything runs on one thread and counts the processor time of this process. The candidates take turns, one call each,
and before every call their input is written anew, off the clock, as a model's head would: a candidate called over and
over on the same logits would find them in its cache, and ratios of two or three times too much would come of that.
"""

from __future__ import annotations

from statistics import median
from time import process_time_ns
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

torch.set_num_threads(1)


def microseconds(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int, refresh: Callable[[], object] = lambda: None
) -> dict[str, float]:
    """Return the median processor time of a call of each candidate, in µs.

    Args:
        candidates: what to call, by name.
        rounds: how often each is called; once more before that, to warm up.
        refresh: called before every call, off the clock.
    """
    times: dict[str, list[int]] = {name: [] for name in candidates}
    for number in range(rounds + 1):
        for name, call in candidates.items():
            refresh()
            start = process_time_ns()
            call()
            if number:
                times[name].append(process_time_ns() - start)
    return {name: median(taken) / 1000 for name, taken in times.items()}
