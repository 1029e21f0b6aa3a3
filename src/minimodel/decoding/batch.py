"""Many prompts at once: one model step for all texts of a length, one random stream for each."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.loop import sample
from minimodel.decoding.model import Model, check_prompt
from minimodel.sampling.fast import SMALL
from minimodel.sampling.logits import Logits
from minimodel.sampling.strategies import Picker, Strategy, informed


@runtime_checkable
class RowModel(Model, Protocol):
    """A model that reads texts of one length side by side (see `minimodel.folded.FoldedGPT`)."""

    def prefill_rows(self, prompts: Sequence[Sequence[int]], /) -> tuple[Logits, Any]:
        """Read the prompts: logits of shape ``(B, T, V)``, and a cache."""

    def decode_rows(self, tokens: NDArray[np.intp], cache: Any, /) -> Logits:
        """Read one token more of each: logits of shape ``(B, V)``; the cache grows by it."""


def sample_batch(
    model: Model, prompts: Sequence[Sequence[int]], *, max_tokens: int, seed: int, strategy: Picker
) -> list[list[int]]:
    """Generate a completion of each prompt; return their ids as `sample` does.

    Row i has its own random stream, ``row_seed(seed, i)``: what comes out of it does not depend on the other rows.

    Args:
        model: what gives the logits; a `RowModel` reads texts of the same length together.
        prompts: token ids, a list a row; lengths may differ.
        max_tokens: how many tokens to generate a row at most.
        seed: from which the streams of all rows come.
        strategy: how a token is picked from the logits.

    Raises:
        ValueError: for a prompt or a ``max_tokens`` that `sample` refuses.
    """
    if max_tokens < 0:
        raise ValueError(f"max_tokens is {max_tokens}: expected 0 or more")
    rows = [check_prompt(prompt, model.vocab_size) for prompt in prompts]
    seeds = [row_seed(seed, i) for i in range(len(rows))]
    if not isinstance(model, RowModel):
        options: dict[str, Any] = {"max_tokens": max_tokens, "strategy": strategy}
        return [sample(model, row, seed=own, **options) for row, own in zip(rows, seeds, strict=True)]
    completions: list[list[int]] = [[] for _ in rows]
    for length in {len(row) for row in rows}:
        group = [i for i, row in enumerate(rows) if len(row) == length]
        texts, rngs = [list(rows[i]) for i in group], [np.random.default_rng(seeds[i]) for i in group]
        extend_rows(model, texts, rngs, max_tokens=max_tokens, strategy=strategy)
        for i, text in zip(group, texts, strict=True):
            completions[i] = text[length:]
    return completions


def row_seed(seed: int, row: int) -> np.random.SeedSequence:
    """Return the seed of one row's random stream; streams of different rows are independent."""
    return np.random.SeedSequence(seed, spawn_key=(row,))


def extend_rows(
    model: RowModel,
    texts: list[list[int]],
    rngs: Sequence[np.random.Generator],
    *,
    max_tokens: int,
    strategy: Picker,
) -> None:
    """Extend texts of one length, in place, until each has ended or has ``max_tokens`` more."""
    cache: Any = None
    going = list(range(len(texts)))
    for _ in range(max_tokens):
        if len(texts[going[0]]) > model.context_length:  # every position has moved: no cached key is valid
            logits = np.array([model(np.array(texts[i][-model.context_length :]))[-1] for i in going])
        elif cache is None:
            prompts, cache = model.prefill_rows(texts)
            logits = prompts[:, -1]
        else:  # texts that have ended are read on, and what comes of it is ignored
            logits = model.decode_rows(np.array([text[-1] for text in texts]), cache)[going]
        tokens = pick_rows(strategy, logits, [texts[i] for i in going], [rngs[i] for i in going])
        for i, token in zip(going, tokens, strict=True):
            texts[i].append(token)
        going = [i for i in going if texts[i][-1] != model.eos_id]
        if not going:
            return


def pick_rows(
    strategy: Picker, logits: Logits, texts: Sequence[Sequence[int]], rngs: Sequence[np.random.Generator]
) -> list[int]:
    """Draw one token a row, each from its own generator; all rows in one go where they can be treated alike."""
    small = logits.shape[-1] <= SMALL
    if small and isinstance(strategy, Strategy) and strategy.given(texts[0]) is strategy:
        return [int(token) for token in strategy.draw_rows(logits, rngs)]
    return [int(informed(strategy, text)(row, rng)) for text, row, rng in zip(texts, logits, rngs, strict=True)]
