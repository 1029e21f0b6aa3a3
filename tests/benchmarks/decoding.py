"""Whole generations by the Mini-GPT against transformers' ``generate`` with the same weights."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from benchmarks.protocol import microseconds
from minimodel import Chain, FoldedGPT, GPTConfig, Grammar, Greedy, MiniGPT, Strategy, Temperature, TopK, TopP, sample
from minimodel.decoding.batch import sample_batch
from minimodel.training import initial_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PROMPT = [8, 13, 19, 17]  # "Tomorrow she will eat"
NEW = 60
GROWTH = ("cached", "no cache")


def endless() -> MiniGPT:
    """The English Mini-GPT without an end of text, so that every generation has the same length."""
    trained = MiniGPT.load("en")
    return MiniGPT(GPTConfig(eos_id=None), trained.weights)


def measure_single(rounds: int) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Return the µs a token for one prompt, greedy and sampled."""
    model = endless()
    folded, theirs = FoldedGPT(model), model.to_transformers()
    sampled = Chain(Temperature(0.8), TopK(20), TopP(0.9))
    sampling = {"do_sample": True, "temperature": 0.8, "top_k": 20, "top_p": 0.9}
    return {
        "greedy": _per_token(
            {
                "folded": lambda: _ours(folded, Greedy(), use_cache=True),
                "plain": lambda: _ours(model, Greedy(), use_cache=True),
                "plain, no cache": lambda: _ours(model, Greedy(), use_cache=False),
                "transformers": lambda: _generate(theirs, do_sample=False),
                "transformers, no cache": lambda: _generate(theirs, do_sample=False, use_cache=False),
            },
            rounds,
        ),
        "T .8, top-k 20, top-p .9": _per_token(
            {
                "folded": lambda: _ours(folded, sampled, use_cache=True),
                "plain": lambda: _ours(model, sampled, use_cache=True),
                "transformers": lambda: _generate(theirs, **sampling),
            },
            rounds,
        ),
    }


def measure_batch(rows: int, rounds: int) -> dict[str, NDArray[np.float64]]:
    """Return the µs a token for many prompts at once, starts of the grammar's texts, greedy."""
    model = endless()
    folded, theirs = FoldedGPT(model), model.to_transformers()
    prompts = Grammar.load("en").sample_rows(np.random.default_rng(0), rows, len(PROMPT)).tolist()
    candidates = {
        "folded": lambda: sample_batch(folded, prompts, max_tokens=NEW, seed=0, strategy=Greedy()),
        "transformers": lambda: _generate(theirs, prompts, do_sample=False),
    }
    return {name: time / rows for name, time in _per_token(candidates, rounds).items()}


def measure_growth(lengths: tuple[int, ...], rounds: int) -> dict[str, NDArray[np.float64]]:
    """Return the seconds that generations of several lengths take in each round, shape ``(lengths, rounds)``.

    With and without a cache, by an untrained model with a context that is long enough.
    """
    config = GPTConfig(context_length=max(lengths) + len(PROMPT), eos_id=None)
    parameters = initial_parameters(config, torch.Generator().manual_seed(0))
    model = MiniGPT(config, {name: tensor.detach().numpy() for name, tensor in parameters.items()})
    candidates = {
        f"{name} {length}": partial(
            sample, model, PROMPT, max_tokens=length, seed=0, strategy=Greedy(), use_cache=name == "cached"
        )
        for name in GROWTH
        for length in lengths
    }
    times = microseconds(candidates, rounds=rounds)
    return {name: np.stack([times[f"{name} {length}"] for length in lengths]) / 1e6 for name in GROWTH}


def exponent(lengths: tuple[int, ...], seconds: NDArray[np.float64]) -> float:
    """Return the slope of the straight line through the times on log–log axes, in the median of the rounds."""
    return float(np.median(np.polyfit(np.log(lengths), np.log(seconds), 1)[0]))


def _per_token(candidates: dict[str, Any], rounds: int) -> dict[str, NDArray[np.float64]]:
    return {name: time / NEW for name, time in microseconds(candidates, rounds=rounds).items()}


def _ours(model: Any, strategy: Strategy, *, use_cache: bool) -> list[int]:
    return sample(model, PROMPT, max_tokens=NEW, seed=0, strategy=strategy, use_cache=use_cache)


def _generate(model: Any, prompts: Sequence[Sequence[int]] = (PROMPT,), **options: Any) -> torch.Tensor:
    ids = torch.tensor(prompts)
    mask = torch.ones_like(ids)
    with torch.inference_mode():
        return model.generate(ids, attention_mask=mask, max_new_tokens=NEW, pad_token_id=0, **options)
