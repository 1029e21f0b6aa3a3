"""The decode stepper as Python sees it: its traits and errors, the model that it sends, its picture."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel import Chain, Grammar, MiniGPT, Temperature, TopK, TopP, sample, softmax, top_p_filter
from minimodel.widgets import DecodeStepper, FourSamplers, static_model_script
from minimodel.widgets.decode_stepper import PRESETS
from minimodel.widgets.model_data import model_data, weights
from minimodel.widgets.picture import percent
from minimodel.widgets.pipeline import Settings
from minimodel.widgets.playground import strategy_of

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def page_of(widget):
    return BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")


@LANGS
@pytest.mark.parametrize("preset", PRESETS)
def test_the_completion_is_that_of_sample(lang, preset):
    stepper = DecodeStepper(lang=lang, settings=PRESETS[preset], seed=3, steps=9)
    prompt = Grammar.load(lang).tokenizer.encode(stepper.prompt)
    options = {"seed": 3, "strategy": stepper.strategy()}
    assert stepper.completion == sample(MiniGPT.load(lang), prompt, max_tokens=9, **options)


def test_the_strategy_is_the_knobs_in_the_contracts_order():
    wanted = Chain(Temperature(0.7), TopK(5), TopP(0.9))
    assert repr(strategy_of(Settings(tau=0.7, k=5, p=0.9))) == repr(wanted)
    assert [name for name, _ in strategy_of(Settings(1.2, 0.7, 5, 0.9, 0.1)).transforms()] == [
        "repetition penalty",
        "temperature",
        "top-k",
        "top-p",
        "min-p",
    ]


def test_settings_follow_the_browser():
    stepper = DecodeStepper()
    stepper.set_state({"prompt": "yesterday I", "tau": 0, "k": 4, "seed": 11, "steps": 2})
    assert (stepper.prompt, stepper.settings, stepper.seed) == ("Yesterday I", Settings(1, 0, 4, 0.9, 0), 11)
    assert len(stepper.completion) == 2


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"lang": "fr"}, "'fr'"),
        ({"prompt": "She zebra"}, "'zebra'"),
        ({"prompt": " "}, "prompt is empty"),
        ({"settings": Settings(tau=3.5)}, "tau is 3.5"),
        ({"settings": Settings(penalty=0.5)}, "penalty is 0.5"),
        ({"settings": Settings(k=0)}, "k is 0"),
        ({"settings": Settings(p=0.0)}, "p is 0.0"),
        ({"settings": Settings(min_p=float("nan"))}, "min_p is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**53}, "seed is 9007199254740992"),
        ({"steps": -1}, "steps is -1"),
    ],
)
def test_what_cannot_be_is_named(settings, names):
    with pytest.raises(ValueError, match=names):
        DecodeStepper(**settings)


# ---- the model in the page ----


@pytest.mark.parametrize("widget", [DecodeStepper, FourSamplers])
def test_a_page_that_asks_is_sent_the_model_and_no_state_holds_it(monkeypatch, widget):
    sent = []
    made = widget(lang="es")
    monkeypatch.setattr(made.comm, "send", lambda data, buffers=None, **_: sent.append((data, buffers)))
    made._handle_custom_msg("something else", [])
    made._handle_custom_msg("model", [])
    [(message, buffers)] = sent
    assert message["content"] == model_data("es")
    assert buffers == [weights("es")]
    assert len(json.dumps(made.get_state(), default=lambda layout: layout.model_id)) < 80_000
    assert len(made._repr_mimebundle_()[0]["text/html"]) < 20_000


@LANGS
def test_the_weights_are_exactly_the_models(lang):
    numbers, at = np.frombuffer(weights(lang), dtype="<f2").astype(np.float32), 0
    for name, length in model_data(lang)["layout"]:
        np.testing.assert_array_equal(numbers[at : at + length], MiniGPT.load(lang).weights[name].ravel(), err_msg=name)
        at += length
    assert at == numbers.size == MiniGPT.load(lang).num_parameters


@LANGS
def test_the_sites_script_holds_the_model_once(lang):
    script = static_model_script(lang)
    assert script.startswith(f'(globalThis.minimodel ??= {{}})["{lang}"] = ')
    assert "<" not in script
    assert len(script) < 310_000


# ---- the picture ----


@pytest.mark.parametrize(("settings", "step"), [(Settings(k=3), "top-k"), (Settings(tau=0), "greedy")])
def test_the_others_are_struck_out_where_none_of_them_is_left(settings, step):
    row = page_of(DecodeStepper(settings=settings, steps=1)).select(".mm-odds li")[-1]
    assert row["data-id"] == "others"
    assert row["data-fate"] == "dropped"
    assert row.find("del").get_text() != "0%"
    assert row.find("em").get_text() == f"dropped by {step}"


def test_the_picture_says_what_the_python_functions_say():
    stepper = DecodeStepper(settings=Settings(tau=1.4, p=0.8), seed=5, steps=4)
    page = page_of(stepper)
    prompt, done = Grammar.load("en").tokenizer.encode("Tomorrow she"), stepper.completion
    logits = MiniGPT.load("en")(np.array([*prompt, *done[:3]]))[-1].astype(np.float64) / 1.4
    kept, before = softmax(top_p_filter(logits, 0.8)), softmax(logits)
    rows = page.select(".mm-odds li")
    assert [row["data-id"] for row in rows] == [*map(str, np.argsort(-before, kind="stable")[:8]), "others"]
    for row in rows[:-1]:
        i = int(row["data-id"])
        assert row.select("span")[1].get_text() == percent(kept[i] or before[i], stepper.strings)
        assert bool(row.find("del")) == (kept[i] == 0)
        assert (row["data-drawn"] == "true") == (i == done[3])
    u = np.random.default_rng(5).random(4)[3]
    assert f"left:{100 * u:.4f}%" in str(page.select_one(".mm-line b"))
    assert f"u = {u:.4f} falls" in page.select_one(".mm-fall").get_text()
    words = Grammar.load("en").tokenizer
    assert page.select_one(".mm-text").get_text() == words.decode([*prompt, *done])


@pytest.mark.parametrize(
    ("settings", "steps", "said"),
    [
        (Settings(), 0, "The next step draws"),
        (Settings(tau=0.0), 0, "Greedy takes"),
        (Settings(tau=0.0), 2, "Greedy takes"),
    ],
)
def test_a_picture_without_a_number_says_why(settings, steps, said):
    page = page_of(DecodeStepper(settings=settings, steps=steps))
    assert said in page.select_one(".mm-fall").get_text()
    assert page.select_one(".mm-line b").has_attr("hidden")


@LANGS
def test_every_state_of_the_picture_has_its_texts(lang):
    for preset in PRESETS.values():
        for steps in (0, 1, 20):
            page = page_of(DecodeStepper(lang=lang, settings=preset, steps=steps))
            assert "{" not in page.select_one(".mm-card").get_text()
            assert page.div["lang"] == lang
