"""The sums of the contract, by counting what a decode loop reads."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimodel import Greedy, MiniGPT, attended_pairs, decode_positions, sample

lengths, numbers = st.integers(1, 40), st.integers(0, 40)


def test_the_figures_of_the_contract():
    assert decode_positions(8, 20) == sum(8 + t for t in range(20)) == 350
    assert 64**2 * decode_positions(8, 20) == 1_433_600
    assert decode_positions(8, 20, cached=True) == 8 + 20 - 1


@given(lengths, numbers)
def test_positions_are_those_of_a_loop(length, n):
    assert decode_positions(length, n) == sum(length + t for t in range(n))
    assert decode_positions(length, n, cached=True) == sum(length if t == 0 else 1 for t in range(n))


@given(lengths, numbers)
def test_pairs_are_those_of_a_loop(length, n):
    assert attended_pairs(length, n) == sum((length + t) ** 2 for t in range(n))
    assert attended_pairs(length, n, cached=True) == sum(length**2 if t == 0 else length + t for t in range(n))


@given(lengths)
def test_a_cache_saves_nothing_on_the_first_token(length):
    assert decode_positions(length, 1) == decode_positions(length, 1, cached=True) == length
    assert attended_pairs(length, 1) == attended_pairs(length, 1, cached=True) == length**2


class Watched:
    """The Mini-GPT, with a note of every text it reads."""

    def __init__(self):
        self.model, self.read = MiniGPT.load("en"), []
        self.vocab_size, self.context_length, self.eos_id = self.model.vocab_size, self.model.context_length, None

    def __call__(self, ids):
        self.read.append(len(ids))
        return self.model(ids)

    def prefill(self, ids):
        self.read.append(len(ids))
        return self.model.prefill(ids)

    def decode_step(self, token, cache):
        self.read.append(1)
        return self.model.decode_step(token, cache)


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize(("length", "n"), [(8, 20), (1, 1), (3, 0), (5, 59)])
def test_the_decode_loop_of_the_package_reads_as_many(cached, length, n):
    watched = Watched()
    sample(watched, [5] * length, max_tokens=n, seed=0, strategy=Greedy(), use_cache=cached)
    assert sum(watched.read) == decode_positions(length, n, cached=cached)


@pytest.mark.parametrize("cached", [False, True])
def test_the_exponents_of_the_contract(cached):
    """Doubling n doubles each sum once for every power of n."""
    n, powers = 2**14, SimpleNamespace(positions=1 if cached else 2, pairs=2 if cached else 3)
    grown = decode_positions(8, 2 * n, cached=cached) / decode_positions(8, n, cached=cached)
    assert np.log2(grown) == pytest.approx(powers.positions, abs=0.01)
    grown = attended_pairs(8, 2 * n, cached=cached) / attended_pairs(8, n, cached=cached)
    assert np.log2(grown) == pytest.approx(powers.pairs, abs=0.01)


@pytest.mark.parametrize("count", [decode_positions, attended_pairs])
@pytest.mark.parametrize(
    ("prompt_length", "n", "said"),
    [(0, 5, "prompt_length is 0: "), (-3, 5, "prompt_length is -3: "), (2.5, 5, "prompt_length is 2.5: "),
     (8, -1, "n is -1: expected a whole number, 0 or more"), (8, 1.5, "n is 1.5: ")],
)  # fmt: skip
def test_refuses_lengths_by_name(count, prompt_length, n, said):
    with pytest.raises(ValueError, match=said):
        count(prompt_length, n)
