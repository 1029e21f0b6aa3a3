"""The command line's help and its errors are in the language in use."""

from __future__ import annotations

import argparse
import inspect
import re

import pytest

from coursekit import __main__ as command
from coursekit import words
from coursekit.__main__ import VERBS, main

NAMES = [verb.__name__.rstrip("_").replace("_", "-") for verb in VERBS]


@pytest.fixture
def untranslated(monkeypatch) -> set[str]:
    """Speak Spanish, and note what there is no Spanish for."""
    monkeypatch.setenv("COURSE_LANG", "es")
    missing: set[str] = set()
    spanish = words._spanish()

    class Noting(dict):
        def get(self, key, default=None):
            if key not in self:
                missing.add(key)
            return super().get(key, default)

    monkeypatch.setattr(words, "_spanish", lambda: Noting(spanish))
    return missing


def test_every_word_of_the_help_is_spanish(untranslated, capsys) -> None:
    assert main([]) == 0
    for name in NAMES:
        with pytest.raises(SystemExit, match="0"):
            main([name, "--help"])
    said = capsys.readouterr().out
    assert untranslated == set()
    assert said.startswith("uso: python -m coursekit [-h] orden ...\n\nLas órdenes del curso")
    assert "muestra esta ayuda y termina" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grade"], "faltan estos argumentos: LAB"),
        (["grade", "a", "b"], "argumentos desconocidos: b"),
        (["grade", "a", "--workers", "x"], "argumento --workers: 'x' no es un valor de tipo int"),
        (["grade", "a", "--workers"], "argumento --workers: falta su valor"),
        (["califica"], "argumento orden: no existe 'califica': elige entre 'build', "),
    ],
)
def test_a_mistake_is_told_in_spanish(untranslated, arguments, said, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert f"error: {said}" in capsys.readouterr().err
    assert untranslated == set()


def test_english_is_left_as_argparse_has_it(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COURSE_LANG", "en")
    with pytest.raises(SystemExit, match="0"):
        main(["grade", "--help"])
    assert re.match(r"usage: .*\n\nGrade a lab's submissions.*show this help", capsys.readouterr().out, re.DOTALL)


def test_a_language_that_there_is_not_is_told_in_a_line(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COURSE_LANG", "fr")
    assert main(["grade", "a"]) == 1
    assert capsys.readouterr().err == "error: language is 'fr': expected one of 'en', 'es'\n"


def test_no_spanish_is_left_over() -> None:
    """What is in the catalogue is said somewhere: by argparse, or by the command line's source."""
    source = inspect.getsource(argparse) + inspect.getsource(command)
    known = {english.replace("\n", "\\n") for english in words._spanish()}
    assert sorted(one for one in known if one not in source and not one.startswith("only this language")) == []
