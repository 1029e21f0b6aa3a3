"""Samplers as they go wrong: the steps of the contract, each pitfall with one of them broken. The twin of pitfalls.js.

The mistakes are real ones, seen in course material and libraries. A widget shows one beside the right answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from minimodel.sampling.logits import Logits
from minimodel.sampling.softmax import log_softmax, softmax
from minimodel.widgets.outcome import Outcome, outcome
from minimodel.widgets.pipeline import SHAPING, Settings, Step, pipeline

Mistake: TypeAlias = Callable[[list[Step], Settings, Sequence[int]], list[Step]]

START: Mapping[str, Mapping[str, Any]] = {
    "crossing-token": {"p": 0.9},
    "masks-with-zero": {"tau": 2.0, "p": 0.8},
    "tempers-probabilities": {"tau": 0.7},
    "cuts-before-sorting": {"p": 0.5},
    "not-scattered-back": {"p": 0.9},
    "no-renormalizing": {"p": 0.8},
    "nucleus-first": {"tau": 2.0, "p": 0.8},
    "penalty-divides": {"penalty": 1.5},  # after a prompt that repeats, such as "She will sing and she will"
}
"""Each pitfall, and a setting of the knobs at which it does harm."""


def check_pitfall(pitfall: str) -> str:
    """Return ``pitfall`` if there is one of that name.

    Raises:
        ValueError: there is not.
    """
    if pitfall not in START:
        raise ValueError(f"pitfall is {pitfall!r}: expected one of {', '.join(map(repr, START))}")
    return pitfall


def broken(pitfall: str, logits: ArrayLike, settings: Settings, seen: Sequence[int] = ()) -> Outcome | None:
    """Return what a sampler with this mistake makes of one row of logits; None where no token is left to draw.

    Args:
        pitfall: a key of `START`.
        logits: scores, shape ``(V,)``.
        settings: where the knobs stand.
        seen: ids of the text so far.

    Examples:
        >>> logits = np.log([0.5, 0.25, 0.25])
        >>> broken("crossing-token", logits, Settings(p=0.6)).after.round(2)
        array([1., 0., 0.])
        >>> broken("no-renormalizing", logits, Settings(k=2)).after.round(2)
        array([0.5 , 0.25, 0.  ])
        >>> broken("crossing-token", logits, Settings(p=0.4)) is None
        True
    """
    steps = pipeline(settings, seen)
    wrong = steps if pitfall == "no-renormalizing" else _MISTAKES[pitfall](steps, settings, seen)
    try:
        made = outcome(logits, wrong)
    except ValueError:  # the knobs are valid, so it is that every token was dropped
        return None
    kept = np.array([fate == "kept" for fate in made.fates])
    return replace(made, after=made.before * kept) if pitfall == "no-renormalizing" else made


def _instead(name: str, make: Callable[[Logits, Settings, Sequence[int]], Logits]) -> Mistake:
    """The steps with another one in the place of ``name``."""

    def mistake(steps: list[Step], settings: Settings, seen: Sequence[int]) -> list[Step]:
        wrong: Step = (name, lambda logits: make(logits, settings, seen))
        return [wrong if step[0] == name else step for step in steps]

    return mistake


def _crossing_token(logits: Logits, settings: Settings, _seen: Sequence[int]) -> Logits:
    """Keep a token only while the mass *with* it is at most p."""
    order = np.argsort(-logits, kind="stable")
    return _only(logits, order[(np.cumsum(softmax(logits)[order]) <= settings.p) | (settings.p == 1)])


def _cut_before_sorting(logits: Logits, settings: Settings, _seen: Sequence[int]) -> Logits:
    """Add up the probabilities in the order of the vocabulary."""
    mass = np.concatenate([[0.0], np.cumsum(softmax(logits))[:-1]])
    return _only(logits, np.flatnonzero((mass < settings.p) | (settings.p == 1)))


def _not_scattered_back(logits: Logits, settings: Settings, _seen: Sequence[int]) -> Logits:
    """Find the nucleus among the sorted, and keep the same places of the unsorted."""
    order = np.argsort(-logits, kind="stable")
    mass = np.concatenate([[0.0], np.cumsum(softmax(logits)[order])[:-1]])
    return _only(logits, np.flatnonzero((mass < settings.p) | (settings.p == 1)))


def _tempered_probabilities(logits: Logits, settings: Settings, _seen: Sequence[int]) -> Logits:
    """Divide probabilities by the temperature, and take them for logits."""
    return softmax(logits) / settings.tau


def _divided_log_probs(logits: Logits, settings: Settings, seen: Sequence[int]) -> Logits:
    """Divide by the penalty whatever the sign, and log-probabilities, which are negative, rather than logits."""
    log_probs = log_softmax(logits)
    return np.where(np.isin(np.arange(logits.size), seen), log_probs / settings.penalty, log_probs)


def _masks_with_zero(steps: list[Step], _settings: Settings, _seen: Sequence[int]) -> list[Step]:
    """Filters that set a dropped logit to 0, which is a logit like any other."""

    def zeroing(apply: Callable[[Logits], Logits]) -> Callable[[Logits], Logits]:
        return lambda logits: np.where(np.isneginf(apply(logits)) & ~np.isneginf(logits), 0.0, logits)

    return [(name, apply if name in SHAPING else zeroing(apply)) for name, apply in steps]


def _nucleus_first(steps: list[Step], _settings: Settings, _seen: Sequence[int]) -> list[Step]:
    """Top-p before the temperature."""
    penalty, temperature, top_k, top_p, min_p = steps
    return [penalty, top_p, temperature, top_k, min_p]


def _only(logits: Logits, ids: Any) -> Logits:
    """Drop all tokens but these."""
    kept = np.full(logits.shape, -np.inf)
    kept[ids] = logits[ids]
    return kept


_MISTAKES: Mapping[str, Mistake] = {
    "crossing-token": _instead("top-p", _crossing_token),
    "masks-with-zero": _masks_with_zero,
    "tempers-probabilities": _instead("temperature", _tempered_probabilities),
    "cuts-before-sorting": _instead("top-p", _cut_before_sorting),
    "not-scattered-back": _instead("top-p", _not_scattered_back),
    "nucleus-first": _nucleus_first,
    "penalty-divides": _instead("penalty", _divided_log_probs),
}
