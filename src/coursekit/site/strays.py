"""Find sentences that were left in the other language: those with more of its commonest words than of the page's own.

Code, formulas, works of the bibliography, and what stands in italics or quotation marks may be in any language.
"""

from __future__ import annotations

import pickle
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from docutils import nodes

from coursekit.site.config import book_toc, pages
from coursekit.site.layout import LANGUAGES, other_language
from coursekit.site.outline import line_of
from coursekit.site.stage import page_source
from coursekit.site.strings import strings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from coursekit.site.layout import Layout

COMMON = {language: frozenset(strings(language)["commonest_words"].split()) for language in LANGUAGES}
FEWEST = 3
"""So many words of the other language make a sentence suspect."""
SENTENCE = re.compile(r"(?<=[.!?])\s+")
QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|\([^)]*\)")
WORD = re.compile(r"[^\W\d_]+")
BLOCKS = (nodes.paragraph, nodes.title, nodes.caption, nodes.term, nodes.entry)
FREE = (nodes.literal, nodes.math, nodes.emphasis, nodes.citation, nodes.raw, nodes.literal_block)


def is_stray(sentence: str, language: str) -> bool:
    """Whether a sentence of a page in `language` is in the other one.

    >>> is_stray("This is what the model does.", "es"), is_stray("Esto es lo que hace el modelo.", "es")
    (True, False)
    >>> is_stray("Se llama «what the model does», y es el título.", "es")
    False
    """
    words = [word.lower() for word in WORD.findall(QUOTED.sub(" ", sentence))]
    own, foreign = (sum(word in COMMON[one] for word in words) for one in (language, other_language(language)))
    return foreign >= FEWEST and foreign > own


def stray_sentences(layout: Layout) -> list[str]:
    """Every sentence of the built languages that is in the wrong one, with its file and line."""
    return [
        f"{_name(layout, language, page)}:{line}: not in the page's language: {sentence}"
        for language in LANGUAGES
        for page in pages(book_toc(layout, language))
        for line, sentence in strays(layout.doctrees(language) / f"{page}.doctree", language)
    ]


def strays(doctree: Path, language: str) -> tuple[tuple[int, str], ...]:
    """The lines and the texts of a parsed page's sentences that are in the wrong language."""
    return _strays(doctree.read_bytes(), language)


@lru_cache(maxsize=512)
def _strays(pickled: bytes, language: str) -> tuple[tuple[int, str], ...]:
    """The same; a page that stays is read once."""
    return tuple(_found(pickle.loads(pickled), language))  # noqa: S301 - written by our own build a moment ago


def _found(document: nodes.document, language: str) -> Iterator[tuple[int, str]]:
    for block in document.findall(lambda node: isinstance(node, BLOCKS)):
        if any(_is_free(outer) for outer in _outside(block)):
            continue
        for sentence in SENTENCE.split(" ".join(_prose(block).split())):
            if is_stray(sentence, language):
                yield line_of(block), sentence


def _outside(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _is_free(node: nodes.Node) -> bool:
    return isinstance(node, FREE) or (isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code_output")


def _prose(node: nodes.Node) -> str:
    """The text of a block without what may be in any language."""
    if _is_free(node):
        return " "
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(_prose, node.children))


def _name(layout: Layout, language: str, page: str) -> str:
    source = page_source(layout, language, page)
    return source.relative_to(layout.root).as_posix() if source else page
