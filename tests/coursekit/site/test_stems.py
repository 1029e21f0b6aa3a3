"""Each word is stemmed once a build, and the stems are those of the stemmer."""

from types import SimpleNamespace

from docutils.nodes import document
from docutils.utils import new_document

from coursekit.site.stems import remember


def written(app: SimpleNamespace, page: document) -> None:
    """What Sphinx does with a page's words: it asks for the stem of each."""
    remember(app, page, "page")
    for word in ("samplers", "sampling", "samplers"):
        assert app.builder.indexer.lang.stem(word) == word[:6]


def test_a_word_is_stemmed_once_however_many_pages_have_it() -> None:
    asked: list[str] = []
    stemmer = SimpleNamespace(stem=lambda word: asked.append(word) or word[:6])
    app = SimpleNamespace(builder=SimpleNamespace(indexer=SimpleNamespace(lang=stemmer)))
    for _ in range(3):
        written(app, new_document("page"))
    assert asked == ["samplers", "sampling"]


def test_a_builder_without_an_index_is_left_alone() -> None:
    remember(SimpleNamespace(builder=SimpleNamespace()), new_document("page"), "page")
