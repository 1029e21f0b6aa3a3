"""The watched model is the model, and its books are right; the toy notices a token lost, doubled or out of view."""

import numpy as np
import pytest

from coursekit.labs.watched import Counting, Watched
from minimodel import MiniGPT


def test_a_watched_model_gives_what_the_model_gives_and_writes_it_down() -> None:
    model = MiniGPT.load("en")
    watched, ids = Watched(model), np.array([5, 12, 7])
    np.testing.assert_array_equal(watched(ids), model(ids))
    logits, cache = watched.prefill(ids[:2])
    np.testing.assert_array_equal(logits, model(ids[:2]))
    np.testing.assert_allclose(watched.decode_step(7, cache), model(ids)[-1], rtol=1e-4, atol=1e-4)
    assert watched.reads == [3, 2, 1]
    assert cache == 0
    assert repr(watched) == "model"


def test_two_caches_of_a_watched_model_do_not_mix() -> None:
    watched = Watched(Counting(7, 5))
    (_, one), (_, two) = watched.prefill([1, 2]), watched.prefill([3])
    np.testing.assert_array_equal(watched.decode_step(4, one), Counting(7, 5)(np.array([1, 2, 4]))[-1])
    np.testing.assert_array_equal(watched.decode_step(4, two), Counting(7, 5)(np.array([3, 4]))[-1])


def test_the_toys_next_token_is_the_length_and_the_sum_of_what_it_sees() -> None:
    assert Counting(10, 4)(np.array([2, 3, 4])).argmax(axis=-1).tolist() == [3, 7, 2]


def test_the_toy_sees_no_further_than_its_context() -> None:
    toy = Counting(7, 2)
    _, cache = toy.prefill(np.array([1, 2]))
    with pytest.raises(ValueError, match="the context is full: 2 tokens"):
        toy.decode_step(3, cache)
    with pytest.raises(ValueError, match="no ids"):
        toy(np.array([]))
