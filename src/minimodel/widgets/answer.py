"""What a student's own transform answers to one setting of the widget, or in plain words why it does not."""

import traceback
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from minimodel.sampling.logits import Logits, as_logits

Transform: TypeAlias = Callable[[Logits, Any], ArrayLike]


def answer(
    transform: Transform, logits: Logits, value: float, texts: Mapping[str, str]
) -> dict[str, list[float | None] | str]:
    """Call ``transform(logits, value)`` and return ``{"logits": …}`` for the widget, or ``{"problem": …}`` in words.

    Args:
        transform: the student's function; it is given a copy of the logits, so that no mistake lasts.
        logits: scores of one step, shape ``(V,)``.
        value: what the slider of its knob is at.
        texts: the ``answer`` table of the catalogue, in the student's language.

    Examples:
        >>> answer(lambda logits, tau: logits / tau, np.array([2.0, 1.0]), 0.5, {})
        {'logits': [4.0, 2.0]}
        >>> answer(lambda logits, tau: None, np.array([2.0, 1.0]), 0.5, {"nothing": "It returned None."})
        {'problem': 'It returned None.'}
    """
    given = logits.copy()
    try:
        returned = transform(given, value)
    except NotImplementedError:
        return {"problem": texts["unwritten"]}
    except Exception as error:  # noqa: BLE001 - a student's function may raise anything, and they should read it here
        return {"problem": _raised(error, texts)}
    if not np.array_equal(given, logits):
        return {"problem": texts["mutated"]}
    problem = _fault(returned, logits.shape, texts)
    return {"problem": problem} if problem else {"logits": encoded(returned)}


def encoded(logits: ArrayLike) -> list[float | None]:
    """Return logits as JSON can hold them: None for ``-inf``.

    Examples:
        >>> encoded([1.0, -np.inf])
        [1.0, None]
    """
    return [None if np.isneginf(logit) else float(logit) for logit in np.asarray(logits, dtype=np.float64)]


def _raised(error: Exception, texts: Mapping[str, str]) -> str:
    """Say what was raised, and at which line of the student's function where that is known."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is ours
    line = frames[0].line if frames else None
    values = {"error": type(error).__name__, "message": str(error), "line": line}
    return texts["raised_at" if line else "raised"].format(**values)


def _fault(returned: object, expected: tuple[int, ...], texts: Mapping[str, str]) -> str | None:
    """Say why no distribution can be made of ``returned``; None where one can."""
    if returned is None:
        return texts["nothing"]
    try:
        array = np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError):
        return texts["not_numbers"].format(kind=type(returned).__name__)
    if array.shape != expected:
        return texts["shape"].format(shape=array.shape, expected=expected)
    try:
        as_logits(array)
    except ValueError:
        return texts["no_distribution"]
    return None
