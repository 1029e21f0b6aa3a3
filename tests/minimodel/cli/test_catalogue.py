"""Both languages say everything, with the same blanks to fill in."""

import re
import string
import tomllib
from pathlib import Path

import pytest

import minimodel.cli
from minimodel.cli.catalogue import Texts, language_of_locale
from minimodel.cli.knobs import KNOBS
from minimodel.corpus.judge import Verdict
from minimodel.sampling.strategies import ORDER

SOURCE = Path(minimodel.cli.__file__).parent
CATALOGUE = tomllib.loads((SOURCE / "strings.toml").read_text(encoding="utf-8"))
ASKED_FOR_BY_NAME = set(re.findall(r'texts\(\s*"(\w+)"', "".join(file.read_text() for file in SOURCE.glob("*.py"))))


def blanks(text):
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


@pytest.mark.parametrize("name", CATALOGUE)
def test_both_languages_say_it_with_the_same_blanks(name):
    assert set(CATALOGUE[name]) == {"en", "es"}
    assert blanks(CATALOGUE[name]["en"]) == blanks(CATALOGUE[name]["es"])
    assert all(text.strip() for text in CATALOGUE[name].values())


def test_all_that_is_asked_for_is_there():
    asked = ASKED_FOR_BY_NAME | {f"{kind}_{name}" for kind in ("help", "expected") for name in KNOBS}
    asked |= {"verdict_" + verdict.value.replace(" ", "_") for verdict in Verdict}
    asked |= {f"order_{name}" for name in ("show", "words", "reset", "help", "quit")}
    asked |= {f"reason_{reason}" for reason in ("eos", "length", "stop")}
    ours = {"repetition penalty", "temperature", "top-k", "top-p", "min-p"} & set(ORDER)
    assert len(ours) == 5
    asked |= {"transform_" + re.sub("[ -]", "_", name) for name in ours}
    assert len(ASKED_FOR_BY_NAME) > 20
    assert asked <= set(CATALOGUE)


def test_a_setting_is_written_as_the_person_would():
    assert "add /lang es" in Texts("en", prefix="/")("other_language", prompt="", lang="en", other="es")
    assert "add --lang es" in Texts("en")("other_language", prompt="", lang="en", other="es")


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="'fr'"):
        Texts("fr")


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "es"}, "es"),
        ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_locale(monkeypatch, variables, lang):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of_locale() == lang
