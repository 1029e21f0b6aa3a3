"""The Mini-GPT against transformers' GPT-2 with the same weights, and its weights files."""

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from transformers import GPT2Config, GPT2LMHeadModel

from minimodel import GPTConfig, Grammar, MiniGPT
from minimodel.training import WEIGHTS
from minimodel.weights import read_safetensors

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def gpt2(model):
    """transformers' own model with the weights of ours."""
    c = model.config
    shape = {"n_positions": c.context_length, "n_embd": c.width, "n_layer": c.layers, "n_head": c.heads}
    oracle = GPT2LMHeadModel(GPT2Config(vocab_size=c.vocab_size, **shape))
    weights = {f"transformer.{name}": torch.tensor(weight) for name, weight in model.weights.items()}
    missing, unexpected = oracle.load_state_dict(weights, strict=False)
    assert not unexpected
    assert set(missing) <= {"lm_head.weight"}  # tied
    return oracle.eval()


@LANGS
def test_every_logit_is_that_of_gpt2(lang):
    model = MiniGPT.load(lang)
    for text in Grammar.load(lang).sample_rows(np.random.default_rng(0), 4, 64):
        with torch.no_grad():
            expected = gpt2(model)(torch.tensor(text[None])).logits[0].numpy()
        np.testing.assert_allclose(model(text), expected, rtol=1e-4, atol=1e-4)


@LANGS
def test_the_future_does_not_change_the_past(lang):
    model = MiniGPT.load(lang)
    ids = Grammar.load(lang).sample_rows(np.random.default_rng(1), 1, 30)[0]
    np.testing.assert_allclose(model(ids)[:10], model(ids[:10]), rtol=1e-4, atol=1e-4)


@LANGS
def test_shape_and_size(lang):
    model = MiniGPT.load(lang)
    logits = model(np.array([5, 6, 7]))
    assert logits.shape == (3, 64)
    assert logits.dtype == np.float32
    assert (model.vocab_size, model.context_length, model.eos_id) == (64, 64, 0)
    assert model.num_parameters == sum(p.numel() for p in gpt2(model).parameters())
    assert (WEIGHTS / f"{lang}.safetensors").stat().st_size < 500_000


@pytest.mark.parametrize(
    ("ids", "said"), [([], "empty"), ([64], "token 64 is outside"), ([1] * 65, "65 tokens: the model sees at most 64")]
)
def test_refuses_what_it_cannot_read(ids, said):
    with pytest.raises(ValueError, match=said):
        MiniGPT.load("en")(np.array(ids, dtype=int))


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="language is 'fr': expected one of 'en', 'es'"):
        MiniGPT.load("fr")


@LANGS
def test_reads_what_the_library_reads(lang):
    path = WEIGHTS / f"{lang}.safetensors"
    theirs, ours = load_file(path), read_safetensors(path)
    assert theirs.keys() == ours.keys()
    for name, array in theirs.items():
        np.testing.assert_array_equal(array, ours[name])


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:1000],  # cut short
        lambda data: data[:-2],
        lambda data: b"\x00" * 64,
        lambda data: b"",
        lambda data: data[:8] + b"[" + data[9:],
        lambda data: data.replace(b'"F16"', b'"F99"'),
    ],
)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path, damage):
    path = tmp_path / "en.safetensors"
    path.write_bytes(damage((WEIGHTS / "en.safetensors").read_bytes()))
    with pytest.raises(ValueError, match=r"en\.safetensors is damaged .*: run `make train`"):
        read_safetensors(path)


def test_a_missing_file_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"no\.safetensors is missing: run `make train`"):
        read_safetensors(tmp_path / "no.safetensors")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda w: w.pop("wpe.weight"), "'wpe.weight' is missing"),
        (lambda w: w.update({"wpe.weight": w["wpe.weight"][1:]}), r"'wpe.weight' has shape \(63, 64\)"),
        (lambda w: w.update({"ln_f.bias": np.full(64, np.nan)}), "'ln_f.bias' holds NaN"),
    ],
)
def test_weights_that_do_not_fit_are_named(change, said):
    weights = dict(MiniGPT.load("en").weights)
    change(weights)
    with pytest.raises(ValueError, match=said):
        MiniGPT(GPTConfig(), weights)


def test_weights_survive_a_round_trip_through_the_library(tmp_path):
    weights = dict(MiniGPT.load("en").weights)
    save_file(weights, tmp_path / "w.safetensors")
    again = MiniGPT(GPTConfig(), read_safetensors(tmp_path / "w.safetensors"))
    ids = np.arange(20)
    np.testing.assert_array_equal(again(ids), MiniGPT.load("en")(ids))
