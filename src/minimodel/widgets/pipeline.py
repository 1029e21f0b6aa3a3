"""The knobs of a sampler and the steps that they set, in the order of the contract. The twin of pipeline.js."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from minimodel.sampling.logits import Logits
from minimodel.sampling.transforms import (
    apply_repetition_penalty,
    apply_temperature,
    min_p_filter,
    top_k_filter,
    top_p_filter,
)

Step: TypeAlias = tuple[str, Callable[[Logits], Logits]]
"""The name of a step and what it makes of a row of logits."""

SHAPING = ("penalty", "temperature")  # the steps that move probability but drop no token
DROPS = ("top-k", "top-p", "min-p")


class Settings(NamedTuple):
    """Where the knobs stand, in the order of their steps; every one is off to begin with.

    Attributes:
        penalty: the repetition penalty; 1 is off.
        tau: the temperature; 1 is off.
        k: how many tokens top-k keeps; None is off.
        p: the mass that top-p keeps; 1 is off.
        min_p: the share of the largest probability that min-p asks for; 0 is off.
    """

    penalty: float = 1.0
    tau: float = 1.0
    k: int | None = None
    p: float = 1.0
    min_p: float = 0.0


def pipeline(settings: Settings, seen: Sequence[int] = ()) -> list[Step]:
    """Return the steps that ``settings`` ask for, each a function of one row of logits.

    Args:
        settings: where the knobs stand. A value that is not valid is refused by its step, when that is run.
        seen: ids of the text so far, which the repetition penalty looks at.

    Examples:
        >>> [name for name, step in pipeline(Settings())]
        ['penalty', 'temperature', 'top-k', 'top-p', 'min-p']
    """
    penalty, tau, k, p, min_p = settings
    return [
        ("penalty", lambda logits: apply_repetition_penalty(logits, seen, penalty)),
        ("temperature", lambda logits: apply_temperature(logits, tau)),
        ("top-k", lambda logits: logits if k is None else top_k_filter(logits, k)),
        ("top-p", lambda logits: top_p_filter(logits, p)),
        ("min-p", lambda logits: min_p_filter(logits, min_p)),
    ]
