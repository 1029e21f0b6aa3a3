"""A repair: what was wrong with a submission and was put right, as data and in words."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from coursekit.labs.language import fill_in

REFUSALS = ("empty", "too_large", "not_a_notebook", "too_deep", "huge_number", "no_notebook", "unreadable_file")


@dataclass(frozen=True)
class Repair:
    """One thing that was put right.

    Attributes:
        kind: one of those in ``repairs.toml``; those in `REFUSALS` say why nothing of a submission could be used.
        cell: the grade id or, where it has none, the number of the cell concerned, from 1.
        details: what its texts name further.
    """

    kind: str
    cell: str | int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The record as JSON holds it.

        >>> Repair("copied", "entropy", {"copies": 2}).as_data()
        {'kind': 'copied', 'cell': 'entropy', 'copies': 2}
        """
        return {"kind": self.kind, "cell": self.cell, **self.details}


def told(record: Mapping[str, Any], lang: str, to: Literal["instructor", "student"] = "instructor") -> str:
    """What to say of a repair, given its record.

    >>> told({"kind": "copied", "cell": "entropy", "copies": 2}, "en")
    'Cell entropy was there 3 times; the last one that is filled in counts.'
    """
    text: str = _texts()[str(record["kind"])][to][lang]
    return fill_in(text, lang, {**record, "times": record.get("copies", 0) + 1})


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("repairs.toml").read_text(encoding="utf-8"))
