"""Beam search: the most probable whole continuation, as nearly as a few beams can find it.

It is here to show why open-ended text is not made this way: the most probable text is short, bland and repeats itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minimodel.decoding.model import Model, check_prompt, end_ids
from minimodel.sampling.softmax import log_softmax


@dataclass(frozen=True)
class Beam:
    """A continuation and its log-probability in nats; ``ended`` if its last token is the end of text."""

    tokens: tuple[int, ...]
    log_prob: float
    ended: bool


def beam_search(model: Model, prompt: Sequence[int], *, beams: int, max_tokens: int) -> list[Beam]:
    """Return the ``beams`` most probable continuations found, best first. One beam is greedy decoding.

    Every step extends each continuation by every token and keeps the best. Lengths are not corrected for, so that
    log-probabilities stay what they are.

    Args:
        model: what gives the logits; called once for each unfinished beam and step.
        prompt: token ids, at least one.
        beams: how many continuations are kept, at least 1.
        max_tokens: how many tokens a continuation has at most.

    Raises:
        ValueError: ``beams`` is below 1, ``max_tokens`` negative, or the prompt is refused.

    Source:
        Lowerre (1976), "The HARPY speech recognition system".
    """
    start = check_prompt(prompt, model.vocab_size)
    if beams < 1:
        raise ValueError(f"beams is {beams}: expected 1 or more")
    if max_tokens < 0:
        raise ValueError(f"max_tokens is {max_tokens}: expected 0 or more")
    best = [Beam((), 0.0, ended=False)]
    for _ in range(max_tokens):
        if all(beam.ended for beam in best):
            break
        candidates = [longer for beam in best for longer in _extensions(model, start, beam, beams)]
        best = sorted(candidates, key=lambda beam: -beam.log_prob)[:beams]
    return best


def _extensions(model: Model, start: list[int], beam: Beam, beams: int) -> list[Beam]:
    """The beam itself once it has ended; else its most probable extensions, as many as could be kept."""
    if beam.ended:
        return [beam]
    ends, text = end_ids(model), [*start, *beam.tokens][-model.context_length :]
    log_probs = log_softmax(model(np.array(text))[-1].astype(np.float64))
    return [
        Beam((*beam.tokens, int(token)), beam.log_prob + float(log_probs[token]), ended=int(token) in ends)
        for token in np.argsort(-log_probs, kind="stable")[:beams]
    ]
