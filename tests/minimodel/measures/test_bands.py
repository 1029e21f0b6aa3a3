"""The bootstrap band: by exhaustive resampling, and how often it holds the truth."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minimodel import bootstrap_band

scores = hnp.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(2, 12)), elements=st.floats(0, 1))


@settings(deadline=None)
@given(scores, st.integers(0, 99))
def test_the_band_holds_the_mean_and_stays_among_the_scores(rows, seed):
    band = bootstrap_band(rows, seed=seed)
    np.testing.assert_allclose(band.mean, rows.mean(axis=-1))
    assert (rows.min(axis=-1) - 1e-12 <= band.low).all()
    assert (band.low <= band.mean + 1e-9).all()
    assert (band.mean <= band.high + 1e-9).all()
    assert (band.high <= rows.max(axis=-1) + 1e-12).all()


def test_the_limits_are_those_of_all_possible_resamples():
    values = np.array([0.0, 0.1, 0.35, 0.6, 1.0])
    every = [np.mean(drawn) for drawn in product(values, repeat=len(values))]
    band = bootstrap_band(values, seed=0, level=0.9)
    np.testing.assert_allclose([band.low, band.high], np.quantile(every, [0.05, 0.95]), atol=0.03)


def test_it_holds_the_truth_about_as_often_as_it_says():
    rows = np.random.default_rng(0).beta(2, 1, size=(400, 10))  # mean 2/3
    band = bootstrap_band(rows, seed=1)
    held = ((band.low <= 2 / 3) & (band.high >= 2 / 3)).mean()
    assert 0.86 < held < 0.96


def test_a_lower_level_is_a_narrower_band():
    values = np.linspace(0, 1, 10)
    half, most = bootstrap_band(values, seed=0, level=0.5), bootstrap_band(values, seed=0, level=0.99)
    assert most.low < half.low < half.mean < half.high < most.high


def test_units_that_all_score_the_same_leave_no_width():
    band = bootstrap_band([0.25, 0.25, 0.25], seed=0)
    assert (band.low, band.mean, band.high) == (0.25, 0.25, 0.25)


def test_the_same_seed_gives_the_same_band_and_all_rows_share_the_draws():
    values = np.random.default_rng(0).random(10)
    band, twice = bootstrap_band(values, seed=3), bootstrap_band([values, values], seed=3)
    assert twice.low.tolist() == [band.low, band.low]
    assert twice.high.tolist() == [band.high, band.high]
    assert bootstrap_band(values, seed=4).low != band.low


def test_global_random_state_is_left_alone():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    bootstrap_band([0.0, 1.0], seed=0)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("few", [[0.5], [[0.5], [0.5]], [], 0.5])
def test_refuses_units_that_cannot_differ(few):
    with pytest.raises(ValueError, match=r"expected \(..., units\) with at least 2 units"):
        bootstrap_band(few, seed=0)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan])
def test_refuses_a_level_that_is_none(level):
    with pytest.raises(ValueError, match=f"level is {level}: expected a number between 0 and 1"):
        bootstrap_band([0.0, 1.0], seed=0, level=level)
