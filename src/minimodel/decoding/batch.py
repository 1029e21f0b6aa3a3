"""Many prompts at once: one model step for all texts of a length, one random stream for each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.loop import sample
from minimodel.decoding.model import Model, check_prompt, check_token, end_ids
from minimodel.sampling.logits import Logits
from minimodel.sampling.small_rows import SMALL
from minimodel.sampling.strategies import Picker, Strategy, informed

Texts: TypeAlias = NDArray[np.intp]
"""Token ids of several texts of one length, shape ``(B, T)``."""


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
        ValueError: for a prompt, a ``max_tokens`` or a picked token that `sample` refuses.
    """
    if max_tokens < 0:
        raise ValueError(f"max_tokens is {max_tokens}: expected 0 or more")
    rows = [check_prompt(prompt, model.vocab_size) for prompt in prompts]
    if not isinstance(model, RowModel):
        options: dict[str, Any] = {"max_tokens": max_tokens, "strategy": strategy}
        return [sample(model, row, seed=row_seed(seed, i), **options) for i, row in enumerate(rows)]
    completions: list[list[int]] = [[] for _ in rows]
    for length in {len(row) for row in rows}:
        group = [i for i, row in enumerate(rows) if len(row) == length]
        texts, streams = np.array([rows[i] for i in group]), Streams(seed, group)
        made = extend_rows(model, texts, streams, max_tokens=max_tokens, strategy=strategy)
        for i, completion in zip(group, made, strict=True):
            completions[i] = completion
    return completions


def row_seed(seed: int, row: int) -> np.random.SeedSequence:
    """Return the seed of one row's random stream; streams of different rows are independent."""
    return np.random.SeedSequence(seed, spawn_key=(row,))


class Streams(dict[int, np.random.Generator]):
    """The random streams of some rows, by their place among them; each is made when it is first asked for.

    Args:
        seed: from which all come.
        rows: the numbers of the rows.
    """

    def __init__(self, seed: int, rows: Sequence[int]) -> None:
        super().__init__()
        self._seed, self._rows = seed, rows

    def __missing__(self, place: int) -> np.random.Generator:
        return self.setdefault(place, np.random.default_rng(row_seed(self._seed, self._rows[place])))


def extend_rows(
    model: RowModel, texts: Texts, streams: Streams, *, max_tokens: int, strategy: Picker
) -> list[list[int]]:
    """Return what comes after texts of one length, shape ``(B, T)``: up to an end of text, or ``max_tokens`` ids."""
    start, limit = texts.shape[1], texts.shape[1] + max_tokens
    ids = np.pad(texts, ((0, 0), (0, max_tokens)))
    ends, going = np.full(len(texts), limit), np.arange(len(texts))
    score, is_end = _row_scorer(model), np.isin(np.arange(model.vocab_size), list(end_ids(model)))
    for end in range(start, limit):
        rows = going if len(going) < len(texts) else slice(None)  # all of them: no copy
        logits = score(ids[:, :end])  # texts that have ended are read on, and what comes of it is ignored
        rngs = (streams[i] for i in going.tolist())
        ids[rows, end] = picked = pick_rows(strategy, logits[rows], ids[rows, :end], rngs)
        ended = is_end[picked]
        if ended.any():
            ends[going[ended]] = end + 1
            going = going[~ended]
        if not going.size:
            break
    return [row[start:end].tolist() for row, end in zip(ids, ends, strict=True)]


def _row_scorer(model: RowModel) -> Callable[[Texts], Logits]:
    """The rows' counterpart of `minimodel.decoding.scorers.cached`: logits of shape ``(B, V)`` after ``(B, T)`` ids."""
    cache: Any = None

    def score(ids: Texts) -> Logits:
        nonlocal cache
        if cache is not None and ids.shape[1] <= model.context_length:
            return model.decode_rows(ids[:, -1], cache)
        # the prompts; and, past the context, where every position has moved, all that the model can see
        logits, cache = model.prefill_rows(ids[:, -model.context_length :].tolist())
        last: Logits = logits[:, -1]
        return last

    return score


def pick_rows(
    strategy: Picker, logits: Logits, texts: Texts, rngs: Iterable[np.random.Generator]
) -> NDArray[np.intp] | list[int]:
    """Draw one token a row, each from its own generator; all rows in one go where they can be treated alike."""
    small = logits.shape[-1] <= SMALL
    if small and isinstance(strategy, Strategy) and strategy.given([]) is strategy:
        return strategy.draw_rows(logits, rngs)
    return [
        check_token(informed(strategy, text.tolist())(row, rng), len(row))
        for text, row, rng in zip(texts, logits, rngs, strict=True)
    ]
