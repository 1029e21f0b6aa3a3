"""A completion against the decode loop and the judge."""

import pytest

from minimodel import Chain, Grammar, MiniGPT, Temperature, TopP, sample


@pytest.mark.parametrize("seed", range(3))
def test_the_tokens_are_those_of_sample(completed, seed):
    model, prompt = MiniGPT.load("en"), Grammar.load("en").tokenizer.encode("Tomorrow she")
    strategy = Chain(Temperature(1.3), TopP(0.9))
    expected = sample(model, prompt, max_tokens=24, seed=seed, strategy=strategy)
    assert completed("Tomorrow she", seed, temperature=1.3, top_p=0.9).tokens == expected


def test_the_text_does_not_spell_out_its_end(completed):
    texts = [completed("Tomorrow she", seed) for seed in range(10)]
    ended = [text for text in texts if text.reason == "eos"]
    assert ended
    assert all(text.words[-1] == "<eos>" and text.text.endswith(".") for text in ended)


def test_the_reason(completed):
    assert completed("She", max_tokens=0).reason == "length"
    assert completed("She", max_tokens=1).reason == "length"
    assert completed("Tomorrow she", temperature=0.0, stop=("eat",)).reason == "stop"


def test_the_verdict_is_the_judges_where_a_verb_is_due(completed):
    assert completed("Tomorrow she", temperature=0.0).verdict.value == "right"
    assert completed("Tomorrow she", max_tokens=0).verdict.value == "unfinished"
    assert completed("Tomorrow").verdict is None
    assert completed("she tomorrow").verdict is None
