"""The nucleus explorer: the same cut in Python, in the page, and by the package's own filter."""

import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel import top_p_filter
from minimodel.widgets import NucleusExplorer, esm
from minimodel.widgets.nucleus_explorer import MOST, PRESETS, cut

WIDGET = re.sub("export default .*", "export { cut, probsOf, MOST };", esm("nucleus_explorer"))


def dyadic(rng):
    """Probabilities whose sums are exact, ties among them, a p that may be one of the sums, and a k."""
    parts = rng.multinomial(64, rng.dirichlet(np.ones(rng.integers(1, MOST + 1))))
    return (parts / 64).tolist(), float(rng.integers(1, 65) / 64), int(rng.integers(1, MOST + 1))


def test_the_page_cuts_where_python_cuts_and_python_where_the_filter_does(run_js):
    rng = np.random.default_rng(0)
    cases = [dyadic(rng) for _ in range(300)]
    got = run_js({"widget": WIDGET}, "return data.map(([probs, p, k]) => widget.cut(probs, p, k));", cases)
    for (probs, p, k), one in zip(cases, got, strict=True):
        made = cut(probs, p, k)
        assert one == made._asdict()
        logits = np.log(probs, out=np.full(len(probs), -np.inf), where=np.array(probs) > 0)
        kept = np.isfinite(top_p_filter(logits, p * (1 - 1e-12)))  # the logarithms round; p is exact
        if p < 1:
            assert sorted(made.order[: made.nucleus]) == np.flatnonzero(kept).tolist()


@pytest.mark.parametrize(
    ("probs", "p", "kept"),
    [
        ([0.5, 0.2, 0.15, 0.1, 0.05], 0.8, [0, 1, 2]),
        ([0.5, 0.25, 0.25], 0.75, [0, 1]),
        ([0.25] * 4, 0.5, [0, 1]),
        ([0.3, 0.1, 0.1, 0.5], 0.75, [0, 3]),
        ([0.15, 0.3, 0.3, 0.25], 0.8, [1, 2, 3]),
        ([0.5, 0.5, 0.0], 1.0, [0, 1, 2]),
        ([0.14, 0.11, 0.09, *[0.06] * 11], 0.34, [0, 1, 2]),
        ([0.1] * 10, 0.8, [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_the_contracts_nuclei(run_js, probs, p, kept):
    made = cut(probs, p, 1)
    assert sorted(made.order[: made.nucleus]) == kept
    assert run_js({"widget": WIDGET}, "return widget.cut(...data);", [probs, p, 1]) == made._asdict()


@pytest.mark.parametrize(
    ("text", "probs"),
    [
        ("0.5 0.25 0.25", [0.5, 0.25, 0.25]),
        ("1, 1; 2", [0.25, 0.25, 0.5]),
        (" 3 ", [1]),
        ("0,5 0,25 0,25", [0.5, 0.25, 0.25]),
        ("0,5; 0,25; 0,25", [0.5, 0.25, 0.25]),
        ("0,5, 0,25, 0,25", [0.5, 0.25, 0.25]),
        ("1,1,2", [0.25, 0.25, 0.5]),
        ("0.5,0.25,0.25", [0.5, 0.25, 0.25]),
        ("", None),
        ("0 0", None),
        ("0.5 -0.5 1", None),
        ("half", None),
        ("1e999", None),
        ("1 " * 17, None),
    ],
)
def test_what_the_reader_types(run_js, text, probs):
    assert run_js({"widget": WIDGET}, "return widget.probsOf(data);", text) == probs


def test_python_and_the_page_agree_on_how_many_there_is_room_for(run_js):
    assert run_js({"widget": WIDGET}, "return widget.MOST;") == MOST
    assert all(len(probs) <= MOST and sum(probs) == pytest.approx(1) for probs in PRESETS.values())


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"p": 0.0}, "p is 0.0"),
        ({"p": 1.1}, "p is 1.1"),
        ({"k": 0}, "k is 0"),
        ({"k": 17}, "k is 17"),
        ({"choice": "flat"}, "choice is 'flat'"),
        ({"lang": "fr"}, "'fr'"),
    ],
)
def test_a_setting_that_is_not_there_is_named(settings, names):
    with pytest.raises(ValueError, match=names):
        NucleusExplorer(**settings)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_picture_says_who_keeps_what(lang):
    widget = NucleusExplorer(lang=lang, choice="long_tail", p=0.5, k=3)
    page = BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")
    made = cut(PRESETS["long_tail"], 0.5, 3)
    marks = [[mark.get_text() for mark in column.find_all("span", class_=["mm-yes", "mm-no"])] for column in page("li")]
    assert marks == [["✓" if i < made.nucleus else "·", "✓" if i < 3 else "·"] for i in range(MOST)]
    assert str(made.nucleus) in page.find(class_="mm-said").get_text()
    state = json.loads(page.script.string)
    assert (state["p"], state["k"], state["choice"], state["lang"]) == (0.5, 3, "long_tail", lang)
