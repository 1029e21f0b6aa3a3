"""Beam search on a model small enough to enumerate, and on the Mini-GPT."""

from itertools import product

import numpy as np
import pytest

from minimodel import Grammar, Greedy, MiniGPT, beam_search, log_softmax, sample


class Table:
    """A model of 3 tokens whose logits depend on the last token alone; 0 ends a text."""

    vocab_size, context_length, eos_id = 3, 8, 0
    logits = np.log(np.array([[0.2, 0.4, 0.4], [0.1, 0.5, 0.4], [0.05, 0.05, 0.9]]))

    def __call__(self, token_ids):
        return self.logits[token_ids]


def test_enough_beams_find_the_best_continuation_of_all():
    def log_prob(tokens):
        return sum(log_softmax(Table.logits[a])[b] for a, b in zip((1, *tokens), tokens, strict=False))

    whole = {t[: t.index(0) + 1] if 0 in t else t for t in product(range(3), repeat=4)}
    expected = sorted(whole, key=log_prob, reverse=True)[:5]
    found = beam_search(Table(), [1], beams=100, max_tokens=4)[:5]
    assert [beam.tokens for beam in found] == expected
    assert [beam.log_prob for beam in found] == pytest.approx([log_prob(t) for t in expected])


def test_one_beam_is_greedy_and_two_see_further():
    """After 1, greedy takes 1 (.5) for ever; the better text starts with 2 (.4), which is then nearly certain."""
    assert beam_search(Table(), [1], beams=1, max_tokens=4)[0].tokens == (1, 1, 1, 1)
    assert beam_search(Table(), [1], beams=2, max_tokens=4)[0].tokens == (2, 2, 2, 2)


def test_more_beams_never_find_a_worse_text_here():
    model, prompt = MiniGPT.load("en"), Grammar.load("en").tokenizer.encode("Tomorrow she")
    best = [beam_search(model, prompt, beams=beams, max_tokens=12)[0] for beams in (1, 2, 4)]
    assert best[0].log_prob <= best[1].log_prob <= best[2].log_prob
    greedy = sample(model, prompt, max_tokens=12, seed=0, strategy=Greedy())
    assert list(best[0].tokens) == greedy


def test_an_ended_beam_is_kept_as_it_is():
    for beam in beam_search(Table(), [1], beams=9, max_tokens=6):
        assert beam.ended == (beam.tokens[-1] == 0)
        assert 0 not in beam.tokens[:-1]


@pytest.mark.parametrize(
    ("beams", "max_tokens", "prompt", "said"),
    [(0, 1, [1], "beams is 0"), (1, -1, [1], "max_tokens is -1"), (1, 1, [], "prompt is empty")],
)
def test_bad_input_is_named(beams, max_tokens, prompt, said):
    with pytest.raises(ValueError, match=said):
        beam_search(Table(), prompt, beams=beams, max_tokens=max_tokens)
