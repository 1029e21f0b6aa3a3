"""The work has to be the student's own: what minimodel has ready-made cannot be called in its place."""

import contextlib
import inspect
from collections.abc import Collection, Iterator
from types import FunctionType

import minimodel

OTHER_NAMES = {  # where minimodel calls a lab's function by another name
    "distinct": ("type_token_ratio",),
    "find_loop": ("loop_length",),
    "generate": ("sample", "sample_batch", "stream"),
    "generate_cached": ("sample", "sample_batch", "stream"),
}


class Borrowed(Exception):  # noqa: N818  not a mistake in the code
    """Minimodel's function of this name was called while it is barred."""


def _barred(*_: object, **__: object) -> None:
    """The body that a barred function has; it runs among the names of that function's own module."""
    import sys  # noqa: PLC0415

    from coursekit.labs.own_work import Borrowed  # noqa: PLC0415

    raise Borrowed(sys._getframe().f_code.co_name)


@contextlib.contextmanager
def own_work(name: str, given: Collection[str]) -> Iterator[None]:
    """Bar minimodel's version of the function ``name``, by whatever way it is reached, for as long as this lasts.

    It is the function's body that is exchanged, so that a name given to it before leads no further. What is ``given``
    may be called, and so may all that does not itself call the barred function.
    """
    bodies = {function: function.__code__ for function in _ready_made(name) if function.__name__ not in given}
    for function in bodies:
        function.__code__ = _barred.__code__.replace(co_name=function.__name__)
    try:
        yield
    finally:
        for function, body in bodies.items():
            function.__code__ = body


def _ready_made(name: str) -> list[FunctionType]:
    """Minimodel's own functions that do the work of ``name``, without what they are wrapped in."""
    names = {name, *OTHER_NAMES.get(name, ())} & set(minimodel.__all__)
    return [inspect.unwrap(getattr(minimodel, each)) for each in sorted(names)]
