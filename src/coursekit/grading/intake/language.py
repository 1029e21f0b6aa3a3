"""The language of a submission, and with it the instructor's notebook that it is graded against."""

import json
import re
from collections.abc import Mapping

from coursekit.grading.intake.lab import read_lab_notebook

_SAID = re.compile(r'"lang"\s*:\s*"(\w+)"')


def language_of_submission(submitted: bytes, sources: Mapping[str, str]) -> str:
    """Which of ``sources``, instructor's notebooks by language, a submission was made from.

    It says so in its metadata; where it does not, its prose is looked up in each.
    """
    text = submitted.decode("utf-16" if submitted[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    for said in reversed(_SAID.findall(text[-5000:])):  # the metadata come last in a file
        if said in sources:
            return str(said)
    return max(sources, key=lambda lang: _lines_in(text, sources[lang]))


def _lines_in(text: str, source: str) -> int:
    """How many of a lab's lines of prose are in a notebook's text, in either of the two ways to write accents."""
    lines = {line for cell in read_lab_notebook(source).prose for line in cell.splitlines() if line}
    return sum(any(json.dumps(line, ensure_ascii=way)[1:-1] in text for way in (True, False)) for line in lines)
