"""Four samplers as Python sees them: the completions, their counts and the picture."""

import pytest
from bs4 import BeautifulSoup

from minimodel import Grammar, Greedy, MiniGPT, Temperature, Verdict, sample
from minimodel.widgets import FourSamplers
from minimodel.widgets.four_samplers import SAMPLERS

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def page_of(widget):
    return BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")


@LANGS
def test_each_seeds_completion_is_that_of_sample(lang):
    four = FourSamplers(lang=lang, n=6, seed=100)
    prompt, model = Grammar.load(lang).tokenizer.encode(four.prompt), MiniGPT.load(lang)
    for name, strategy in (("greedy", Greedy()), ("low", Temperature(0.3))):
        wanted = [sample(model, prompt, max_tokens=6, seed=100 + i, strategy=strategy) for i in range(6)]
        assert four.completions(name) == wanted


@LANGS
def test_the_picture_counts_what_is_distinct_and_right(lang):
    four = FourSamplers(lang=lang)
    grammar, page = Grammar.load(lang), page_of(four)
    assert [panel["data-sampler"] for panel in page.select(".mm-panel")] == list(SAMPLERS)
    distinct, right = {}, {}
    for panel in page.select(".mm-panel"):
        made = four.completions(panel["data-sampler"])
        distinct[panel["data-sampler"]] = len(set(map(tuple, made)))
        verdicts = [grammar.judge(four.prompt_ids(), completion) for completion in made]
        right[panel["data-sampler"]] = verdicts.count(Verdict.RIGHT)
        counts = [meter.b.get_text().split()[0] for meter in panel.select(".mm-meter")]
        assert counts == [str(distinct[panel["data-sampler"]]), str(right[panel["data-sampler"]])]
    assert distinct["greedy"] == 1 < distinct["low"] < distinct["medium"] < distinct["high"]
    assert right["high"] < right["low"] == 40  # what the widget is there to show


def test_where_no_verb_form_is_due_nothing_is_judged():
    four = FourSamplers(prompt="Tomorrow", n=3)
    assert four.tally("high").right is None
    assert "nothing due" in page_of(four).get_text()


@pytest.mark.parametrize(
    ("settings", "names"), [({"n": 0}, "n is 0"), ({"max_tokens": 0}, "max_tokens is 0"), ({"prompt": "x"}, "'x'")]
)
def test_what_cannot_be_is_named(settings, names):
    with pytest.raises(ValueError, match=names):
        FourSamplers(**settings)
