"""Notebooks: an instructor's, built from a lab's source; and whether a notebook still is as it was derived."""

import hashlib
import json
from collections import Counter
from typing import Any

import jupytext
from nbformat.notebooknode import NotebookNode
from nbgrader.nbgraderformat import reads
from nbgrader.preprocessors import ComputeChecksums
from nbgrader.utils import compute_checksum

from coursekit.labs.source import Cell, Lab

NOTEBOOK_FORMAT, METADATA_SCHEMA = 4, 3  # Jupyter's and nbgrader's


def instructor_notebook(lab: Lab, lang: str) -> str:
    """Return the text of ``lab``'s notebook in one language, with solutions and hidden tests, in nbgrader's format.

    Teaching notes stay out of it: nbgrader would release them with the rest.
    """
    cells = [_notebook_cell(cell, lang) for cell in lab.cells if cell.role != "note"]
    copies = Counter[str]()
    for cell in cells:
        copies[cell["id"]] += 1
        if copies[cell["id"]] > 1:
            cell["id"] += f"-{copies[cell['id']]}"
    metadata = {"kernelspec": lab.kernelspec, "lab": lab.name, "lang": lang, "title": lab.title[lang]}
    content = {"cells": cells, "metadata": metadata, "nbformat": NOTEBOOK_FORMAT, "nbformat_minor": 5}
    notebook = reads(json.dumps(content), as_version=NOTEBOOK_FORMAT)
    ComputeChecksums().preprocess(notebook, {})
    return f"{jupytext.writes(notebook, fmt='ipynb')}\n"


def is_as_derived(text: str) -> bool:
    """Tell whether the notebook in ``text`` has nobody's work in it: each cell as some derivation made it, no outputs.

    A derived cell proves itself: by nbgrader's checksum, or by an id that is the hash of its text.
    """
    try:
        cells = reads(text, as_version=NOTEBOOK_FORMAT).cells
    except Exception:  # noqa: BLE001  whatever is wrong with it, no derivation made it
        return False
    return not any(cell.get("outputs") or not _is_untouched(cell) for cell in cells)


def _notebook_cell(cell: Cell, lang: str) -> dict[str, Any]:
    """Return one cell, with nbgrader's metadata where it is an answer or a test."""
    text = cell.text[lang]
    if cell.role == "prose":
        return {"cell_type": "markdown", "id": _content_id("markdown", text), "metadata": {}, "source": text}
    if cell.role == "written":
        marks = {"grade_id": cell.function, "grade": True, "locked": False, "solution": True, "task": False}
        marks |= {"points": cell.points, "schema_version": METADATA_SCHEMA}
        return {"cell_type": "markdown", "id": cell.function, "metadata": {"nbgrader": marks}, "source": text}
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": [], "source": text}
    if cell.role == "code":
        return code | {"id": _content_id("code", text), "metadata": {"tags": list(cell.tags)} if cell.tags else {}}
    graded = cell.role == "test"
    grade_id = f"test_{cell.function}" if graded else cell.function
    marks = {"grade_id": grade_id, "grade": graded, "locked": graded, "solution": not graded, "task": False}
    points = {"points": cell.points} if graded else {}
    return code | {"id": grade_id, "metadata": {"nbgrader": marks | points | {"schema_version": METADATA_SCHEMA}}}


def _is_untouched(cell: NotebookNode) -> bool:
    if checksum := cell.metadata.get("nbgrader", {}).get("checksum"):
        return bool(checksum == compute_checksum(cell))
    return str(cell.get("id")).startswith(_content_id(cell.cell_type, cell.source))


def _content_id(cell_type: str, text: str) -> str:
    return f"{cell_type}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
