"""The JSON of a completion."""

import json

import pytest

from minimodel import Grammar
from minimodel.cli.record import record


@pytest.mark.parametrize(("lang", "prompt"), [("en", "Tomorrow she"), ("es", "Mañana ella")])
def test_it_holds_what_is_promised(completed, lang, prompt):
    line = record(completed(prompt, seed=5, lang=lang, top_k=3))
    assert "\n" not in line
    held, tokenizer = json.loads(line), Grammar.load(lang).tokenizer
    assert list(held) == ["prompt", "text", "tokens", "words", "reason", "seed", "settings", "verdict"]
    assert held["words"] == [tokenizer.words[token] for token in held["tokens"]]
    assert held["text"] == tokenizer.decode(tokenizer.encode(prompt) + held["tokens"]).removesuffix(" <eos>")
    assert (held["prompt"], held["seed"], held["settings"]["top_k"]) == (prompt, 5, 3)
    assert held["settings"]["lang"] == lang
    assert held["verdict"] == "right"


def test_spanish_is_written_as_it_is(completed):
    assert "Mañana" in record(completed("mañana ella", lang="es"))


def test_no_verdict_where_no_verb_is_due(completed):
    assert json.loads(record(completed("Tomorrow")))["verdict"] is None


def test_steps_come_with_show_probs(completed):
    steps = json.loads(record(completed("Tomorrow she", show_probs=2, top_k=3)))["steps"]
    held = json.loads(record(completed("Tomorrow she", top_k=3)))
    assert [step["token"] for step in steps] == held["tokens"]
    assert set(steps[0]["candidates"][0]["probs"]) == {"model", "top-k"}
    assert steps[0]["others_dropped"] == {"top-k": 61 if len(steps[0]["candidates"]) < 4 else 60}
