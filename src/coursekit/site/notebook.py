"""Offer a page that has code as a notebook, which runs wherever `minimodel` is installed.

The theme links a page to its notebook where the page's context names one; it is derived from the page's own source.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jupytext
from docutils import nodes

from coursekit.site.hidden_cells import HIDING
from coursekit.site.plain_markdown import Words, plain_markdown
from coursekit.site.strings import strings

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from sphinx.application import Sphinx

FOLDED = HIDING | {"hide-input", "hide_input"}
GLUE_IMPORT = re.compile(r"^from myst_nb import glue$", re.MULTILINE)
GLUE = "glue = lambda *values, **options: None  # {}"
"""In place of the book's own `glue`, which puts values into its sentences."""

BESIDE = 'Path("../'
"""How a cell names a file beside the chapters, which a notebook elsewhere would not find: its page has none."""


class PageWords:
    """What the roles of a page say, from what Sphinx knows of all pages and from the page as it was resolved."""

    def __init__(self, app: Sphinx, doctree: nodes.document) -> None:
        self._app = app
        self._strings = strings(str(app.config.language))
        inline = doctree.findall(nodes.inline)
        self._glued = iter([node.astext() for node in inline if "pasted-text" in node["classes"]])
        blocks = doctree.findall(nodes.literal_block)
        self._listings = iter([node.astext() for node in blocks if node.get("source")])

    def word(self, key: str) -> str:
        """A word of the site's own."""
        return self._strings[key]

    def listing(self) -> str:
        """The page's next listing."""
        return next(self._listings)

    def role(self, role: str, target: str) -> str:
        """What a role without a text of its own says on the page."""
        if role.startswith("glue"):
            return next(self._glued)
        if role.startswith("cite"):
            return ", ".join(map(self._cited, target.split(",")))
        return {"doc": self._page, "ref": self._section, "numref": self._figure, "eq": self._formula}[role](target)

    def _page(self, name: str) -> str:
        return self._app.env.titles[name].astext()

    def _section(self, label: str) -> str:
        return str(self._app.env.get_domain("std").data["labels"][label][2])

    def _figure(self, label: str) -> str:
        page, anchor, _ = self._app.env.get_domain("std").data["labels"][label]
        number = self._app.env.toc_fignumbers[page]["figure"][anchor]
        return str(self._app.config.numfig_format["figure"]) % ".".join(map(str, number))

    def _formula(self, label: str) -> str:
        page, _ = self._app.env.get_domain("math").data["objects"][label]
        number = self._app.env.toc_fignumbers[page]["displaymath"][f"equation-{label}"]
        return f"({'.'.join(map(str, number))})"

    def _cited(self, key: str) -> str:
        entry = self._app.env.get_domain("cite").bibdata.data.entries[key.strip()]  # type: ignore[attr-defined]
        names = [" ".join(person.last_names) for person in entry.persons.get("author", [])]
        return f"{names[0] if names else key}{' et al.' if len(names) > 1 else ''} ({entry.fields.get('year', '')})"


def page_notebook(notebook: NotebookNode, words: Words) -> NotebookNode:
    """A page as it is read by jupytext, its prose as plain Markdown, and what the page folds folded."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain_markdown(f"{cell.source}\n", words).strip()
            continue
        cell.source = GLUE_IMPORT.sub(GLUE.format(words.word("glue")), cell.source)
        if FOLDED & set(cell.metadata.get("tags", [])):
            cell.metadata["jupyter"] = {"source_hidden": True}
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    return notebook


def offer(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the notebook of a page that has code, and name it in the page's context."""
    source = Path(app.env.doc2path(pagename)) if doctree is not None else None
    if doctree is None or source is None or source.suffix != ".md":
        return
    text = source.read_text("utf-8")
    if "kernelspec" not in text:  # to parse it takes a while
        return
    notebook = jupytext.reads(text, "md:myst")
    if "kernelspec" not in notebook.metadata or any(BESIDE in cell.source for cell in notebook.cells):
        return
    target = Path(app.outdir) / "_sources" / f"{pagename}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(jupytext.writes(page_notebook(notebook, PageWords(app, doctree)), "ipynb"), "utf-8")
    context["ipynb_source"] = f"{pagename}.ipynb"


def setup(app: Sphinx) -> None:
    """Connect to the writing of each page, before the theme makes its buttons."""
    app.connect("html-page-context", offer, priority=400)
