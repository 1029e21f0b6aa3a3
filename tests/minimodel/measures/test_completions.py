"""Variety, loops and accuracy against slower definitions, and by hand."""

from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimodel import Grammar, Verdict, accuracy, distinct, distinct_n, diversity, loop_length, type_token_ratio

texts = st.lists(st.integers(0, 3), max_size=8)
many = st.lists(texts, max_size=8)


def windows(text, n):
    """N-grams by walking n staggered iterators side by side."""
    return list(zip(*(islice(text, start, None) for start in range(n)), strict=False))


def never_seen_before(things):
    return [thing for place, thing in enumerate(things) if thing not in things[:place]]


@given(many)
def test_distinct_is_the_share_not_seen_before(completions):
    expected = len(never_seen_before(completions)) / len(completions) if completions else 0.0
    assert distinct(completions) == expected


def test_distinct_by_hand():
    assert distinct([[1, 2], [2, 1], [1, 2], [1]]) == 0.75  # order and length matter
    assert distinct([[]]) == 1.0
    assert distinct([]) == 0.0
    assert distinct([np.array([1, 2]), (1, 2)]) == 0.5
    assert distinct(np.array([[1, 2], [1, 2]])) == 0.5
    assert distinct(["she sings", "she sings", "she sang", "I"]) == 0.75


@given(many, st.integers(1, 5))
def test_distinct_n_is_the_share_of_windows_not_seen_before(completions, n):
    grams = [gram for text in completions for gram in windows(text, n)]
    assert distinct_n(completions, n) == (len(never_seen_before(grams)) / len(grams) if grams else 0.0)


def test_distinct_n_by_hand():
    assert distinct_n([[1, 2], [3, 1], [2, 3]], 2) == 1.0
    assert distinct_n([[1, 2, 1, 2]], 2) == 2 / 3
    assert distinct_n([[1, 2], [1]], 1) == 2 / 3
    assert distinct_n([[1, 2], [2, 1]], 3) == 0.0  # nothing spans two completions
    assert distinct_n([], 1) == 0.0
    assert distinct_n([np.array([1, 1, 1])], 2) == 0.5


@pytest.mark.parametrize("n", [0, -1, 1.0, 2.5, True, "2"])
def test_an_n_that_is_no_count_is_named(n):
    with pytest.raises(ValueError, match=f"n is {n!r}: expected a whole number, 1 or more"):
        distinct_n([[1, 2]], n)
    with pytest.raises(ValueError, match=f"n is {n!r}: expected a whole number, 1 or more"):
        diversity([[[1]]], n=n)


@given(texts)
def test_the_type_token_ratio_is_distinct_1_of_one_text(tokens):
    assert type_token_ratio(tokens) == distinct_n([tokens], 1)
    assert type_token_ratio(np.array(tokens)) == distinct_n([tokens], 1)


@given(st.lists(st.integers(0, 2), max_size=14))
def test_a_loop_is_the_shortest_block_said_twice_at_the_end(tokens):
    backwards = tokens[::-1]
    blocks = [c for c in range(1, 15) if 2 * c <= len(tokens) and backwards[:c] == backwards[c : 2 * c]]
    assert loop_length(tokens) == (blocks[0] if blocks else 0)


@given(st.lists(st.integers(0, 5), max_size=6), st.integers(1, 6), st.integers(2, 4))
def test_finds_the_loop_that_was_put_there(start, c, times):
    assert loop_length(start + list(range(10, 10 + c)) * times) == c


@pytest.mark.parametrize(
    ("tokens", "length"),
    [
        ([], 0),
        ([5], 0),
        ([5, 5], 1),
        ([1, 2, 2, 1, 2, 2], 1),  # the smallest: the text ends in "2 2", whatever came before
        ([1, 2, 3, 1, 2, 3], 3),
        ([1, 2, 1, 2, 9], 0),  # it did loop, but does not end in it
        ([2, 1, 2], 0),  # a block and a half
        ([1, 2, 3, 4, 2, 3, 4], 3),
    ],
)
def test_loops_by_hand(tokens, length):
    assert loop_length(tokens) == length
    assert loop_length(np.array(tokens)) == length


def test_accuracy_counts_every_completion():
    prompts = [[1], [1], [1], [2]]
    completions = [[1], [1], [9], [1]]
    assert accuracy(prompts, completions, lambda prompt, completion: prompt == completion) == 0.5


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.sampled_from([bool, np.bool_]))
def test_accuracy_is_the_share_accepted(answers, kind):
    ids = [[i] for i in range(len(answers))]
    share = accuracy(ids, ids, lambda _, completion: kind(answers[completion[0]]))
    assert share == sum(answers) / len(answers)
    assert type(share) is float


@pytest.mark.parametrize("verdict", list(Verdict))
def test_only_the_verdict_right_is_right(verdict):
    assert accuracy([[1]], [[1]], lambda *_: verdict) == (1.0 if verdict is Verdict.RIGHT else 0.0)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_accuracy_by_the_judge_of_the_grammar(lang):
    grammar = Grammar.load(lang)
    encode = grammar.tokenizer.encode
    prompt, right, wrong = {
        "en": ("Tomorrow she", "will eat", "ate"),
        "es": ("Mañana ella", "va a comer", "comió"),
    }[lang]
    completions = [encode(right), encode(wrong), encode(right), encode(right)]
    assert accuracy([encode(prompt)] * 4, completions, grammar.judge) == 0.75


@pytest.mark.parametrize("answer", ["wrong", None, 1, 0.5])
def test_a_judge_that_does_not_say_is_named(answer):
    with pytest.raises(TypeError, match=f"the judge said {answer!r}: expected True, False or a Verdict"):
        accuracy([[1]], [[1]], lambda *_: answer)


def test_refuses_what_cannot_be_paired():
    with pytest.raises(ValueError, match="2 prompts, 1 completions: expected one prompt for each"):
        accuracy([[1], [2]], [[1]], lambda *_: True)
    with pytest.raises(ValueError, match="there are no completions: expected at least one"):
        accuracy([], [], lambda *_: True)


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(texts, min_size=n, max_size=n), min_size=1, max_size=5)))
def test_diversity_is_the_mean_over_prompts(completions):
    n = len(completions[0])
    mean = diversity(completions, n=n)
    assert mean == pytest.approx(sum(map(distinct, completions)) / len(completions))
    assert 1 / n <= mean + 1e-12
    assert mean <= 1


def test_completions_are_compared_within_a_prompt():
    assert diversity([[[5], [7]], [[5], [7]]], n=2) == 1.0
    assert diversity([[[5], [5]], [[7], [7]]], n=2) == 0.5


def test_diversity_falls_as_n_rises():
    draws = np.random.default_rng(0).integers(0, 5, size=(3, 40, 1))
    shares = [diversity(draws[:, :n], n=n) for n in (1, 5, 20, 40)]
    assert all(high > low for high, low in pairwise(shares))


def test_refuses_another_n_than_stated():
    with pytest.raises(ValueError, match="prompt 1 has 1 completions: expected n = 2, the same for all"):
        diversity([[[5], [7]], [[5]]], n=2)
    with pytest.raises(ValueError, match="prompt 0 has 2 completions: expected n = 1"):
        diversity([[[5], [7]], [[5]]], n=1)
    with pytest.raises(ValueError, match="there are no prompts"):
        diversity([], n=2)
