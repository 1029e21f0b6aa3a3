"""Entropy, perplexity, cross-entropy and divergence against SciPy and the contract's worked values."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minimodel import apply_temperature, cross_entropy, entropy, kl_divergence, perplexity, softmax

LADDER = np.array([3, 2, 1, 0.5, 0, -0.5, -1, -2])
TAUS = (0.1, 0.3, 0.5, 0.7, 1, 1.5, 2, 5, 10)
BITS = (0.0007, 0.2335, 0.7175, 1.2066, 1.7864, 2.3372, 2.5994, 2.9323, 2.9832)
logits = hnp.arrays(np.float64, st.integers(2, 9), elements=st.floats(-8, 8))


@pytest.mark.parametrize(("tau", "bits"), list(zip(TAUS, BITS, strict=True)))
def test_the_ladder_of_the_contract(tau, bits):
    assert entropy(softmax(LADDER / tau), base=2) == pytest.approx(bits, abs=5e-5)


@given(logits)
def test_entropy_is_scipys(z):
    assert entropy(softmax(z)) == pytest.approx(scipy.stats.entropy(softmax(z)), abs=1e-12)


@given(logits, st.floats(0.2, 5), st.floats(1.01, 3))
def test_entropy_never_falls_when_temperature_rises(z, tau, factor):
    low, high = (entropy(softmax(apply_temperature(z, t))) for t in (tau, tau * factor))
    assert high >= low - 1e-12


@given(logits, st.floats(0.5, 4))
def test_the_slope_of_entropy_is_the_variance_over_tau_cubed(z, tau):
    probs, h = softmax(z / tau), 1e-5
    variance = probs @ (z - probs @ z) ** 2
    slope = (entropy(softmax(z / (tau + h))) - entropy(softmax(z / (tau - h)))) / (2 * h)
    assert slope == pytest.approx(variance / tau**3, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_ends_of_the_scale(n):
    assert entropy(np.eye(n)[0]) == 0.0
    assert np.signbit(entropy(np.eye(n)[0])) == np.False_
    assert entropy(np.full(n, 1 / n)) == pytest.approx(np.log(n))


def test_rows_of_a_batch():
    assert entropy([[0.5, 0.5], [1.0, 0.0]], base=2).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("probs", [[1.1, -0.1], [np.nan, 1.0]])
def test_refuses_negative_probabilities(probs):
    with pytest.raises(ValueError, match="not all 0 or more"):
        entropy(probs)


@pytest.mark.parametrize("base", [1, 0.5, 0, np.nan])
def test_refuses_a_base_that_is_none(base):
    with pytest.raises(ValueError, match=f"base is {base}"):
        entropy([0.5, 0.5], base=base)


@given(hnp.arrays(np.float64, (2, 6), elements=st.floats(-8, 8)))
def test_divergence_is_scipys(z):
    p, q = softmax(z)
    assert kl_divergence(p, q) == pytest.approx(scipy.stats.entropy(p, q), abs=1e-10)


def test_divergence_where_one_of_them_has_a_zero():
    assert kl_divergence([1.0, 0.0], [0.5, 0.5]) == pytest.approx(np.log(2))
    assert kl_divergence([[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]).tolist() == [np.inf, 0.0]


@given(st.integers(1, 200))
def test_the_perplexity_of_equal_chances_is_their_number(n):
    assert perplexity(np.full(n, 1 / n)) == pytest.approx(n)


@given(logits)
def test_perplexity_is_entropy_as_a_number_of_tokens(z):
    assert perplexity(softmax(z)) == pytest.approx(2 ** entropy(softmax(z), base=2))
    assert 1 <= perplexity(softmax(z)) <= len(z) * (1 + 1e-12)


def test_perplexity_row_by_row():
    np.testing.assert_allclose(perplexity([[0.5, 0.5], [1.0, 0.0]]), [2.0, 1.0])
    assert type(perplexity([0.5, 0.5])) is float


@given(hnp.arrays(np.float64, (2, 6), elements=st.floats(-8, 8)))
def test_cross_entropy_is_entropy_and_divergence(z):
    p, q = softmax(z)
    assert cross_entropy(p, q) == pytest.approx(scipy.stats.entropy(p) + scipy.stats.entropy(p, q), abs=1e-10)
    assert cross_entropy(p, q) >= cross_entropy(p, p) - 1e-12


def test_cross_entropy_where_one_of_them_has_a_zero():
    assert cross_entropy([[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]).tolist() == [np.inf, 0.0]
    assert np.signbit(cross_entropy([1.0, 0.0], [1.0, 0.0])) == np.False_


@pytest.mark.parametrize("measure", [cross_entropy, kl_divergence])
def test_refuses_two_vocabularies(measure):
    with pytest.raises(ValueError, match=r"truth has shape \(1,\), model \(2,\): expected the same vocabulary"):
        measure([1.0], [0.5, 0.5])
    with pytest.raises(ValueError, match="not all 0 or more"):
        measure([0.5, 0.5], [1.5, -0.5])


def test_no_rounding_makes_an_entropy_negative():
    assert entropy([1.0000001]) == 0
