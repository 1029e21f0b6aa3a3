"""From the bytes of a file to the JSON in it, however it was encoded and whatever was added to or cut off from it."""

import codecs
import json
import re
from typing import Any

from coursekit.grading.intake.repair import Repair
from coursekit.grading.intake.salvage import STRING, salvage

LARGEST = 64 * 2**20  # bytes of a notebook, outputs and all
DEEPEST = 100  # brackets within brackets
LONGEST_NUMBER = 30  # digits
_MARKS = {  # the longest first: UTF-32's begins as UTF-16's does
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_BRACKETS = re.compile(rf"{STRING}|([\[{{])|([\]}}])", re.DOTALL)


class Refused(Exception):  # noqa: N818  a verdict on a file
    """Nothing of a file can be used; the repair says why."""

    def __init__(self, kind: str, **details: Any) -> None:
        super().__init__(kind)
        self.repair = Repair(kind, details=details)


def read_json(data: bytes) -> tuple[dict[str, Any], list[Repair]]:
    r"""The JSON object in a file, and what had to be put right to read it.

    >>> read_json(b'\xef\xbb\xbf{"cells": [{"cell_type": "code", "source": "1"}, {"cell_ty')[0]
    {'cells': [{'cell_type': 'code', 'source': '1'}]}

    Raises:
        Refused: there is none, not even a part.
    """
    if len(data) > LARGEST:
        raise Refused("too_large", size=len(data))
    if not data.strip(b"\0 \t\r\n"):
        raise Refused("empty")
    text, encoding = _decoded(data)
    repairs = [Repair("encoding", details={"encoding": encoding})] if encoding else []
    if (begin := text.find("{")) < 0:
        raise Refused("not_a_notebook")
    _check_depth(text)
    document, around = _parsed(text, begin)
    return document, repairs + around


def _decoded(data: bytes) -> tuple[str, str]:
    """The text, and its encoding where that is none of the usual ones."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace"), "" if encoding == "utf-8-sig" else encoding.upper()
    if data[:200].count(0) > len(data[:200]) // 4:
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
        return data.decode(encoding, "replace"), encoding.upper()
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        return _of_eight_bits(data)


def _of_eight_bits(data: bytes) -> tuple[str, str]:
    """UTF-8 with some bytes damaged, or Windows' own encoding throughout, whichever explains more."""
    damaged = data.decode("utf-8", "replace")
    bad, letters = damaged.count("\ufffd"), sum(byte > 127 for byte in data)  # noqa: PLR2004  beyond ASCII
    if letters > 2 * bad:
        return damaged, "UTF-8 †"
    return data.decode("cp1252", "replace"), "Windows-1252"


def _check_depth(text: str) -> None:
    """Refuse what is nested too deeply before it is parsed: parsers recurse."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += 1 if match[1] else -1 if match[2] else 0
        if depth > DEEPEST:
            raise Refused("too_deep")


def _parsed(text: str, begin: int) -> tuple[dict[str, Any], list[Repair]]:
    decoder = json.JSONDecoder(strict=False, parse_int=_number, parse_constant=lambda _: None)
    try:
        document, end = decoder.raw_decode(text, begin)
    except json.JSONDecodeError as error:
        document = salvage(text, begin, error.pos, decoder)
        if not _has_cells(document):
            raise Refused("not_a_notebook") from error
        saved = len(document.get("cells", ())) or "?"
        return document, [Repair("damaged", details={"at": error.pos, "saved": saved})]
    except RecursionError:
        raise Refused("too_deep") from None
    if not _has_cells(document):
        raise Refused("not_a_notebook")
    around = len(text[:begin].strip()) + len(text[end:].strip("\0 \t\r\n"))
    return document, [Repair("around", details={"bytes": around})] if around else []


def _number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise Refused("huge_number")
    return int(digits)


def _has_cells(document: Any) -> bool:
    return isinstance(document, dict) and any(isinstance(document.get(key), list) for key in ("cells", "worksheets"))
