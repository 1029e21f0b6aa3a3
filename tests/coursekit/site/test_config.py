"""One configuration for both languages."""

from __future__ import annotations

import pytest

from coursekit.site.config import ConfigError, book_config, book_toc, pages, read_yaml
from coursekit.site.layout import Layout


def test_a_language_s_settings_lie_over_the_shared_ones(tree) -> None:
    tree.write("book/es/_lang.yml", "config: {title: El libro, sphinx: {config: {nitpicky: false}}}")
    layout = tree.finish()
    english, spanish = (book_config(layout, language) for language in ("en", "es"))
    assert (english["title"], spanish["title"]) == ("From logits to text", "El libro")
    assert (english["sphinx"]["config"]["language"], spanish["sphinx"]["config"]["language"]) == ("en", "es")
    assert english["sphinx"]["config"]["nitpicky"]
    assert not spanish["sphinx"]["config"]["nitpicky"]
    assert spanish["sphinx"]["config"]["extensions"] == english["sphinx"]["config"]["extensions"]
    assert english["bibtex_bibfiles"] == ["../../book/references.bib"]


def test_captions_are_translated(tree) -> None:
    tree.page("one", "")
    layout = tree.finish()
    assert book_toc(layout, "en")["parts"][0]["caption"] == "Chapters"
    assert book_toc(layout, "es")["parts"][0]["caption"] == "Capítulos"
    assert pages(book_toc(layout, "es")) == ["index", "one"]


def test_a_caption_without_a_translation_is_refused(tree) -> None:
    tree.page("one", "")
    tree.write("book/es/_lang.yml", "toc: {}")
    with pytest.raises(ConfigError, match=r"'Chapters'.*_lang\.yml does not translate"):
        book_toc(tree.finish(), "es")


def test_a_missing_or_odd_file_is_named(tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"_config\.yml does not exist"):
        book_config(Layout(tmp_path), "en")
    (tmp_path / "list.yml").write_text("- a")
    with pytest.raises(ConfigError, match=r"list\.yml should hold keys and values, not list"):
        read_yaml(tmp_path / "list.yml")
