"""How time is measured, so that the ratios can be trusted.

Everything runs on one thread and counts the processor time of this process. The candidates take turns, one call each,
and before every call their input is written anew, off the clock, as a model's head would: a candidate called over and
over on the same logits would find them in its cache, and ratios of two or three times too much would come of that.
An empty call takes its turn too: what reading the clock costs, some µs after other code has filled the caches, is taken
off every time.

A ratio is that of two calls of the same round. Shared machines change their speed by a third from one second to the
next, and of two medians one may be from a fast second and the other from a slow one.
"""

from __future__ import annotations

from statistics import median
from time import process_time_ns
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

torch.set_num_threads(1)

_EMPTY = "an empty call"


def microseconds(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int, refresh: Callable[[], object] = lambda: None
) -> dict[str, NDArray[np.float64]]:
    """Return the processor time of the call of each candidate in each round, in µs, without that of an empty call.

    Args:
        candidates: what to call, by name.
        rounds: how often each is called; once more before that, to warm up.
        refresh: called before every call, off the clock.
    """
    calls = {**candidates, _EMPTY: lambda: None}
    times: dict[str, list[int]] = {name: [] for name in calls}
    for number in range(rounds + 1):
        for name, call in calls.items():
            refresh()
            start = process_time_ns()
            call()
            if number:
                times[name].append(process_time_ns() - start)
    clock = median(times[_EMPTY])
    return {name: (np.array(times[name]) - clock) / 1000 for name in candidates}


def ratio(times: NDArray[np.float64], own: NDArray[np.float64]) -> float:
    """Return how many times as long as our own call a candidate's took, in the median of the rounds."""
    return float(np.median(times / own))
