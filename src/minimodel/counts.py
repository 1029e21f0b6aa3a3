"""What counts as a count."""

import numpy as np


def check_count(name: str, value: int, *, least: int = 1) -> None:
    """Refuse what is not a count.

    Raises:
        ValueError: ``value`` is not a whole number of ``least`` or more.
    """
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}: expected a whole number, {least} or more")
