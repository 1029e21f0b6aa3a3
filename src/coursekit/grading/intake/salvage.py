"""What can be saved of damaged JSON: all that stands before the damage, and the whole cells after it."""

import json
import re
from collections.abc import Iterator
from typing import Any

ATTEMPTS = 2000  # places after the damage that are tried
STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'  # one that never closes goes to the end: nothing in it is tried again
_TOKEN = re.compile(rf"{STRING}|[\[{{\]}},]", re.DOTALL)
_CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata|outputs|source)"\s*:')


def salvage(text: str, begin: int, damage: int, decoder: json.JSONDecoder) -> dict[str, Any]:
    """The object that begins at ``begin``, with what can be read of it, although it is damaged at ``damage``."""
    document = _closed(text[begin:damage], decoder)
    if not isinstance(document, dict) or isinstance(document.get("worksheets"), list):
        return document if isinstance(document, dict) else {}
    before = document.get("cells")
    cells = [*(before if isinstance(before, list) else []), *_cells_after(text, damage, decoder)]
    document["cells"] = [cell for cell in cells if isinstance(cell, dict) and "cell_type" in cell]
    return document if document["cells"] else {}


def _closed(text: str, decoder: json.JSONDecoder) -> Any:
    """The beginning of a JSON text, up to its last whole part, read as if it had been closed there."""
    openers, safe = list[str](), ("", "")
    for token in _TOKEN.finditer(text):
        kind = token[0][0]
        if kind in "[{":
            openers.append("]" if kind == "[" else "}")
        elif kind in "]}" and openers:
            openers.pop()
        if kind != '"':
            at = token.start() if kind == "," else token.end()
            safe = text[:at], "".join(reversed(openers))
    try:
        return decoder.raw_decode("".join(safe))[0]
    except json.JSONDecodeError:
        return {}


def _cells_after(text: str, damage: int, decoder: json.JSONDecoder) -> Iterator[dict[str, Any]]:
    """The cells that can be read whole beyond the damage."""
    at, effort = damage, 4 * len(text)  # what is hopeless is not read again and again
    for _ in range(ATTEMPTS):
        begins = _CELL.search(text, at)
        if not begins or effort < 0:
            return
        try:
            cell, at = decoder.raw_decode(text, begins.start())
        except json.JSONDecodeError as error:
            cell, at = {}, begins.end()
            effort -= error.pos - begins.start()
        except RecursionError:
            return
        if "cell_type" in cell:
            yield cell
