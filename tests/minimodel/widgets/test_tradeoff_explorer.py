"""The trade-off explorer shows what was measured, and the grammar's own truth beside it."""

import json
from collections import Counter

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel import FoldedGPT, Grammar, MiniGPT
from minimodel.corpus.judge import Verdict
from minimodel.measures.diversity_accuracy import tradeoff
from minimodel.widgets import TradeoffExplorer
from minimodel.widgets.tradeoff_explorer import LISTED, grammar_truth

PROMPTS = {"en": ("Tomorrow she", "Yesterday I"), "es": ("Mañana ella", "Ayer yo")}


@pytest.fixture(scope="module", params=["en", "es"])
def measured(request):
    lang = request.param
    grammar = Grammar.load(lang)
    prompts = [grammar.tokenizer.encode(prompt) for prompt in PROMPTS[lang]]
    model = FoldedGPT(MiniGPT.load(lang))
    return lang, tradeoff(model, prompts, [0, 1, 3], n=40, seed=0, max_tokens=3, judge=grammar.judge)


def page_of(widget):
    return BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")


def test_the_points_are_the_curves(measured):
    lang, curve = measured
    state = json.loads(page_of(TradeoffExplorer(curve, lang=lang, at=1)).script.string)
    assert [one["tau"] for one in state["points"]] == [0, 1, 3]
    for name in ("diversity", "accuracy"):
        band = getattr(curve, name)
        shown = np.array([one[name] for one in state["points"]])
        np.testing.assert_array_equal(shown.T, [band.mean, band.low, band.high])
    assert (state["at"], state["n"], state["prompts"]) == (1, 40, list(PROMPTS[lang]))


def test_the_texts_are_those_that_were_written_with_the_judges_verdict(measured):
    lang, curve = measured
    grammar = Grammar.load(lang)
    widget = TradeoffExplorer(curve, lang=lang)
    for point, listed in zip(curve.completions, widget.texts, strict=True):
        for prompt, texts, one in zip(curve.prompts, point, listed, strict=True):
            read = {tuple(text): grammar.tokenizer.decode(text, sentence_start=False) for text in texts}
            counted = Counter(read[tuple(text)] for text in texts)
            right = {said: grammar.judge(prompt, text) is Verdict.RIGHT for text, said in read.items()}
            assert len(one["shown"]) == min(LISTED, len(counted))
            assert one["more"] == len(counted) - len(one["shown"])
            assert all(counted[text] == count and right[text] == good for text, count, good in one["shown"])


def test_the_truth_is_right_and_as_varied_as_a_well_trained_model(measured):
    lang, curve = measured
    truth = grammar_truth(Grammar.load(lang), curve)
    assert truth["accuracy"] == 1
    assert truth["diversity"] == pytest.approx(curve.diversity.mean[1], abs=0.15)  # at τ = 1
    assert truth == grammar_truth(Grammar.load(lang), curve)


def test_the_picture_has_every_point(measured):
    lang, curve = measured
    page = page_of(TradeoffExplorer(curve, lang=lang, at=2))
    assert len(page.find_all(class_="mm-dot")) == 3
    assert len(page.find_all("tr")) == 4
    assert f"{curve.accuracy.mean[2]:.2f}" in page.get_text(" ")


def test_a_point_that_is_not_there_is_named(measured):
    with pytest.raises(ValueError, match="at is 3: expected 0 to 2"):
        TradeoffExplorer(measured[1], lang=measured[0], at=3)
