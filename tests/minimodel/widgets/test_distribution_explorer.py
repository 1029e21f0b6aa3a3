"""The explorer as Python sees it: its traits, its errors, a student's function, and what it leaves in a static page."""

import json
from importlib.resources import files

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel import Grammar, MiniGPT, apply_temperature, entropy, softmax, top_k_filter, top_p_filter
from minimodel.widgets import Case, DistributionExplorer, esm, explore
from minimodel.widgets.distribution_explorer import COLDEST, HOTTEST, PROMPTS
from minimodel.widgets.picture import BARS, percent

WORDS = ["<eos>", "</script>", "eat & drink", "ella"]
LOGITS = np.array([2.0, 1.0, 0.5, -np.inf])


def small(**settings):
    return DistributionExplorer([Case("She <b>", WORDS, LOGITS), Case("He", WORDS, LOGITS[::-1])], **settings)


def from_the_browser(widget, **state):
    """What arrives when the reader moves something."""
    widget.set_state(state)


def page_of(widget):
    return BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")


def state_of(widget):
    return json.loads(page_of(widget).script.string)


# ---- settings ----


def test_settings_are_traits_that_follow_the_browser():
    widget = small(tau=0.5, k=3, p=0.9)
    assert (widget.case, widget.tau, widget.k, widget.p) == (0, 0.5, 3, 0.9)
    from_the_browser(widget, case=1, tau=2, k=None, p=1)
    assert (widget.case, widget.tau, widget.k, widget.p) == (1, 2.0, None, 1.0)


def test_every_trait_that_the_script_reads_is_sent():
    sent = small().get_state()
    assert sent["_esm"] == esm("distribution_explorer")
    assert ".mm-bars" in sent["_css"]
    assert {"lang", "strings", "words", "cases", "case", "tau", "k", "p", "live", "answer", "note"} <= set(sent)
    json.dumps(sent, allow_nan=False, default=lambda layout: layout.model_id)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"tau": 0.0}, "tau is 0.0"),
        ({"tau": 5.5}, "tau is 5.5"),
        ({"tau": float("nan")}, "tau is nan"),
        ({"k": 0}, "k is 0"),
        ({"p": 0.0}, "p is 0.0"),
        ({"p": 1.5}, "p is 1.5"),
        ({"lang": "fr"}, "'fr'"),
    ],
)
def test_a_setting_off_its_slider_is_named(settings, names):
    with pytest.raises(ValueError, match=names):
        small(**settings)


def test_a_case_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="case is 2: expected 0 to 1"):
        small().case = 2


@pytest.mark.parametrize(
    ("cases", "names"),
    [
        ([], "cases is empty"),
        ([Case("a", ["x"], [1.0, 2.0])], r"'a' has logits of shape \(2,\) for 1 words"),
        ([Case("a", ["x"], [[1.0]])], r"shape \(1, 1\)"),
        ([Case("a", ["x"], [1.0]), Case("b", ["y"], [1.0])], "words of 'b' are not those of 'a'"),
        ([Case("a", ["x"], [np.nan])], "NaN"),
        ([Case("a", ["x"], [-np.inf])], "no token is left"),
    ],
)
def test_a_case_that_cannot_be_shown_is_named(cases, names):
    with pytest.raises(ValueError, match=names):
        DistributionExplorer(cases)


# ---- the Mini-GPT's prompts ----


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_courses_prompts_are_the_models_own(lang):
    widget = DistributionExplorer.for_prompts(lang)
    tokenizer = Grammar.load(lang).tokenizer
    assert [case["prompt"] for case in widget.cases] == list(PROMPTS[lang])
    assert widget.words == list(tokenizer.words)
    for case in widget.cases:
        logits = MiniGPT.load(lang)(np.array(tokenizer.encode(case["prompt"])))[-1]
        np.testing.assert_array_equal(np.array(case["logits"], dtype=np.float32), logits)


def test_prompts_and_settings_can_be_chosen():
    widget = DistributionExplorer.for_prompts("en", ["She"], tau=0.7, k=5, p=0.9)
    assert ([case["prompt"] for case in widget.cases], widget.tau, widget.k, widget.p) == (["She"], 0.7, 5, 0.9)


def test_a_prompt_outside_the_vocabulary_is_named():
    with pytest.raises(ValueError, match="'zebra'"):
        DistributionExplorer.for_prompts("en", ["She zebra"])


# ---- a student's own function ----


def test_their_function_is_asked_for_every_setting_and_its_answer_is_sent():
    asked = []

    def transform(logits, tau):
        asked.append(tau)
        return logits / tau

    widget = small(transform=transform)
    from_the_browser(widget, tau=0.5)
    assert widget.answer == {"case": 0, "tau": 0.5, "logits": [4.0, 2.0, 1.0, None]}
    from_the_browser(widget, case=1)
    assert widget.answer == {"case": 1, "tau": 0.5, "logits": [None, 1.0, 2.0, 4.0]}
    assert asked[-2:] == [0.5, 0.5]
    before = len(asked)
    from_the_browser(widget, k=2, p=0.5)
    assert len(asked) == before  # truncation is not theirs


def test_their_error_is_shown_and_the_next_setting_asks_again():
    def transform(logits, tau):
        if tau < 1:
            raise RuntimeError("too cold")
        return logits / tau

    widget = small(transform=transform, lang="es")
    from_the_browser(widget, tau=0.5)
    assert "too cold" in widget.answer["problem"]
    assert widget.answer["problem"].startswith("Tu función se detuvo")
    from_the_browser(widget, tau=2.0)
    assert "problem" not in widget.answer


def test_the_answer_reaches_the_browser(monkeypatch):
    sent = []
    widget = small(transform=lambda logits, tau: logits / tau)
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: sent.append(data))
    from_the_browser(widget, tau=0.25)
    answers = [message["state"]["answer"] for message in sent if "answer" in message.get("state", {})]
    assert answers == [{"case": 0, "tau": 0.25, "logits": [8.0, 4.0, 2.0, None]}]


def test_explore_is_the_short_name_for_labs():
    widget = explore(lambda logits, tau: logits, lang="es", prompts=["Ella"])
    assert widget.live
    assert widget.lang == "es"
    assert not explore(prompts=["She"]).live


# ---- what it leaves in a page ----


def test_the_live_view_comes_first_and_the_static_one_beside_it():
    data, metadata = small()._repr_mimebundle_()
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json", "text/html"}
    assert metadata == {}


def test_the_static_state_is_enough_to_start_from_and_no_more():
    state = state_of(small(tau=0.5, k=3, p=0.9))
    assert {name: state[name] for name in ("case", "tau", "k", "p")} == {"case": 0, "tau": 0.5, "k": 3, "p": 0.9}
    assert state["words"] == WORDS
    assert state["cases"][0] == {"prompt": "She <b>", "logits": [2.0, 1.0, 0.5, None]}
    assert "_esm" not in state


def test_without_a_kernel_a_students_widget_says_whose_function_moves_the_bars():
    widget = small(transform=lambda logits, tau: logits)
    assert state_of(widget)["live"] is False
    assert state_of(widget)["note"] in page_of(widget).find(class_="mm-notice").get_text()
    assert "apply_temperature" in state_of(widget)["note"]
    assert page_of(small()).find(class_="mm-notice").get_text() == ""


def test_the_picture_says_what_the_python_functions_say():
    widget = DistributionExplorer.for_prompts("en", tau=1.4, k=12, p=0.8)
    logits = np.array(widget.cases[0]["logits"])
    tempered = apply_temperature(logits, 1.4)
    kept = top_p_filter(top_k_filter(tempered, 12), 0.8)
    before, after = softmax(tempered), softmax(kept)
    order = np.argsort(-logits, kind="stable")
    rows = page_of(widget).find_all("li", attrs={"data-id": True})
    assert [row["data-id"] for row in rows] == [*map(str, order[:BARS]), "others"]
    for row, token in zip(rows, order[:BARS], strict=False):
        shown = after[token] or before[token]
        assert row.find(class_="mm-word").get_text() == widget.words[token]
        assert row.find(class_="mm-value").get_text() == percent(shown, widget.strings)
        assert bool(row.find("del")) == (after[token] == 0)
    text = page_of(widget).get_text(" ")
    assert f"{entropy(after, base=2):.2f} bits" in text
    assert percent(before[np.isfinite(kept)].sum(), widget.strings) in text


def test_words_and_prompts_are_text_and_nothing_else():
    page = page_of(small())
    assert [row.find(class_="mm-word").get_text() for row in page.find_all("li", attrs={"data-id": True})] == WORDS
    assert len(page.find_all("script")) == 1
    assert page.find("b").get_text() == "She <b> …"
    masked = page.find("li", attrs={"data-fate": "masked"})
    assert masked["data-id"] == "3"
    assert "forbidden" in masked.get_text()


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_place_says_its_language(lang):
    page = page_of(small(lang=lang))
    assert page.div["lang"] == lang
    assert page.div["data-widget"] == "distribution_explorer"


def test_python_and_the_script_agree_on_where_the_sliders_end(run_js):
    module = esm("distribution_explorer").replace("export default", "export { TAUS, BARS, stopOfTau };\nexport default")
    code = """const { TAUS, BARS, stopOfTau } = explorer;
        return [TAUS, BARS, [0.01, 0.333, 1, 9].map((tau) => TAUS[stopOfTau(tau)])];"""
    taus, bars, nearest = run_js({"explorer": module}, code)
    assert (taus[0], taus[-1], bars) == (COLDEST, HOTTEST, BARS)
    assert {0.1, 0.5, 0.7, 0.9, 1, 2} <= set(taus)
    ratios = np.array(taus[1:]) / np.array(taus[:-1])
    assert ratios.min() > 1
    assert ratios.max() <= 1.2
    assert nearest == [0.05, 0.33, 1, 5]


def test_the_script_waits_for_the_answer_to_this_very_setting(run_js):
    module = esm("distribution_explorer").replace("export default", "export { temper };\nexport default")
    code = """const state = { live: true, case: 0, tau: 0.5, cases: [{ logits: [2, null] }] };
        const ask = (answer) => explorer.temper({ get: (name) => ({ ...state, answer })[name] });
        return [ask({}), ask({ case: 0, tau: 0.7, logits: [1, 1] }), ask({ case: 1, tau: 0.5, logits: [1, 1] }),
                ask({ case: 0, tau: 0.5, logits: [7, null] }), ask({ case: 0, tau: 0.5, problem: "no" })];"""
    assert run_js({"explorer": module}, code) == ["waiting", "waiting", "waiting", [7, None], {"problem": "no"}]


def test_the_static_model_tells_its_listeners_once(run_js):
    host = files("minimodel.widgets").joinpath("host.js").read_text(encoding="utf-8")
    code = """const model = host.staticModel({ tau: 1 });
        const heard = []; const listener = () => heard.push(model.get("tau"));
        model.on("change:tau", listener); model.set("tau", 2); model.set("tau", 2); model.set("k", 3);
        model.save_changes(); model.off("change:tau", listener); model.set("tau", 5);
        return [heard, model.get("tau"), model.get("k")];"""
    assert run_js({"host": host}, code) == [[2], 5, 3]
