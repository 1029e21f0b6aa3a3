"""Draws by rejection: the law is exact, whatever the weights are that the tries are made with."""

import numpy as np
import pytest

from minimodel import TopP
from minimodel.sampling import rejection
from minimodel.sampling.cdf import Cdf
from minimodel.sampling.fast import pick
from minimodel.sampling.selection import nucleus
from minimodel.sampling.weights import rough_weights


@pytest.mark.parametrize("p", [1e-6, 0.3, 0.9, 0.9999])
def test_where_rough_weights_decide_the_exact_ones_decide_the_same(large_row, p, monkeypatch):
    z = large_row
    quick = [pick(z, np.random.default_rng(seed), p=p) for seed in range(100)]
    monkeypatch.setattr(rejection, "EXCESS", np.inf)  # now they never know
    assert quick == [pick(z, np.random.default_rng(seed), p=p) for seed in range(100)]


@pytest.mark.parametrize("p", [0.2, 0.5, 0.8, 0.96])
def test_every_token_is_found_in_the_nucleus_or_outside_where_many_are_equal(p):
    z = np.random.default_rng(0).permutation(np.repeat(np.array([0, 1, 2, -np.inf], dtype=np.float32), 800))
    inside, rough = nucleus(z, p), Cdf(rough_weights(z, 2.0, 1.0))
    edge = z[inside].min()
    equals = np.flatnonzero(z == edge)
    last = np.flatnonzero(inside[equals])[-1]
    for token in [*equals[max(last - 2, 0) : last + 3], *range(40)]:
        if z[token] > -np.inf:  # that one is never drawn
            assert rejection._is_inside(int(token), z, rough, 1.0, p) == inside[token]


def test_what_rough_weights_make_too_likely_is_taken_back(monkeypatch):
    z, odd = np.zeros(5000, dtype=np.float32), np.arange(5000) % 2 == 1
    monkeypatch.setattr(rejection, "rough_weights", lambda scores, peak, tau: np.where(odd, 2.0, 1.0))
    monkeypatch.setattr(rejection, "EXCESS", 2.0)
    rng = np.random.default_rng(0)
    share = np.mean([odd[pick(z, rng, p=0.999)] for _ in range(1000)])
    assert abs(share - 0.5) < 0.06  # four standard deviations; 2/3 if nothing were taken back


def test_a_tiny_p_on_flat_logits_ends():
    z = np.zeros(5000, dtype=np.float32)
    assert TopP(1e-9)(z, np.random.default_rng(0)) == 0
