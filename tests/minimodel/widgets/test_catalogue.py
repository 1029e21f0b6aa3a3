"""The widgets' texts: each in both languages, with the same blanks to fill."""

import re
import string

import pytest

from minimodel.widgets import catalogue
from minimodel.widgets.bundle import WIDGETS, static_script
from minimodel.widgets.pitfalls import START

TEXTS = [
    pytest.param(text, id=f"{table}.{name}")
    for table, texts in catalogue._catalogue().items()
    for name, text in texts.items()
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_both_languages_and_the_same_blanks(text):
    assert set(text) == {"en", "es"}
    blanks = [{field for _, field, _, _ in string.Formatter().parse(text[lang]) if field} for lang in ("en", "es")]
    assert blanks[0] == blanks[1]
    assert bool(text["en"]) == bool(text["es"])


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="'fr'"):
        catalogue.strings("distribution_explorer", "fr")


def test_every_text_that_the_script_asks_for_is_there():
    known = {name for widget in WIDGETS for name in catalogue.strings(widget, "en")}
    asked = set(re.findall(r"\bstrings\.(\w+)", static_script()))
    assert len(asked) > 10
    assert asked <= known


def test_every_fate_and_key_has_a_text():
    known = set(catalogue.strings("distribution_explorer", "es"))
    fates = ("kept", "partly", "masked", "top_k", "top_p", "min_p", "several", "penalized")
    keys = ("kept", "top_k", "top_p", "min_p", "was", "wrong")
    assert {f"fate_{fate}" for fate in fates} | {f"legend_{key}" for key in keys} <= known


def test_every_pitfall_is_explained():
    explained = {name for name in catalogue.strings("distribution_explorer", "en") if name.startswith("pitfall")}
    assert {f"pitfall_{name.replace('-', '_')}" for name in START} == explained
