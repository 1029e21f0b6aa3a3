"""The language that a notebook's checks speak."""

import json
import os
from pathlib import Path

from minimodel.language import LANGUAGES, Language, check_language


def speak(lang: str) -> None:
    """Make the checks of this session speak ``lang``; a lab's set-up cell calls it.

    Raises:
        ValueError: the course has no such language.
    """
    os.environ["COURSE_LANG"] = check_language(lang)


def spoken() -> Language:
    """Return the language in use: that of `speak` or COURSE_LANG, else the open notebook's, else English."""
    return check_language(os.environ.get("COURSE_LANG") or _notebook_language() or "en")


def _notebook_language() -> str | None:
    """Return ``lang`` from the metadata of the notebook that Jupyter started this kernel for, if it can be read."""
    notebook = Path(os.environ.get("JPY_SESSION_NAME", "")).name  # a kernel starts in its notebook's folder
    try:
        lang = json.loads(Path(notebook).read_text(encoding="utf-8"))["metadata"]["lang"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return lang if lang in LANGUAGES else None
