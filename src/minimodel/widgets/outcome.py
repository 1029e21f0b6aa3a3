"""What truncation makes of one row of logits: the numbers that a picture of it shows. The twin of sampling.js."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minimodel.measures import entropy
from minimodel.sampling.logits import Logits
from minimodel.sampling.softmax import softmax
from minimodel.sampling.transforms import top_k_filter, top_p_filter

Fate: TypeAlias = Literal["kept", "masked", "top-k", "top-p"]


@dataclass(frozen=True)
class Outcome:
    """One row after truncation; every array has shape ``(V,)``.

    Attributes:
        before: probabilities before anything was dropped.
        after: probabilities that the draw is made from; 0 where dropped.
        fates: what became of each token; "masked" came in as ``-inf``.
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


def truncate(tempered: ArrayLike, *, k: int | None = None, p: float = 1.0) -> Outcome:
    """Apply top-k, then top-p, then the softmax to logits that temperature has been applied to.

    Args:
        tempered: scores after temperature, shape ``(V,)``.
        k: how many tokens top-k keeps; None is off.
        p: the mass that top-p keeps; 1 is off.

    Raises:
        ValueError: the logits, ``k`` or ``p`` are not valid.

    Examples:
        >>> outcome = truncate([3.0, 2.0, 1.0, 0.0], k=3, p=0.8)
        >>> outcome.fates
        ('kept', 'kept', 'top-p', 'top-k')
        >>> outcome.kept, round(outcome.mass_kept, 3)
        (2, 0.881)
    """
    scores = np.asarray(tempered, dtype=np.float64)
    after_k = scores if k is None else top_k_filter(scores, k)
    after_p = top_p_filter(after_k, p)
    steps: list[tuple[Fate, NDArray[np.bool_]]] = [
        ("masked", np.isneginf(scores)),
        ("top-k", np.isneginf(after_k)),
        ("top-p", np.isneginf(after_p)),
    ]
    fates: list[Fate] = [next((fate for fate, gone in steps if gone[i]), "kept") for i in range(scores.size)]
    return Outcome(softmax(scores), softmax(after_p), tuple(fates))
