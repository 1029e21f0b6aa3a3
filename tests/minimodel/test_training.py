"""Training: it learns the grammar, the shipped weights are what it gives, and its model is the one that is used."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from minimodel import GPTConfig, Grammar, MiniGPT
from minimodel.training import excess_loss, forward, initial_parameters, train
from minimodel.weights import read_safetensors

LANGS = pytest.mark.parametrize("lang", ["en", "es"])
ROOT = Path(__file__).parents[2]
ALLOWED = 0.02  # nats a token above the grammar's entropy


@LANGS
def test_the_shipped_weights_are_as_good_as_promised(lang):
    assert 0 < excess_loss(MiniGPT.load(lang), Grammar.load(lang)) < ALLOWED


@pytest.fixture(scope="module")
def retrained(tmp_path_factory):
    """What ``make train`` makes, from scratch, in another folder."""
    out = tmp_path_factory.mktemp("weights")
    command = [sys.executable, "-m", "minimodel.training", "--out", out, "--plot", out / "loss.svg"]
    subprocess.run(command, check=True, capture_output=True)
    return out


@LANGS
def test_training_again_gives_the_shipped_loss(lang, retrained):
    """Bits differ between machines, so it is the loss that is compared."""
    again = MiniGPT(GPTConfig(), read_safetensors(retrained / f"{lang}.safetensors"))
    shipped, grammar = MiniGPT.load(lang), Grammar.load(lang)
    assert excess_loss(again, grammar) == pytest.approx(excess_loss(shipped, grammar), abs=0.005)


def test_the_losses_are_drawn(retrained):
    assert "entropy of the grammar, es" in (retrained / "loss.svg").read_text()


@pytest.fixture(scope="module")
def held_out(tmp_path_factory):
    """What models make of forms that they never read: the report that the book shows, made again."""
    out = tmp_path_factory.mktemp("held-out")
    options = ["--hold-out", "0.05", "--out", out, "--report", out / "report.json"]
    subprocess.run([sys.executable, "-m", "minimodel.training", *options], check=True, capture_output=True)
    return json.loads((out / "report.json").read_text("utf-8"))


@LANGS
def test_a_model_gets_forms_right_that_it_was_never_shown(lang, held_out):
    """Accuracy there is earned, not recalled: a form is put together of words known from other cells."""
    whole = Grammar.load(lang)
    part, unsaid = whole.split()
    found = held_out[lang]["held out"]
    assert {(form["prompt"], form["form"]) for form in found} == {
        (whole.tokenizer.decode(whole.prompt_for(cell)), " ".join(whole.form(cell))) for cell in unsaid
    }
    for form in found:
        text = whole.tokenizer.encode(f"{form['prompt']} {form['form']}")
        assert part.grammatical_length(text) < len(text) == whole.grammatical_length(text)
        assert form["right"]
        assert form["share"] > 0.5
    assert held_out[lang]["read"]["right"] == held_out[lang]["read"]["forms"]


@LANGS
def test_the_book_shows_what_training_finds(lang, held_out):
    """Bits differ between machines: the forms and the verdicts are compared, the shares roughly."""
    shown = json.loads((ROOT / "book/_data/held_out.json").read_text("utf-8"))[lang]
    for now, then in zip(held_out[lang]["held out"], shown["held out"], strict=True):
        roughly = {name: pytest.approx(then[name], abs=0.2) for name in ("share", "probability")}
        assert now == then | roughly
    assert held_out[lang]["read"] == shown["read"] | {"share": pytest.approx(shown["read"]["share"], abs=0.02)}


def test_a_few_steps_are_worse_than_many_and_the_seed_decides():
    torch.set_num_threads(1)  # with more, sums are taken in another order
    grammar = Grammar.load("en")
    few = train(grammar, steps=3)
    assert excess_loss(MiniGPT(GPTConfig(), few), Grammar.load("en"), texts=2) > 10 * ALLOWED
    assert all(np.array_equal(few[name], array) for name, array in train(grammar, steps=3).items())
    assert not np.array_equal(few["wte.weight"], train(grammar, steps=3, seed=1)["wte.weight"])


def test_the_torch_model_is_the_numpy_model():
    config = GPTConfig(width=16, layers=3, heads=2, vocab_size=11, context_length=9)
    parameters = initial_parameters(config, torch.Generator().manual_seed(0))
    numpy_model = MiniGPT(config, {name: p.detach().numpy() for name, p in parameters.items()})
    ids = np.array([[1, 5, 3, 0, 10], [2, 2, 2, 9, 1]])
    with torch.no_grad():
        logits = forward(config, parameters, torch.tensor(ids)).numpy()
    np.testing.assert_allclose([numpy_model(row) for row in ids], logits, rtol=1e-4, atol=1e-6)
