"""Two ways to get the logits of the next token: read the whole text again, or only what is new."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from minimodel.decoding.model import CachedModel, Model
from minimodel.sampling.logits import Logits

Scorer: TypeAlias = Callable[[Sequence[int]], Logits]
"""Gives the logits after a text, shape ``(V,)``. The texts it is asked about grow by one token a call."""


def recomputing(model: Model) -> Scorer:
    """Read the last ``context_length`` tokens of the text anew for every token: simple, and quadratic at best."""

    def score(tokens: Sequence[int]) -> Logits:
        last: Logits = model(np.array(tokens[-model.context_length :], dtype=np.intp))[-1]
        return last

    return score


def cached(model: CachedModel[Any]) -> Scorer:
    """Read the prompt once, then only each new token.

    Past the end of the context every position moves by one, so that no cached key is valid: then read it all anew.

    Raises:
        TypeError: the model has no ``prefill`` and ``decode_step``.
    """
    if not isinstance(model, CachedModel):
        raise TypeError(f"{type(model).__name__} has no prefill and decode_step: call it with use_cache=False")
    cache: Any = None

    def score(tokens: Sequence[int]) -> Logits:
        nonlocal cache
        if len(tokens) > model.context_length:
            return recomputing(model)(tokens)
        if cache is not None:
            return model.decode_step(tokens[-1], cache)
        logits, cache = model.prefill(np.array(tokens, dtype=np.intp))
        last: Logits = logits[-1]
        return last

    return score
