"""sampling.js is the same sampler as minimodel.sampling: the same tokens kept, the same probabilities."""

from importlib.resources import files

import numpy as np
import pytest

from minimodel import apply_repetition_penalty, apply_temperature, min_p_filter, top_k_filter, top_p_filter
from minimodel.widgets.answer import encoded

SAMPLING = files("minimodel.widgets").joinpath("sampling.js").read_text(encoding="utf-8")
TEMPERED = """const tempered = ({ logits, tau }) =>
    sampling.applyTemperature(logits.map((logit) => logit ?? -Infinity), tau);"""


def rows(rng):
    """Rows of logits of every kind that has ever been trouble."""
    for size in (1, 2, 5, 64, 257):
        for _ in range(12):
            normal = rng.normal(size=size) * rng.choice([0.1, 1, 4, 30])
            masked = np.where(rng.random(size) < 0.5, -np.inf, normal)
            masked[rng.integers(size)] = 0.0
            yield from (normal, np.round(normal), normal.astype(np.float32).astype(float), masked)
        yield from (np.zeros(size), np.full(size, -7.25))


def cases():
    rng = np.random.default_rng(20)
    for logits in rows(rng):
        for _ in range(4):
            yield {
                "logits": logits,
                "tau": float(rng.choice([1e-3, 0.05, 0.7, 1, 2.5, 5, 1e3])),
                "k": int(rng.choice([1, 2, 3, logits.size, logits.size + 7, rng.integers(1, logits.size + 1)])),
                "p": float(rng.choice([1e-6, 0.05, 0.5, 0.9, 0.999999, 1, 1 - rng.random()])),
                "minP": float(rng.choice([0, 0.05, 0.5, 1, rng.random()])),
            }


def as_json(case):
    return case | {"logits": encoded(case["logits"])}


def test_each_filter_alone_keeps_the_same_tokens(run_js):
    many = list(cases())
    code = f"""{TEMPERED} const filters = (logits, {{ k, p, minP }}) =>
            [sampling.topKFilter(logits, k), sampling.topPFilter(logits, p), sampling.minPFilter(logits, minP)];
        return data.map((one) => filters(tempered(one), one));"""
    for case, got in zip(many, run_js({"sampling": SAMPLING}, code, list(map(as_json, many))), strict=True):
        tempered = apply_temperature(case["logits"], case["tau"])
        want = (
            top_k_filter(tempered, case["k"]),
            top_p_filter(tempered, case["p"]),
            min_p_filter(tempered, case["minP"]),
        )
        assert got == [encoded(logits) for logits in want], case  # JSON.stringify writes -Infinity as null, too


def test_the_penalty_counts_each_repeated_word_once_by_its_sign(run_js):
    many = [case | {"seen": [0, 0, case["logits"].size - 1]} for case in cases()]
    code = """return data.map(({ logits, seen, minP }) =>
        sampling.applyRepetitionPenalty(logits.map((one) => one ?? -Infinity), seen, 1 + minP));"""
    for case, got in zip(many, run_js({"sampling": SAMPLING}, code, list(map(as_json, many))), strict=True):
        assert got == encoded(apply_repetition_penalty(case["logits"], case["seen"], 1 + case["minP"])), case


@pytest.mark.parametrize(
    ("probs", "p", "kept"),
    [
        ([0.5, 0.2, 0.15, 0.1, 0.05], 0.8, [0, 1, 2]),
        ([0.5, 0.25, 0.25], 0.75, [0, 1]),
        ([0.25] * 4, 0.5, [0, 1]),
        ([0.3, 0.1, 0.1, 0.5], 0.75, [0, 3]),
        ([0.15, 0.3, 0.3, 0.25], 0.8, [1, 2, 3]),
    ],
)
def test_the_contracts_nuclei(run_js, probs, p, kept):
    code = "return sampling.topPFilter(data.logits, data.p);"
    got = run_js({"sampling": SAMPLING}, code, {"logits": np.log(probs).tolist(), "p": p})
    assert [i for i, logit in enumerate(got) if logit is not None] == kept


def test_the_contracts_entropies(run_js):
    taus = [0.1, 0.3, 0.5, 0.7, 1, 1.5, 2, 5, 10]
    code = """const logits = [3, 2, 1, 0.5, 0, -0.5, -1, -2];
        const probs = (tau) => sampling.softmax(sampling.applyTemperature(logits, tau));
        return data.map((tau) => sampling.entropy(probs(tau)) / Math.LN2);"""
    got = run_js({"sampling": SAMPLING}, code, taus)
    want = [0.0007, 0.2335, 0.7175, 1.2066, 1.7864, 2.3372, 2.5994, 2.9323, 2.9832]
    np.testing.assert_allclose(got, want, atol=5e-5)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("sampling.applyTemperature([1, 2], 0)", "temperature is 0"),
        ("sampling.applyTemperature([1, 2], NaN)", "temperature is NaN"),
        ("sampling.topKFilter([1, 2], 0)", "k is 0"),
        ("sampling.topKFilter([1, 2], 1.5)", "k is 1.5"),
        ("sampling.topPFilter([1, 2], 0)", "p is 0"),
        ("sampling.topPFilter([1, 2], 1.01)", "p is 1.01"),
        ("sampling.minPFilter([1, 2], -0.1)", "min_p is -0.1"),
        ("sampling.applyRepetitionPenalty([1, 2], [0], 0)", "repetition penalty is 0"),
        ("sampling.softmax([-Infinity, -Infinity])", "-Infinity"),
        ("sampling.softmax([NaN, 1])", "NaN"),
    ],
)
def test_a_bad_argument_is_named(run_js, call, names):
    said = run_js({"sampling": SAMPLING}, f"try {{ {call}; }} catch (error) {{ return `${{error}}`; }}")
    assert names in said


def test_the_input_is_never_changed(run_js):
    code = """const logits = [2, 1, 1, 0];
        sampling.topKFilter(logits, 2); sampling.topPFilter(logits, 0.5); sampling.minPFilter(logits, 0.1);
        sampling.applyTemperature(logits, 2); sampling.applyRepetitionPenalty(logits, [0], 2); return logits;"""
    assert run_js({"sampling": SAMPLING}, code) == [2, 1, 1, 0]
