"""The language that a notebook's checks speak, and how it writes numbers."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from minimodel.language import LANGUAGES, Language, check_language

NARROW_SPACE = "\u202f"


def speak(lang: str) -> None:
    """Make the checks of this session speak ``lang``; a lab's set-up cell calls it.

    Raises:
        ValueError: the course has no such language.
    """
    os.environ["COURSE_LANG"] = check_language(lang)


def spoken() -> Language:
    """Return the language in use: that of `speak` or COURSE_LANG, else the open notebook's, else English."""
    return check_language(os.environ.get("COURSE_LANG") or _notebook_language() or "en")


def fill_in(text: str, lang: str, values: Mapping[str, Any]) -> str:
    """Return ``text`` with its blanks filled in, numbers as they are written in ``lang``.

    >>> fill_in("{size:,} bytes", "en", {"size": 20140})
    '20,140 bytes'
    >>> fill_in("{size:,} bytes", "es", {"size": 4096})
    '4096 bytes'
    """
    return (_Spanish() if lang == "es" else Formatter()).vformat(text, (), values)


class _Spanish(Formatter):
    """Where English has a comma between thousands, Spanish has a narrow space, from five digits on (RAE)."""

    def format_field(self, value: Any, format_spec: str) -> str:
        number: str = super().format_field(value, format_spec)
        if format_spec != ",":
            return number
        return number.replace(",", NARROW_SPACE if abs(value) >= 10_000 else "")


def _notebook_language() -> str | None:
    """Return ``lang`` from the metadata of the notebook that Jupyter started this kernel for, if it can be read."""
    notebook = Path(os.environ.get("JPY_SESSION_NAME", "")).name  # a kernel starts in its notebook's folder
    try:
        lang = json.loads(Path(notebook).read_text(encoding="utf-8"))["metadata"]["lang"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return lang if lang in LANGUAGES else None
