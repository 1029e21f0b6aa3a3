"""Students' values: copied, compared and shown."""

import textwrap
from typing import Any

import numpy as np

RELATIVE, ABSOLUTE = 1e-5, 1e-6  # room for float32, and for any order of summation
READ = 4000  # characters of a text that is shortened: to wrap millions takes minutes


def fresh(value: Any) -> Any:
    """A copy of an argument's arrays, lists, tuples and dicts; anything else, a model for instance, is itself.

    >>> row = [1, 2]
    >>> fresh(row) == row, fresh(row) is row
    (True, False)
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple):
        return type(value)(map(fresh, value))
    if isinstance(value, dict):
        return {key: fresh(each) for key, each in value.items()}
    return value


def same(one: Any, other: Any) -> bool:
    """Whether an argument still is what it was: the same kind, shape and values, NaN equal to NaN.

    >>> same([1.0, float("nan")], [1.0, float("nan")]), same(np.ones(2), np.zeros(2))
    (True, False)
    """
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and one.dtype == other.dtype and _equal(one, other)
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(each, other[key]) for key, each in one.items())
    return one is other or bool(one == other) or (one != one and other != other)  # noqa: PLR0124  a NaN


def mismatch(got: Any, expected: Any) -> str | None:
    """Return how ``got`` differs from ``expected``, as the message that tells it; None where the two agree.

    NumPy arrays and scalars, Python numbers and lists, and torch tensors all count as numbers; shapes have to be equal.
    Several results are compared one by one, where a tuple of arrays is expected; an array may hold them, too.

    >>> mismatch([0.5, 0.5000001], np.array([0.5, 0.5])) is None
    True
    >>> mismatch(np.ones((2, 1)), np.ones(2)), mismatch(1.0, np.ones(2))
    ('extra_axis', 'of_shape')
    >>> mismatch([2, [3]], (np.array(2), np.array([3]))) is None, mismatch(2, (np.array(2), np.array([3])))
    (True, 'no_parts')
    >>> mismatch(np.eye(2), (np.array([1, 0]), np.array([0, 1]))) is None
    True
    """
    if _in_parts(expected):
        return _parts_mismatch(got, expected)
    try:
        numbers = _array(got).astype(float)
    except (TypeError, ValueError):
        return "no_number"
    if numbers.shape == np.shape(expected):
        return None if _close(numbers, expected) else "value"
    squeezed = numbers.squeeze()
    return "extra_axis" if squeezed.shape == np.shape(expected) and _close(squeezed, expected) else "of_shape"


def not_integer(number: Any) -> str | None:
    """Return the message for a number that cannot be an id, such as 2.0; None for an integer of whatever kind.

    >>> not_integer(2.0), not_integer(np.int64(2))
    ('no_integer', None)
    """
    return None if _array(number).dtype.kind in "iu" else "no_integer"


def shown_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The call as a student would type it.

    >>> shown_call("apply_temperature", (np.array([2.0, 1.0]), 0.5), {})
    'apply_temperature(array([2., 1.]), 0.5)'
    >>> shown_call("generate", ([1, 2],), {"sampler": np.argmax})
    'generate([1, 2], sampler=argmax)'
    """
    keywords = (f"{key}={_argument(each)}" for key, each in kwargs.items())
    return f"{name}({', '.join([*map(_argument, args), *keywords])})"


def shown(value: Any) -> str:
    """A result, to seven digits, long arrays shortened.

    >>> shown(np.float64(2) / 3), shown([1, -np.inf]), shown(None)
    ('0.6666667', '[1, -inf]', 'None')
    """
    if _in_parts(value):
        return f"({', '.join(' '.join(shown(each).split()) for each in value)})"
    try:
        array = _array(value)
    except (TypeError, ValueError):
        return _short(repr(value))
    if array.dtype.kind not in "fiu" or not array.size:
        return _short(repr(value))
    return np.array2string(array, separator=", ", threshold=20, edgeitems=3, formatter={"all": "{:.7g}".format})


def _in_parts(value: Any) -> bool:
    """Whether these are several results: a tuple that holds an array or, in its turn, several results."""
    return isinstance(value, tuple) and any(isinstance(each, np.ndarray) or _in_parts(each) for each in value)


def _parts_mismatch(got: Any, expected: tuple[Any, ...]) -> str | None:
    """The first mismatch of several results; of whatever kind, since the hint has to say in which of them it is."""
    parts = got if isinstance(got, tuple | list) or np.ndim(got) else ()
    if len(parts) != len(expected):
        return "no_parts"
    found = next(filter(None, map(mismatch, parts, expected)), None)
    return found if found in (None, "no_parts") else "value"


def _close(numbers: np.ndarray, expected: Any) -> bool:
    return np.allclose(numbers, expected, rtol=RELATIVE, atol=ABSOLUTE)


def _array(value: Any) -> np.ndarray:
    """Return numbers of any kind as an array; a torch tensor leaves its history behind."""
    return np.asarray(value.detach() if hasattr(value, "detach") else value)


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _argument(value: Any) -> str:
    if isinstance(value, np.ndarray):
        dtype = f", dtype={value.dtype}" if value.dtype == np.float32 else ""
        rows = np.array2string(value, separator=", ", threshold=12, edgeitems=3)
        return f"array({' '.join(rows.split())}{dtype})"
    if isinstance(value, list | tuple):
        items = ", ".join(map(_argument, value))
        return _short(f"[{items}]" if isinstance(value, list) else f"({items})")
    if callable(value) and hasattr(value, "__name__"):  # a function, as it is called in the notebook
        return str(value.__name__)
    return _short(repr(value.item() if isinstance(value, np.generic) else value))


def _short(text: str) -> str:
    return textwrap.shorten(text[:READ], 160, placeholder=" …")
