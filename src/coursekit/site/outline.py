"""What a parsed page holds, section by section, reduced to what both languages must have in common."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from docutils import nodes

from coursekit.site.masking import masked_lines
from coursekit.site.quiz import quiz

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXT_IN_FORMULA = re.compile(r"\s*\\(?:text(?:rm|bf|it)?|mbox|operatorname)\*?\s*\{[^{}]*\}\s*")
LANGUAGE_IN_ADDRESS = re.compile(r"(?<=[/._-])(?:en|es)(?=[/._-])")


class Fact(NamedTuple):
    """One thing in a section: its kind, what must be equal in both languages, and its line (0 where unknown)."""

    kind: str
    value: str
    line: int


@dataclass
class Section:
    """A section without its subsections; `anchor` is its label, or its place such as s2-1 where `labelled` is false."""

    anchor: str
    labelled: bool
    level: int
    line: int
    facts: list[Fact] = field(default_factory=list)


def read_outline(doctree: Path) -> list[Section]:
    """The sections of a pickled page, in order, its text before the first section under the anchor "top"."""
    return list(_outline(doctree.read_bytes()))


@lru_cache(maxsize=512)
def _outline(pickled: bytes) -> tuple[Section, ...]:
    """The sections of a page, which nobody changes: a page that stays is gone through once."""
    document = pickle.loads(pickled)  # noqa: S301 - written by our own build a moment ago
    return tuple(_sections(document, document, level=0))


def _sections(document: nodes.document, parent: nodes.Element, level: int) -> Iterator[Section]:
    anchor = parent["ids"][0] if level else "top"
    labelled = not level or any(document.nametypes.get(name) for name in parent["names"])
    own = [child for child in parent.children if not isinstance(child, nodes.section)]
    facts = [fact for child in own for fact in _facts(child)]
    if level or facts:
        yield Section(anchor, labelled, level, line_of(parent), facts)
    for child in parent.children:
        if isinstance(child, nodes.section):
            yield from _sections(document, child, level + 1)


def _facts(node: nodes.Node) -> Iterator[Fact]:
    """The facts of a node and of what it holds; a cell's outputs, which its code determines, are left out."""
    if not isinstance(node, nodes.Element) or node.get("nb_element") == "cell_code_output":
        return
    read = next((READERS[name] for name in _names(node) if name in READERS), None)
    if read is not None:
        yield from (Fact(kind, value, line_of(node) + offset) for kind, value, offset in read(node))
    for child in node.children:
        yield from _facts(child)


def _names(node: nodes.Node) -> list[str]:
    return [kind.__name__ for kind in type(node).__mro__]


def line_of(node: nodes.Node | None) -> int:
    """The line a node was written at, or else its parent's; 0 where none is known."""
    while node is not None and not node.line:
        node = node.parent
    return (node.line or 0) if node is not None else 0


def _counted(kind: str) -> Callable[[nodes.Element], list[tuple[str, str, int]]]:
    return lambda _node: [(kind, "", 0)]


def _formula(node: nodes.Element) -> list[tuple[str, str, int]]:
    bare = TEXT_IN_FORMULA.sub("", node.astext())  # its words may come in another order
    kind = "displayed formula" if isinstance(node, nodes.math_block) else "formula"
    label = node.get("label")
    return [(kind, " ".join(bare.split()) + (f" [{label}]" if label else ""), 0)]


def _xref(node: nodes.Element) -> list[tuple[str, str, int]]:
    if node.get("refdomain") == "cite":
        return [("citation", str(node["reftarget"]), 0)]
    if node.get("reftype") == "term":  # a glossary is sorted and worded in its own language
        return [("reference to the glossary", "", 0)]
    return [("reference", str(node["reftarget"]), 0)]


def _link(node: nodes.Element) -> list[tuple[str, str, int]]:
    uri = node.get("refuri")
    return [("link", LANGUAGE_IN_ADDRESS.sub("*", uri), 0)] if uri else []


def _image(node: nodes.Element) -> list[tuple[str, str, int]]:
    name = LANGUAGE_IN_ADDRESS.sub("*", str(node["uri"]).rpartition("/")[2])
    return [("image", f"{name} {'with' if node.get('alt') else 'without'} alternative text", 0)]


def _named(kind: str) -> Callable[[nodes.Element], list[tuple[str, str, int]]]:
    return lambda node: [(kind, " ".join(sorted(name for name in node["names"] if name)), 0)]


def _table(node: nodes.Element) -> list[tuple[str, str, int]]:
    rows, columns = list(node.findall(nodes.row)), list(node.findall(nodes.colspec))
    return [("table", f"{len(rows)} × {len(columns)}", 0)]


def _admonition(node: nodes.Element) -> list[tuple[str, str, int]]:
    return [("box", node.tagname, 0)]


def _quiz(node: nodes.Element) -> list[tuple[str, str, int]]:
    assert isinstance(node, quiz)
    right = f"answer {node['answer']} ± {node['tolerance']}" if node["kind"] == "number" else f"right {node['rights']}"
    return [("quiz", f"{node['ids'][0]}: {node['kind']}, {node['options']} options, {right}", 0)]


def _code(node: nodes.Element) -> list[tuple[str, str, int]]:
    cell = node.parent.parent if node.parent is not None else None
    if isinstance(cell, nodes.Element) and cell.get("nb_element") == "cell_code":
        tags = " ".join(sorted(name for name in cell["classes"] if name.startswith("tag_")))
        return [("code cell", tags, 0), *_lines("line of code", node)]
    language = str(node.get("language", ""))
    lines = _lines("line of code", node) if language.startswith(("python", "ipython")) else []
    return [("block of code", language, 0), *lines]


def _lines(kind: str, node: nodes.Element) -> list[tuple[str, str, int]]:
    return [(kind, line, offset) for offset, line in masked_lines(node.astext())]


READERS: dict[str, Callable[[nodes.Element], list[tuple[str, str, int]]]] = {
    "paragraph": _counted("paragraph"),
    "list_item": _counted("list item"),
    "term": _counted("glossary term"),
    "footnote_reference": _counted("footnote"),
    "math": _formula,
    "math_block": _formula,
    "pending_xref": _xref,
    "reference": _link,
    "image": _image,
    "figure": _named("figure"),
    "table": _table,
    "exercise_node": _named("exercise"),
    "solution_node": _named("solution"),
    "quiz": _quiz,
    "literal_block": _code,
    "Admonition": _admonition,
}
"""How to read a node, by the name of its class or of a class that it derives from."""
