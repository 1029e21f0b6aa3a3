"""The Sphinx extension of the book: everything that its pages need beyond Jupyter Book's own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

PARTS = (
    "anchors",
    "assets",
    "bibliography",
    "chrome",
    "description",
    "formulas",
    "labpage",
    "memory",
    "notebook",
    "provenance",
    "quiz",
    "switch",
    "trim",
)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register every part; the driver sets `course_root`, the folder that holds both languages."""
    app.add_config_value("course_root", None, "env", (str,))
    app.add_config_value("comments_config", None, "", (dict,))  # Jupyter Book sets it, with or without its extension
    for part in PARTS:
        import_module(f"coursekit.site.{part}").setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}
