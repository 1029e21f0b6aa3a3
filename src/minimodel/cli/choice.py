"""What one step could have said: the words, their probabilities before and after each transform, and what went."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from minimodel.decoding.loop import Step
from minimodel.sampling.logits import Logits
from minimodel.sampling.strategies import Strategy


@dataclass(frozen=True)
class Candidate:
    """A word of the vocabulary at one step.

    Attributes:
        probs: its probability by the model, then after each transform, by name.
        dropped_by: the transform that ruled it out, None if it could be drawn.
    """

    token: int
    probs: dict[str, float]
    dropped_by: str | None
    drawn: bool


class Choice:
    """The distributions of a step.

    Args:
        step: one step of a text.
        top: how many of the most probable words to list, by the model and after the transforms.
    """

    def __init__(self, step: Step, top: int) -> None:
        self.token = step.token
        named = step.distributions()
        self.names = [name for name, _ in named]
        self.probs = np.array([probs for _, probs in named])
        self._alive = np.array([np.isfinite(logits) for _, logits in _trace(step)])
        self.listed = self._most_probable(top)

    def candidates(self) -> list[Candidate]:
        """Return the words listed, most probable first (by the model)."""
        return [self._candidate(token) for token in self.listed]

    def others(self) -> dict[str, float]:
        """Return the probability of all words that are not listed, by the name of the transform."""
        rest = np.delete(self.probs, self.listed, axis=1).sum(axis=1)
        return dict(zip(self.names, rest.tolist(), strict=True))

    def others_dropped(self) -> dict[str, int]:
        """Return how many of the words that are not listed each transform ruled out."""
        rest = set(range(self.probs.shape[1])) - set(self.listed)
        return dict(Counter(name for token in sorted(rest) if (name := self._dropped_by(token))))

    def _candidate(self, token: int) -> Candidate:
        probs = dict(zip(self.names, self.probs[:, token].tolist(), strict=True))
        return Candidate(token, probs, self._dropped_by(token), token == self.token)

    def _dropped_by(self, token: int) -> str | None:
        dead = np.flatnonzero(~self._alive[:, token])
        return self.names[dead[0]] if dead.size else None

    def _most_probable(self, top: int) -> list[int]:
        """The top words of the first and the last distribution and the one drawn; ties by lowest id."""
        wanted = {self.token}
        for probs in (self.probs[0], self.probs[-1]):
            ranked = np.argsort(-probs, kind="stable")[:top]
            wanted |= {int(token) for token in ranked if probs[token] > 0}
        return sorted(wanted, key=lambda token: (-self.probs[0, token], token))


def _trace(step: Step) -> list[tuple[str, Logits]]:
    """The logits behind the distributions: they tell what was dropped from what is only too improbable to count."""
    strategy = step.strategy if isinstance(step.strategy, Strategy) else Strategy()
    return strategy.trace(step.logits)
