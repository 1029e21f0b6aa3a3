"""A sentence left in the other language is found; code, quotations and works by their titles are let be."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from docutils.core import publish_doctree

from coursekit.site.strays import strays

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = "The model gives each word a score, and that is all it does."
SPANISH = "El modelo da a cada palabra una puntuación, y eso es todo lo que hace."


def found(folder: Path, text: str, language: str) -> list[tuple[int, str]]:
    document = publish_doctree(text)
    document.reporter = document.transformer = document.settings = None
    (folder / "page.doctree").write_bytes(pickle.dumps(document))
    return list(strays(folder / "page.doctree", language))


@pytest.mark.parametrize(("language", "own", "other"), [("es", SPANISH, ENGLISH), ("en", ENGLISH, SPANISH)])
@pytest.mark.parametrize("form", ["{}", "Intro\n=====\n\n{}", "- item\n- {}", "{own} {}", "term\n  {}", ".. note:: {}"])
def test_a_sentence_in_the_wrong_language(tmp_path, language, own, other, form) -> None:
    assert found(tmp_path, form.format(own, own=own), language) == []
    ((line, sentence),) = found(tmp_path, form.format(other, own=own), language)
    assert sentence == other
    assert line >= 1


@pytest.mark.parametrize("form", ["``{}``", "*{}*", "::\n\n  {}", "Se titula «{}»", ".. [x] {}"])
def test_what_may_be_in_any_language(tmp_path, form: str) -> None:
    assert found(tmp_path, form.format(ENGLISH), "es") == []
