"""One draw, or one filter, against what people use: transformers' processors, nanoGPT's step, a full sort in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from benchmarks.protocol import microseconds
from minimodel import Chain, MinP, RepetitionPenalty, Temperature, TopK, TopP, top_p_filter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from minimodel import Strategy

SEEN = [11, 5, 42, 7, 7, 60, 3, 19]


@dataclass(frozen=True)
class Case:
    """What is drawn from: a vocabulary, a shape of logits, a strategy, and its knobs for the peers."""

    name: str
    vocabulary: int
    shape: str
    strategy: Strategy
    knobs: dict[str, Any]
    goal: float | None = None


def cases() -> Iterator[Case]:
    """All draws, the large vocabulary first."""
    yield Case("temperature", 151_936, "normal", Temperature(0.8), {"tau": 0.8}, 12)
    yield Case("top-k 50", 151_936, "normal", TopK(50), {"k": 50}, 22)
    for shape in ("peaked", "normal", "flat"):
        yield Case("top-p .9", 151_936, shape, TopP(0.9), {"p": 0.9}, 48)
    everything = Chain(RepetitionPenalty(1.1), Temperature(0.7), TopK(50), TopP(0.9)).given(SEEN)
    knobs = {"rho": 1.1, "tau": 0.7, "k": 50, "p": 0.9}
    yield Case("penalty + T + k + p", 151_936, "normal", everything, knobs, 20)
    yield Case("min-p .1", 151_936, "normal", MinP(0.1), {"min_p": 0.1})
    yield Case("temperature", 64, "normal", Temperature(0.8), {"tau": 0.8}, 4)
    yield Case("top-k 20", 64, "normal", TopK(20), {"k": 20}, 4)
    yield Case("top-p .9", 64, "normal", TopP(0.9), {"p": 0.9}, 4)
    yield Case("min-p .1", 64, "normal", MinP(0.1), {"min_p": 0.1}, 4)
    everything = Chain(RepetitionPenalty(1.1), Temperature(0.7), TopK(20), TopP(0.9)).given(SEEN)
    yield Case("penalty + T + k + p", 64, "normal", everything, knobs | {"k": 20}, 4)


def logits(shape: str, size: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Logits of a shape that samplers meet: Zipf's law, a normal of deviation 3, nearly all alike."""
    rng = np.random.default_rng(0)
    made = {
        "peaked": lambda: -1.5 * np.log(rng.permutation(size) + 1.0),
        "normal": lambda: 3 * rng.standard_normal(size),
        "flat": lambda: 0.1 * rng.standard_normal(size),
    }
    return made[shape]().astype(np.float32)


def measure(case: Case, rounds: int) -> dict[str, NDArray[np.float64]]:
    """Return the times of one draw of each candidate, in µs."""
    fresh, row = logits(case.shape, case.vocabulary), np.empty(case.vocabulary, dtype=np.float32)
    tensor, ids = torch.from_numpy(row)[None], torch.tensor([SEEN])
    rng, processors = np.random.default_rng(1), _processors(case.knobs)
    candidates = {
        "minimodel": lambda: case.strategy(row, rng),
        "transformers": lambda: torch.multinomial(functional.softmax(processors(ids, tensor), dim=-1), 1),
        "NumPy, full sort": lambda: _numpy_draw(row, rng, **case.knobs),
    }
    if not {"p", "min_p", "rho"} & case.knobs.keys():
        candidates["nanoGPT"] = lambda: _nanogpt_draw(tensor, **case.knobs)
    return microseconds(candidates, rounds=rounds, refresh=lambda: np.copyto(row, fresh))


def measure_filter(shape: str, rounds: int) -> dict[str, NDArray[np.float64]]:
    """Return the times of top-p .9 as a filter over a large vocabulary, in µs."""
    fresh = logits(shape, 151_936)
    row = np.empty_like(fresh)
    tensor, warper = torch.from_numpy(row)[None], TopPLogitsWarper(0.9)
    candidates = {"minimodel": lambda: top_p_filter(row, 0.9), "transformers": lambda: warper(None, tensor)}
    return microseconds(candidates, rounds=rounds, refresh=lambda: np.copyto(row, fresh))


def _processors(knobs: dict[str, Any]) -> LogitsProcessorList:
    made = {
        "rho": RepetitionPenaltyLogitsProcessor,
        "tau": TemperatureLogitsWarper,
        "k": TopKLogitsWarper,
        "p": TopPLogitsWarper,
        "min_p": MinPLogitsWarper,
    }
    return LogitsProcessorList([made[name](value) for name, value in knobs.items()])


def _nanogpt_draw(row: torch.Tensor, tau: float = 1.0, k: int | None = None) -> torch.Tensor:
    """The sampling step of nanoGPT's ``generate`` (github.com/karpathy/nanoGPT, model.py)."""
    scaled = row / tau
    if k is not None:
        kth = torch.topk(scaled, min(k, scaled.shape[-1]))[0][:, [-1]]
        scaled = torch.where(scaled < kth, -torch.inf, scaled)
    return torch.multinomial(functional.softmax(scaled, dim=-1), num_samples=1)


def _numpy_draw(
    row: np.ndarray[Any, Any],
    rng: np.random.Generator,
    *,
    tau: float = 1.0,
    k: int | None = None,
    p: float = 1.0,
    min_p: float = 0.0,
    rho: float = 1.0,
) -> int:
    """What a careful person writes first: sort everything, cut, normalise, ``rng.choice``."""
    scores = row.copy()
    seen = scores[SEEN]
    scores[SEEN] = np.where(seen > 0, seen / rho, seen * rho)
    order = np.argsort(-scores)[:k]
    probs = np.exp((scores[order] - scores[order[0]]) / tau)
    probs /= probs.sum()
    keep = (np.cumsum(probs) - probs < p) & (probs >= min_p * probs[0])
    kept = probs[keep] / probs[keep].sum()
    return int(order[keep][np.searchsorted(np.cumsum(kept), rng.random())])
