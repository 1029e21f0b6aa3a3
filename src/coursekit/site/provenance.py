"""The `{pictures}` directive: a table of every picture of the book, the cell that draws it and the cells of its data.

Which cells those are is read in the code: those that gave the names that the drawing cell uses their last values.
A cell is called by the number that Jupyter gives it in a run from top to bottom, which is its anchor on the page, too.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jupytext
from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from coursekit.site.config import book_toc, pages
from coursekit.site.layout import Layout
from coursekit.site.strings import strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.application import Sphinx

WIDGET = re.compile(r'data-widget="(\w+)"')
HEADS = ("page", "picture", "drawn_by", "data_from")
"""The columns' titles in the catalogue of strings."""
MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)


class pictures(nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """Stands where the table is to be, until all pages are read."""


class Picture(NamedTuple):
    """A picture of a page: its anchor, what it is called, the cell that draws it, those of its data."""

    page: str
    anchor: str
    name: str
    cell: int
    data: list[int]


def data_cells(codes: Sequence[str], drawing: int) -> list[int]:
    """The cells, counted from 1, that last gave a value to a name that the cell `drawing` uses and does not give.

    >>> data_cells(["import numpy as np", "a = 1", "b = a", "a = 2", "c = np.add(a, 1)"], 5)
    [4]
    """
    wanted = _used(codes[drawing - 1]) - _given(codes[drawing - 1])
    found = set()
    for place in range(drawing - 1, 0, -1):
        given = _given(codes[place - 1]) & wanted
        wanted -= given
        found |= {place} if given else set()
    return sorted(found)


def _used(code: str) -> set[str]:
    """The names that a cell reads."""
    return {node.id for node in ast.walk(_parsed(code)) if isinstance(node, ast.Name)}


def _given(code: str) -> set[str]:
    """The names to which a cell gives values, functions among them, without those that live inside of functions."""
    body = _parsed(code).body
    functions = {statement.name for statement in body if isinstance(statement, ast.FunctionDef)}
    outside = [node for statement in body if not isinstance(statement, ast.FunctionDef) for node in ast.walk(statement)]
    return functions | {node.id for node in outside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _parsed(code: str) -> ast.Module:
    return ast.parse(MAGIC.sub("", code))


def _cells(document: nodes.document) -> Iterator[nodes.Element]:
    yield from (cell for cell in document.findall(nodes.container) if cell.get("nb_element") == "cell_code")


class CellAnchors(SphinxTransform):
    """Give every cell that a page shows an anchor."""

    default_priority = 700

    def apply(self, **kwargs: Any) -> None:
        """Name each cell by its number."""
        for cell in _cells(self.document):
            if number := cell.get("exec_count"):
                cell["ids"].append(f"cell-{number}")


class PicturesDirective(SphinxDirective):
    """Stand in for the table."""

    def run(self) -> list[nodes.Node]:
        """Leave a mark."""
        return [pictures()]


def _numbered(app: Sphinx, page: str) -> list[nodes.Element]:
    """The cells that a page with code shows, with their numbers; none of a page that only a notebook is read from."""
    source = Path(app.env.doc2path(page))
    if source.suffix != ".md" or "kernelspec" not in source.read_text("utf-8"):
        return []
    return [cell for cell in _cells(app.env.get_doctree(page)) if cell.get("exec_count")]


def _pictures(app: Sphinx, page: str, cells: list[nodes.Element]) -> Iterator[Picture]:
    """The figures and the widgets of a page."""
    drawn = [(cell, _named(app, page, cell)) for cell in cells]
    if not any(named for _, named in drawn):
        return
    notebook = jupytext.reads(Path(app.env.doc2path(page)).read_text("utf-8"), "md:myst")
    codes = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    for cell, named in drawn:
        number = int(cell["exec_count"])
        for anchor, name in named:
            yield Picture(page, anchor or f"cell-{number}", name, number, data_cells(codes, number))


def _named(app: Sphinx, page: str, cell: nodes.Element) -> list[tuple[str, str]]:
    """The anchors and the names of what a cell draws."""
    from minimodel.widgets.catalogue import strings as widget_strings  # noqa: PLC0415 - only books with widgets need it

    language = str(app.config.language)
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    figures = [anchor for figure in cell.findall(nodes.figure) for anchor in figure["ids"] if anchor in numbers]
    widgets = [name for raw in cell.findall(nodes.raw) for name in WIDGET.findall(raw.astext())]
    label = str(app.config.numfig_format["figure"])
    return [
        *((anchor, label % ".".join(map(str, numbers[anchor]))) for anchor in figures),
        *(("", widget_strings(name, language)["title"]) for name in widgets),
    ]


def fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the table where the directive stands."""
    for mark in list(doctree.findall(pictures)):
        listed = pages(book_toc(Layout(Path(app.config.course_root)), str(app.config.language)))
        cells = {page: _numbered(app, page) for page in listed}
        found = [picture for page in listed for picture in _pictures(app, page, cells[page])]
        shown = {page: {int(cell["exec_count"]) for cell in cells[page]} for page in listed}
        mark.replace_self(_table(app, docname, found, shown))


def _table(app: Sphinx, docname: str, found: list[Picture], shown: dict[str, set[int]]) -> nodes.table:
    words = strings(str(app.config.language))
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in HEADS), cols=len(HEADS))
    group += nodes.thead("", _row([[nodes.Text(words[head])] for head in HEADS]))
    group += nodes.tbody("", *(_row(_entries(app, docname, picture, shown[picture.page])) for picture in found))
    return nodes.table("", group, classes=["table", "pictures"])


def _row(entries: list[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *entry)) for entry in entries))


def _entries(app: Sphinx, docname: str, picture: Picture, shown: set[int]) -> list[list[nodes.Node]]:
    """The four cells of a picture's row; `shown` are the numbers of the cells to which its page has links."""

    def link(anchor: str, text: str) -> nodes.Node:
        return make_refnode(app.builder, docname, picture.page, anchor, nodes.Text(text))

    data = [link(f"cell-{one}", f"[{one}]") if one in shown else nodes.Text(f"[{one}]") for one in picture.data]
    spaced = [node for one in data for node in (nodes.Text(" "), one)][1:] or [nodes.Text("–")]
    title = app.env.titles[picture.page].astext()
    drawing = link(f"cell-{picture.cell}", f"[{picture.cell}]")
    return [[link("", title)], [link(picture.anchor, picture.name)], [drawing], spaced]


def setup(app: Sphinx) -> None:
    """Register the directive and the anchors."""
    app.add_node(pictures)
    app.add_directive("pictures", PicturesDirective)
    app.add_transform(CellAnchors)
    app.connect("doctree-resolved", fill_in)
