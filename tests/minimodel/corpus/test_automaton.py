"""The automaton on one small enough to do by hand."""

import numpy as np
import pytest

from minimodel.corpus.automaton import Automaton, words_after

# From "home", word 0 comes back, or leads unseen to "away", where word 1 must follow.
EDGES = {"home": [(0, 0.5, "home"), (0, 0.25, "away"), (1, 0.25, "home")], "away": [(1, 1.0, "home")]}


@pytest.fixture
def automaton():
    return Automaton("home", EDGES.__getitem__, 2)


def test_the_next_word_is_weighed_over_the_hidden_states(automaton):
    np.testing.assert_allclose(automaton.next_word_probs(automaton.start()), [0.75, 0.25])
    after_0 = words_after(automaton, [0])  # home with 2/3, away with 1/3
    np.testing.assert_allclose(automaton.next_word_probs(after_0), [2 / 3 * 0.75, 2 / 3 * 0.25 + 1 / 3])


def test_what_cannot_come_leaves_no_belief():
    only = Automaton("a", {"a": [(0, 1.0, "b")], "b": [(1, 1.0, "a")]}.__getitem__, 2)
    assert not words_after(only, [1]).any()
    assert words_after(only, [0, 1]).any()


def test_samples_follow_the_exact_distribution(automaton):
    texts = automaton.sample(np.random.default_rng(0), 40_000, 3)
    for prefix in ([], [0], [1], [0, 0], [0, 1]):
        seen = texts[(texts[:, : len(prefix)] == prefix).all(axis=1)][:, len(prefix)]
        expected = automaton.next_word_probs(words_after(automaton, prefix))
        np.testing.assert_allclose(np.bincount(seen, minlength=2) / len(seen), expected, atol=0.02)


def test_edges_that_do_not_sum_to_1_are_named():
    with pytest.raises(ValueError, match="edges of state a sum to 0.5"):
        Automaton("a", {"a": [(0, 0.5, "a")]}.__getitem__, 1)


def test_the_sets_of_states_that_a_text_leaves_possible(automaton):
    supports, ways = automaton.supports()
    assert supports == [{0}, {0, 1}]  # home; home or away
    assert ways == [{0: 1, 1: 0}, {0: 1, 1: 0}]
    for text in ([], [0], [0, 0, 1], [1, 0]):
        at = 0
        for word in text:
            at = ways[at][word]
        assert set(np.flatnonzero(words_after(automaton, text))) == supports[at]
