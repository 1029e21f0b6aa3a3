"""pipeline.js and pitfalls.js: the same outcomes as in Python, and in Python the contract's own."""

import re

import numpy as np
import pytest

from minimodel import (
    apply_repetition_penalty,
    apply_temperature,
    entropy,
    log_softmax,
    min_p_filter,
    softmax,
    top_k_filter,
    top_p_filter,
)
from minimodel.widgets import esm
from minimodel.widgets.answer import encoded
from minimodel.widgets.outcome import outcome
from minimodel.widgets.picture import damage
from minimodel.widgets.pipeline import Settings, pipeline
from minimodel.widgets.pitfalls import START, broken

EXPORTED = "outcomeOf, pipeline, brokenOutcome, damage"
WIDGET = re.sub("export default .*", f"export {{ {EXPORTED} }};", esm("distribution_explorer"))
LOGITS = np.array([-0.5, 1.0, 0.25, 3.0, -2.0, 2.0])


def rows(rng):
    """Rows of logits of every kind that has ever been trouble, each with the ids of a text before it."""
    for size in (1, 2, 5, 64, 257):
        for _ in range(10):
            normal = rng.normal(size=size) * rng.choice([0.1, 1, 4, 30])
            masked = np.where(rng.random(size) < 0.5, -np.inf, normal)
            masked[rng.integers(size)] = 0.0
            for logits in (normal, np.round(normal), normal.astype(np.float32).astype(float), masked):
                yield logits, rng.integers(size, size=rng.integers(6)).tolist()
        yield np.zeros(size), [0]


def cases():
    rng = np.random.default_rng(20)
    for logits, seen in rows(rng):
        for _ in range(3):
            settings = Settings(
                penalty=float(rng.choice([1, 1.2, 2])),
                tau=float(rng.choice([1e-3, 0.05, 0.7, 1, 2.5, 5, 1e3])),
                k=[None, 1, 2, logits.size + 7, int(rng.integers(1, logits.size + 1))][rng.integers(5)],
                p=float(rng.choice([1e-6, 0.05, 0.5, 0.9, 0.999999, 1, 1 - rng.random()])),
                min_p=float(rng.choice([0, 0.05, 0.5, 1, rng.random()])),
            )
            yield logits, seen, settings


def as_json(many):
    return [{"logits": encoded(logits), "seen": seen, "settings": one._asdict()} for logits, seen, one in many]


def agree(got, want):
    assert got["fates"] == list(want.fates)
    assert got["kept"] == want.kept
    for name, value in (("before", want.before), ("after", want.after), ("massKept", want.mass_kept)):
        np.testing.assert_allclose(got[name], value, rtol=0, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(got["entropy"], want.entropy, rtol=0, atol=1e-12)


def by_the_contract(logits, seen, settings):
    """The contract's pipeline by the package's functions: fates, probabilities before and after the filters."""
    shaped = apply_temperature(apply_repetition_penalty(logits, seen, settings.penalty), settings.tau)
    steps = {"masked": shaped, "top-k": top_k_filter(shaped, logits.size if settings.k is None else settings.k)}
    steps["top-p"] = top_p_filter(steps["top-k"], settings.p)
    steps["min-p"] = min_p_filter(steps["top-p"], settings.min_p)
    fates = [
        next((name for name, scores in steps.items() if np.isneginf(scores[i])), "kept") for i in range(logits.size)
    ]
    return fates, softmax(shaped), softmax(steps["min-p"])


def test_the_outcome_is_the_contracts():
    for logits, seen, settings in cases():
        fates, before, after = by_the_contract(logits, seen, settings)
        made = outcome(logits, pipeline(settings, seen))
        assert list(made.fates) == fates
        np.testing.assert_allclose(made.before, before, atol=1e-15)
        np.testing.assert_allclose(made.after, after, atol=1e-15)
        assert made.mass_kept == pytest.approx(before[np.array(fates) == "kept"].sum(), abs=1e-12)
        assert made.entropy == pytest.approx(entropy(after), abs=1e-12)


def test_the_scripts_pipeline_is_pythons(run_js):
    many = list(cases())
    code = """return data.map(({ logits, settings, seen }) =>
        widget.outcomeOf(logits.map((one) => one ?? -Infinity), widget.pipeline(settings, seen)));"""
    for (logits, seen, settings), got in zip(many, run_js({"widget": WIDGET}, code, as_json(many)), strict=True):
        agree(got, outcome(logits, pipeline(settings, seen)))


@pytest.mark.parametrize("pitfall", START)
def test_the_scripts_mistake_is_pythons(run_js, pitfall):
    many = list(cases())[::2]
    code = f"""return data.map(({{ logits, settings, seen }}) =>
        widget.brokenOutcome("{pitfall}", logits.map((one) => one ?? -Infinity), settings, seen));"""
    nothing_left = 0
    for (logits, seen, settings), got in zip(many, run_js({"widget": WIDGET}, code, as_json(many)), strict=True):
        want = broken(pitfall, logits, settings, seen)
        assert (got is None) == (want is None), (logits, settings)
        nothing_left += want is None
        if want:
            agree(got, want)
    assert (nothing_left > 0) == (pitfall in {"crossing-token", "not-scattered-back"})


@pytest.mark.parametrize(("pitfall", "start"), START.items())
def test_a_pitfall_does_harm_where_it_starts_and_none_where_its_knob_is_off(pitfall, start):
    right = outcome(LOGITS, pipeline(Settings(**start), [3]))
    wrong = broken(pitfall, LOGITS, Settings(**start), [3])
    assert damage(right.after, wrong.after) > 0.05
    if pitfall != "tempers-probabilities":  # that one is wrong at every temperature
        idle = broken(pitfall, LOGITS, Settings(), [3])
        np.testing.assert_allclose(idle.after, softmax(LOGITS), atol=1e-12)


def test_each_mistake_is_the_one_it_says():
    """By hand, on the contract's own distributions."""
    logits = np.log([0.1, 0.5, 0.15, 0.2, 0.05])
    kept = lambda made: [i for i, fate in enumerate(made.fates) if fate == "kept"]  # noqa: E731
    nucleus = Settings(p=0.8)
    assert kept(outcome(logits, pipeline(nucleus))) == [1, 2, 3]
    assert kept(broken("crossing-token", logits, nucleus)) == [1, 3]
    assert kept(broken("cuts-before-sorting", logits, nucleus)) == [0, 1, 2, 3]
    assert kept(broken("not-scattered-back", logits, nucleus)) == [0, 1, 2]
    assert kept(broken("masks-with-zero", logits, nucleus)) == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(broken("no-renormalizing", logits, nucleus).after, [0, 0.5, 0.15, 0.2, 0])
    cold = Settings(tau=0.5, p=0.8)
    assert kept(outcome([3.0, 2.0, 1.0], pipeline(cold))) == [0]
    assert kept(broken("nucleus-first", [3.0, 2.0, 1.0], cold)) == [0, 1]
    probs = softmax(LOGITS)
    np.testing.assert_allclose(broken("tempers-probabilities", LOGITS, Settings(tau=0.5)).after, softmax(probs / 0.5))
    halved = log_softmax(LOGITS) * np.array([1, 1, 1, 0.5, 1, 1])
    np.testing.assert_allclose(broken("penalty-divides", LOGITS, Settings(penalty=2), [3, 3]).after, softmax(halved))


def test_damage_is_the_same_in_the_script(run_js):
    pairs = [([0.5, 0.5], [0.75, 0.25]), ([0.5, 0.5], [0.5, 0.25]), ([1.0, 0.0], [1.0, 0.0])]
    got = run_js({"widget": WIDGET}, "return data.map(([right, wrong]) => widget.damage(right, wrong));", pairs)
    assert got == [damage(np.array(right), np.array(wrong)) for right, wrong in pairs] == [0.25, 0.25, 0]
