"""Give a section the same anchor in both languages, so that the language switch lands where the reader is.

docutils derives a section's first id from its title. Here the label written above it, `(sec-limits)=`, comes first;
a section without one (the labs' notebooks have none) is numbered by its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def section_label(document: nodes.document, section: nodes.Element) -> str | None:
    """The label written above a section, None without one."""
    return next((name for name in section["names"] if document.nametypes.get(name)), None)


class LabelsFirst(SphinxTransform):
    """Put each section's label, or else its place such as `s2-1`, first among its ids."""

    default_priority = 700  # after docutils has moved labels to their sections, before Sphinx collects titles

    def apply(self, **kwargs: Any) -> None:
        """Reorder the ids of the document's sections."""
        _number(self.document, self.document, "s")


def _number(document: nodes.document, parent: nodes.Element, prefix: str) -> None:
    sections = [child for child in parent.children if isinstance(child, nodes.section)]
    for place, section in enumerate(sections, start=1):
        here = f"{prefix}{place}"
        label = section_label(document, section)
        anchor = document.nameids.get(label) if label else None
        first = anchor or here
        document.ids.setdefault(first, section)
        section["ids"] = [first, *(old for old in section["ids"] if old != first)]
        _number(document, section, f"{here}-")


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(LabelsFirst)
