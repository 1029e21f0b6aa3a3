"""Rows over a vocabulary too large to sort, of the kinds that samplers meet."""

import numpy as np
import pytest

from minimodel.sampling.small_rows import SMALL

SHAPES = ("normal", "peaked", "flat", "tied")


@pytest.fixture
def large_rows():
    """A row of every shape, by name; the last with many ties and forbidden tokens."""
    size, rng = 3 * SMALL + 77, np.random.default_rng(0)  # three blocks and a bit
    rows = {
        "normal": 3 * rng.standard_normal(size),
        "peaked": -1.5 * np.log(rng.permutation(size) + 1.0),
        "flat": 0.1 * rng.standard_normal(size),
        "tied": np.where(rng.random(size) < 0.3, -np.inf, rng.integers(0, 6, size)),
    }
    return {shape: row.astype(np.float32) for shape, row in rows.items()}


@pytest.fixture(params=SHAPES)
def large_row(request, large_rows):
    """One of them."""
    return large_rows[request.param]
