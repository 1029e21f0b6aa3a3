"""Streamed text: whole characters only, and the distribution behind each token."""

import numpy as np
import pytest

from minimodel import Chain, Grammar, Greedy, MiniGPT, RepetitionPenalty, Temperature, TopK, softmax, stream
from minimodel.decoding.text import GrowingText


class Bytes:
    """A model that says a fixed string, one UTF-8 byte a token; 0 ends it."""

    vocab_size, context_length, eos_id = 256, 100, 0

    def __init__(self, text):
        self.said = [*text.encode(), 0]

    def __call__(self, token_ids):
        return np.eye(256)[[self.said[len(token_ids) - 1]]] * 9


def decode(tokens):
    return bytes(token for token in tokens if token).decode(errors="replace")


def pieces(text, **options):
    settings = {"max_tokens": 50, "seed": 0, "strategy": Greedy(), "decode": decode} | options
    return list(stream(Bytes(text), [65], **settings))


def test_text_is_released_in_whole_characters():
    steps = pieces("añ€😀!")
    assert [step.text for step in steps] == ["a", "", "ñ", "", "", "€", "", "", "", "😀", "!", ""]
    assert "".join(step.text for step in steps) == "añ€😀!"


def test_a_text_cut_within_a_character_is_released_as_it_is():
    assert [step.text for step in pieces("€€", max_tokens=4)] == ["", "", "€", "\N{REPLACEMENT CHARACTER}"]


def test_a_stop_string_may_span_tokens():
    steps = pieces("hola, adiós", stop=["a, a"])
    assert "".join(step.text for step in steps) == "hola, a"
    assert steps[-1].reason == "stop"


def test_without_decode_there_is_no_text():
    assert {step.text for step in pieces("hola", decode=None)} == {""}


@pytest.mark.parametrize(("lang", "prompt"), [("en", "Tomorrow she"), ("es", "Mañana ella")])
def test_the_streamed_text_is_the_completion(lang, prompt):
    tokenizer = Grammar.load(lang).tokenizer
    ids = tokenizer.encode(prompt)
    settings = {"max_tokens": 30, "seed": 4, "strategy": Temperature(1.0), "decode": tokenizer.decode}
    steps = list(stream(MiniGPT.load(lang), ids, **settings))
    whole = tokenizer.decode(ids + [step.token for step in steps])
    assert prompt + "".join(step.text for step in steps) == whole


def test_a_step_shows_the_distribution_before_and_after_each_transform():
    chain = Chain(RepetitionPenalty(1.5), Temperature(0.5), TopK(3))
    model, ids = MiniGPT.load("en"), [8, 13]
    *_, step = stream(model, ids, max_tokens=3, seed=0, strategy=chain)
    names, probs = zip(*step.distributions(), strict=True)
    assert names == ("model", "repetition penalty", "temperature", "top-k")
    np.testing.assert_allclose(probs[0], softmax(step.logits))
    assert np.count_nonzero(probs[3]) == 3
    assert probs[3][step.token] > 0


def test_a_stop_string_is_released_though_a_character_after_it_is_unfinished():
    def decode(ids):
        return bytes(ids).decode("utf-8", "replace")

    text = GrowingText(decode, [65], ["b"])
    assert text.grow([65, 98, 0xF0], last=False) == "b\N{REPLACEMENT CHARACTER}"
    assert text.stopped
