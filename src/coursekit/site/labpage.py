"""Open each lab's page with a link that downloads its notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.transforms import SphinxTransform

from coursekit.site.strings import strings

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class LabHeader(SphinxTransform):
    """Put the download and a line on how to read the page under a lab's title."""

    default_priority = 650  # before Sphinx collects the files to be downloaded

    def apply(self, **kwargs: Any) -> None:
        """Insert the header where the page is a lab."""
        folder, _, lab = self.env.docname.rpartition("/")
        title = next(iter(self.document.findall(nodes.title)), None)
        if folder == "labs" and title is not None:
            title.parent.insert(1, _header(lab, strings(str(self.config.language))))


def _header(lab: str, words: dict[str, str]) -> nodes.container:
    link = download_reference(
        "", "", nodes.inline("", words["lab_download"], classes=["lab-download"]), reftarget=f"{lab}.ipynb"
    )
    return nodes.container(
        "", nodes.paragraph("", words["lab_about"]), nodes.paragraph("", "", link), classes=["lab-header"]
    )


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(LabHeader)
