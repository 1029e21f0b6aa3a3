"""Words to ids and back."""

import numpy as np
import pytest

from minimodel import Grammar, Tokenizer

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


@LANGS
def test_text_survives_the_round_trip(lang):
    grammar = Grammar.load(lang)
    for seed in range(50):
        ids = grammar.sample(np.random.default_rng(seed))
        text = grammar.tokenizer.decode(ids)
        assert grammar.tokenizer.encode(text) == ids
        assert text[0].isupper()


def test_case_is_spelling():
    t = Grammar.load("en").tokenizer
    assert t.encode("TOMORROW she WILL eat.") == t.encode("tomorrow She will eat .")
    assert t.decode(t.encode("yesterday i ate. she ran. <eos>")) == "Yesterday I ate. She ran. <eos>"
    assert t.decode(t.encode("will eat. she"), sentence_start=False) == "will eat. She"


def test_accents_are_not():
    with pytest.raises(ValueError, match="'manana' is not in the vocabulary"):
        Grammar.load("es").tokenizer.encode("manana ella")


def test_an_unknown_word_is_named_with_those_there_are():
    with pytest.raises(ValueError, match=r"'banana' is not in the vocabulary. Its words are: .*yesterday"):
        Grammar.load("en").tokenizer.encode("Tomorrow banana")


@pytest.mark.parametrize("token", [-1, 64])
def test_an_id_outside_is_named(token):
    with pytest.raises(ValueError, match=f"token id {token} is outside the vocabulary: expected 0 to 63"):
        Grammar.load("en").tokenizer.decode([token])


def test_nothing_is_nothing():
    t = Grammar.load("en").tokenizer
    assert t.encode("") == []
    assert t.decode([]) == ""


def test_a_word_twice_is_refused():
    with pytest.raises(ValueError, match="vocabulary of 3 words holds 2 different ones"):
        Tokenizer(["<eos>", "She", "she"])
