"""pcg64.js gives the numbers of NumPy's own generator, to the last bit."""

from importlib.resources import files

import numpy as np
import pytest

PCG64 = files("minimodel.widgets").joinpath("pcg64.js").read_text(encoding="utf-8")
SEEDS = [0, 1, 7, 42, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**53 - 1]


def test_the_same_seed_gives_numpys_own_numbers(run_js):
    drawn = np.random.default_rng(1).integers(0, 2**53, 300)
    seeds = [*SEEDS, *range(2, 60), *map(int, drawn), *map(int, drawn % 2**32)]
    code = "return data.map((seed) => { const next = pcg64.uniforms(seed); return Array.from({ length: 12 }, next); });"
    for seed, got in zip(seeds, run_js({"pcg64": PCG64}, code, seeds), strict=True):
        assert got == np.random.default_rng(seed).random(12).tolist(), seed


@pytest.mark.parametrize("seed", [-1, 0.5, 2**53, "NaN"])
def test_a_seed_that_is_none_is_named(run_js, seed):
    code = f"try {{ pcg64.uniforms({seed}); }} catch (error) {{ return `${{error}}`; }}"
    assert f"seed is {seed}" in run_js({"pcg64": PCG64}, code)
