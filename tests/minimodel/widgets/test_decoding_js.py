"""The page's Mini-GPT and its decode loop are the package's: the same logits, and token for token the same text."""

import numpy as np
import pytest

from minimodel import Chain, Grammar, MinP, RepetitionPenalty, Temperature, TopK, TopP, draw, sample
from minimodel.gpt import MiniGPT

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def texts(lang, rng, count, longest):
    """Texts of the grammar, and texts of any words, which it has never seen."""
    rows = Grammar.load(lang).sample_rows(rng, count, longest)
    for row in rows:
        length = int(rng.integers(1, longest + 1))
        yield row[:length].tolist() if rng.random() < 0.5 else rng.integers(0, 64, length).tolist()


@LANGS
def test_the_logits_are_the_models(run_page_model, lang):
    many = [*texts(lang, np.random.default_rng(2), 40, 64), *texts(lang, np.random.default_rng(3), 4, 90)]
    model = MiniGPT.load(lang)
    for text, got in zip(many, run_page_model(lang, "return cases.map(model.gpt.logitsAfter);", many), strict=True):
        np.testing.assert_allclose(got, model(np.array(text[-64:]))[-1], rtol=0, atol=1e-4)


def settings(rng):
    return {
        "penalty": float(rng.choice([1, 1, 1.2, 2])),
        "tau": float(rng.choice([0, 0.3, 0.7, 1, 1.4, 2.5])),
        "k": None if rng.random() < 0.5 else int(rng.choice([1, 3, 10, 40, 64, 80])),
        "p": float(rng.choice([1, 1, 0.95, 0.7, 0.2])),
        "min_p": float(rng.choice([0, 0, 0.02, 0.3])),
    }


def strategy(penalty, tau, k, p, min_p):
    """The knobs in the contract's order, written out here for a second time."""
    few = [] if k is None else [TopK(k)]
    return Chain(RepetitionPenalty(penalty), Temperature(tau), *few, TopP(p), MinP(min_p))


@LANGS
def test_the_same_seed_and_settings_give_the_same_tokens(run_page_model, lang):
    rng = np.random.default_rng(4)
    cases = [
        {"prompt": prompt, "settings": settings(rng), "seed": int(rng.integers(0, 2**40)), "length": 12}
        for prompt in texts(lang, rng, 200, 12)
    ]
    cases += [case | {"length": 70} for case in cases[:4]]  # past the end of the context
    code = """return cases.map(({ prompt, settings, seed, length }) => [...page.decode(model.gpt, prompt, settings,
        { random: page.uniforms(seed), eos: model.eos, length })].map(({ token }) => token));"""
    model = MiniGPT.load(lang)
    lengths = set()
    for case, got in zip(cases, run_page_model(lang, code, cases), strict=True):
        options = {"max_tokens": case["length"], "seed": case["seed"], "strategy": strategy(**case["settings"])}
        assert got == sample(model, case["prompt"], **options, use_cache=True), case
        lengths.add(len(got))
    assert len(lengths) > 5  # some ended by themselves


def test_a_number_falls_where_python_says(run_page_model):
    rng = np.random.default_rng(5)
    cases = []
    for size in (1, 2, 5, 64):
        for _ in range(60):
            probs = rng.random(size) * (rng.random(size) < 0.7)
            probs[rng.integers(size)] += 0.1
            cases.append((probs / probs.sum(), rng.random()))
    dyadic = [0.0, 0.5, 0.0, 0.25, 0.25, 0.0]
    cases += [(np.array(dyadic), u) for u in (0.0, 0.25, 0.5, np.nextafter(0.5, 0), 0.75, np.nextafter(1, 0))]
    given = [{"probs": probs.tolist(), "u": u} for probs, u in cases]
    got = run_page_model("en", "return cases.map(({ probs, u }) => page.drawAt(probs, u));", given)
    assert got == [draw(probs, u) for probs, u in cases]


def test_each_step_tells_the_number_it_drew(run_page_model):
    code = """const settings = { penalty: 1, tau: 1, k: null, p: 0.9, min_p: 0 };
        const run = (tau) => [...page.decode(model.gpt, [4, 13], { ...settings, tau },
            { random: page.uniforms(7), eos: model.eos, length: 3 })].map(({ u }) => u);
        return [run(1), run(0)];"""
    drawn, greedy = run_page_model("en", code, [])
    assert drawn == np.random.default_rng(7).random(3).tolist()
    assert greedy == [None, None, None]


@LANGS
def test_words_are_read_and_written_as_the_tokenizer_does(run_page_model, lang):
    tokenizer = Grammar.load(lang).tokenizer
    many = [ids for ids in texts(lang, np.random.default_rng(6), 60, 20)]
    written = run_page_model(lang, "return cases.map((ids) => model.spelled(ids).join(''));", many)
    assert written == [tokenizer.decode(ids) for ids in many]
    read = run_page_model(lang, "return cases.map((text) => model.split(text).map((word) => model.id(word) ?? null));", written)
    assert read == [tokenizer.encode(text) for text in written] == many
    assert run_page_model(lang, "return model.split(cases).map((word) => model.id(word) ?? null);", "zebra, .")[0] is None
