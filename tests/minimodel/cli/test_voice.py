"""Prompts that cannot be said, and what the person is told."""

import pytest

from minimodel.cli.catalogue import Texts
from minimodel.cli.voice import Voice, unknown_words


def test_every_unknown_word_is_named_with_its_neighbours():
    with pytest.raises(ValueError, match="'tommorow' .* tomorrow.*; 'dacne' .* dance"):
        Voice.load("en").encode("Tommorow she will dacne.".casefold(), Texts("en"))


@pytest.mark.parametrize(("typed", "meant"), [("manana", "mañana"), ("dormi", "dormí"), ("COMIO", "comió")])
def test_a_forgotten_accent_is_near(typed, meant):
    with pytest.raises(ValueError, match=meant):
        Voice.load("es").encode(f"{typed} xx", Texts("es"))


def test_the_other_language_is_recognised():
    with pytest.raises(ValueError, match="add /lang es"):
        Voice.load("en").encode("Mañana ella", Texts("en", prefix="/"))


@pytest.mark.parametrize("blank", ["", "  \t"])
def test_nothing_is_refused(blank):
    with pytest.raises(ValueError, match="empty"):
        Voice.load("en").encode(blank, Texts("en"))


def test_punctuation_is_no_word_of_its_own_unless_it_stands_alone():
    assert unknown_words("She, eats. ¿banana? !", "en") == ["She", "banana", "!"]
