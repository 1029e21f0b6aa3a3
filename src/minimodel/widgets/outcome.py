"""What a sampler's steps make of one row of logits: the numbers that a picture of it shows. The twin of pipeline.js."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from minimodel.measures import entropy
from minimodel.sampling.logits import Logits
from minimodel.sampling.softmax import softmax
from minimodel.widgets.pipeline import SHAPING, Step

Fate: TypeAlias = str
"""What became of a token: "kept", "masked" (forbidden before any filter), or the name of the step that dropped it."""


@dataclass(frozen=True)
class Outcome:
    """One row after the last step; every array has shape ``(V,)``.

    Attributes:
        before: probabilities before anything was dropped.
        after: probabilities that the draw is made from; 0 where dropped.
        fates: what became of each token; "masked" was ``-inf`` before any filter.
    """

    before: Logits
    after: Logits
    fates: tuple[Fate, ...]

    @property
    def kept(self) -> int:
        """How many tokens can be drawn."""
        return self.fates.count("kept")

    @property
    def mass_kept(self) -> float:
        """The probability that the kept tokens had together, before renormalising."""
        dropped = set(self.fates) - {"kept", "masked"}
        return self.mass("kept", range(len(self.fates))) if dropped else 1.0  # the sum itself may round to less

    @property
    def entropy(self) -> float:
        """Entropy of ``after``, in nats."""
        return float(entropy(self.after))

    def share(self, ids: Sequence[int]) -> float:
        """The probability that the draw is one of ``ids``."""
        return float(sum(self.after[i] for i in ids))

    def mass(self, fate: Fate, ids: Sequence[int]) -> float:
        """The probability, before anything was dropped, of those of ``ids`` that met ``fate``."""
        return float(sum(self.before[i] for i in ids if self.fates[i] == fate))


def outcome(logits: ArrayLike, steps: Sequence[Step]) -> Outcome:
    """Run the steps over one row of logits, then the softmax.

    Args:
        logits: scores, shape ``(V,)``.
        steps: what `pipeline` returns, or a wrong version of it.

    Raises:
        ValueError: a step refuses the logits or its setting, or no token is left.

    Examples:
        >>> from minimodel.widgets.pipeline import Settings, pipeline
        >>> seen = outcome([3.0, 2.0, 1.0, 0.0], pipeline(Settings(k=3, p=0.8)))
        >>> seen.fates
        ('kept', 'kept', 'top-p', 'top-k')
        >>> seen.kept, round(seen.mass_kept, 3)
        (2, 0.881)
    """
    scores: Logits = np.asarray(logits, dtype=np.float64)
    shaped = scores
    fates: list[Fate] = ["kept"] * scores.size
    for name, step in steps:
        scores = step(scores)
        shaped = step(shaped) if name in SHAPING else shaped
        gone = "masked" if name in SHAPING else name
        lost = np.isneginf(scores)
        fates = [gone if lost[i] and fate == "kept" else fate for i, fate in enumerate(fates)]
    return Outcome(softmax(shaped), softmax(scores), tuple(fates))
