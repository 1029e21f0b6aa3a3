"""The words of the command line's help, in the language in use."""

import argparse
import tomllib
from functools import cache
from pathlib import Path

from coursekit.labs.language import spoken


def translated(english: str) -> str:
    """Return the words in the language in use; a text that has no Spanish stays as it is.

    Raises:
        ValueError: COURSE_LANG names a language that the course does not have.

    >>> translated("options")
    'options'
    """
    return english if spoken() == "en" else _spanish().get(english, english)


def teach_argparse() -> None:
    """Let argparse's own words ("usage", the errors) come from here; its way, gettext, takes a compiled catalogue."""
    setattr(argparse, "_", translated)  # noqa: B010 - a name that its types do not tell of


@cache
def _spanish() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
