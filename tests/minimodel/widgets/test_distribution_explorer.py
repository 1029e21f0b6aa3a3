"""The explorer as Python sees it: its traits, its errors, a student's function, and what it leaves in a static page."""

import json
import re
from importlib.resources import files

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel import (
    Grammar,
    MiniGPT,
    apply_repetition_penalty,
    apply_temperature,
    entropy,
    min_p_filter,
    softmax,
    top_k_filter,
    top_p_filter,
)
from minimodel.widgets import Case, DistributionExplorer, esm, explore
from minimodel.widgets.answer import encoded
from minimodel.widgets.distribution_explorer import ENDS, PROMPTS
from minimodel.widgets.outcome import outcome
from minimodel.widgets.picture import BARS, PAIRS, damage, percent
from minimodel.widgets.pipeline import Settings, pipeline
from minimodel.widgets.pitfalls import START, broken

WORDS = ["<eos>", "</script>", "eat & drink", "ella"]
LOGITS = np.array([2.0, 1.0, 0.5, -np.inf])


def small(**settings):
    return DistributionExplorer([Case("She <b>", WORDS, LOGITS, [1]), Case("He", WORDS, LOGITS[::-1])], **settings)


def from_the_browser(widget, **state):
    """What arrives when the reader moves something."""
    widget.set_state(state)


def page_of(widget):
    return BeautifulSoup(widget._repr_mimebundle_()[0]["text/html"], "html.parser")


def state_of(widget):
    return json.loads(page_of(widget).script.string)


# ---- settings ----


def test_settings_are_traits_that_follow_the_browser():
    widget = small(penalty=1.2, tau=0.5, k=3, p=0.9, min_p=0.1)
    assert (widget.case, *widget.settings) == (0, 1.2, 0.5, 3, 0.9, 0.1)
    from_the_browser(widget, case=1, penalty=1, tau=2, k=None, p=1, min_p=0)
    assert (widget.case, *widget.settings) == (1, 1.0, 2.0, None, 1.0, 0.0)


def test_every_trait_that_the_script_reads_is_sent():
    sent = small().get_state()
    assert sent["_esm"] == esm("distribution_explorer")
    assert ".mm-bars" in sent["_css"]
    asked = set(re.findall(r'model\.get\("(\w+)"\)', sent["_esm"]))
    assert len(asked) > 10
    assert asked | {"penalty", "min_p", "lang"} <= set(sent)
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
        ({"min_p": -0.1}, "min_p is -0.1"),
        ({"penalty": 0.9}, "penalty is 0.9: expected 1.0 to 2.0"),
        ({"pitfall": "haste"}, "pitfall is 'haste': expected one of 'crossing-token'"),
        ({"pitfall": "nucleus-first", "transform": lambda logits, tau: logits}, "one or the other"),
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
        ([Case("a", ["x"], [1.0], [1])], "token id 1 is outside"),
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
        assert case["seen"] == tokenizer.encode(case["prompt"])


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
    first = {"case": 0, "penalty": 1.0, "tau": 0.5}
    assert widget.answer == {"asked": first, "logits": [4.0, 2.0, 1.0, None]}
    from_the_browser(widget, case=1)
    assert widget.answer == {"asked": first | {"case": 1}, "logits": [None, 1.0, 2.0, 4.0]}
    assert asked == [1.0, 0.5, 0.5]
    from_the_browser(widget, k=2, p=0.5, min_p=0.5)
    assert len(asked) == 3  # truncation is not theirs


@pytest.mark.parametrize("knob", ["tau", "k", "p", "min_p"])
def test_their_function_drives_the_knob_that_its_second_parameter_names(knob):
    asked = []
    right = {"tau": apply_temperature, "k": top_k_filter, "p": top_p_filter, "min_p": min_p_filter}
    namespace = {}
    exec(f"def theirs(logits, {knob}): return given(logits, {knob})", namespace)
    namespace["given"] = lambda logits, value: asked.append((logits, value)) or right[knob](logits, value)
    widget = explore(namespace["theirs"], prompts=["She will sing and she will"])
    assert (widget.live, widget.knob) == (True, knob)
    from_the_browser(widget, penalty=1.5, tau=0.7, k=9, p=0.8, min_p=0.05)
    scores = np.array(widget.cases[0]["logits"])
    for name, step in (
        ("penalty", lambda scores: apply_repetition_penalty(scores, widget.cases[0]["seen"], 1.5)),
        ("tau", lambda scores: apply_temperature(scores, 0.7)),
        ("k", lambda scores: top_k_filter(scores, 9)),
        ("p", lambda scores: top_p_filter(scores, 0.8)),
    ):
        if name == knob:
            break
        scores = step(scores)
    np.testing.assert_array_equal(asked[-1][0], scores)  # what the steps before it have made
    assert asked[-1][1] == getattr(widget, knob)
    assert widget.answer["logits"] == encoded(right[knob](scores, getattr(widget, knob)))
    from_the_browser(widget, k=None)
    if knob == "k":
        assert asked[-1][1] == len(widget.words)  # off is all of them


@pytest.mark.parametrize(
    ("transform", "says"),
    [
        (lambda logits, temperature: logits, "'temperature': expected tau, k, p or min_p"),
        (lambda logits, penalty: logits, "'penalty': expected tau"),
        (lambda logits: logits, "is missing: expected tau"),
    ],
)
def test_a_second_parameter_that_is_no_knob_is_named(transform, says):
    with pytest.raises(ValueError, match=says):
        explore(transform, prompts=["She"])


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
    asked = {"case": 0, "penalty": 1.0, "tau": 0.25}
    assert answers == [{"asked": asked, "logits": [8.0, 4.0, 2.0, None]}]


def test_explore_is_the_short_name_for_labs():
    widget = explore(lambda logits, tau: logits, lang="es", prompts=["Ella"], tau=0.5)
    assert widget.live
    assert (widget.lang, widget.tau) == ("es", 0.5)
    assert not explore(prompts=["She"]).live


# ---- what it leaves in a page ----


def test_the_live_view_comes_first_and_the_static_one_beside_it():
    data, metadata = small()._repr_mimebundle_()
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json", "text/html"}
    assert metadata == {}


def test_the_static_state_is_enough_to_start_from_and_no_more():
    state = state_of(small(tau=0.5, k=3, p=0.9))
    start = {"case": 0, "penalty": 1, "tau": 0.5, "k": 3, "p": 0.9, "min_p": 0, "pitfall": "", "broken": False}
    assert {name: state[name] for name in start} == start
    assert state["start"] == {name: start[name] for name in start if name != "pitfall"}
    assert state["words"] == WORDS
    assert state["cases"][0] == {"prompt": "She <b>", "logits": [2.0, 1.0, 0.5, None], "seen": [1]}
    assert "_esm" not in state


def test_where_it_started_is_kept_while_the_knobs_move():
    widget = small(tau=0.5)
    start = dict(widget.start)
    widget.tau, widget.k, widget.p = 2.0, 2, 0.3
    assert widget.start == state_of(widget)["start"] == start
    assert start == {"case": 0, **Settings(tau=0.5)._asdict(), "broken": False}


def test_without_a_kernel_a_students_widget_says_whose_function_moves_the_bars():
    widget = small(transform=lambda logits, tau: logits)
    assert state_of(widget)["live"] is False
    assert state_of(widget)["note"] in page_of(widget).find(class_="mm-notice").get_text()
    assert "apply_temperature" in state_of(widget)["note"]
    assert page_of(small()).find(class_="mm-notice").get_text() == ""


def test_the_picture_says_what_the_python_functions_say():
    prompt = "Tomorrow she will sing and she will"
    widget = DistributionExplorer.for_prompts("en", [prompt], penalty=1.2, tau=1.4, k=12, p=0.95, min_p=0.4)
    logits = np.array(widget.cases[0]["logits"])
    tempered = apply_temperature(apply_repetition_penalty(logits, widget.cases[0]["seen"], 1.2), 1.4)
    kept = min_p_filter(top_p_filter(top_k_filter(tempered, 12), 0.95), 0.4)
    before, after = softmax(tempered), softmax(kept)
    order = np.argsort(-logits, kind="stable")
    rows = page_of(widget).find_all("li", attrs={"data-id": True})
    assert {"kept", "top-k", "min-p"} <= {row["data-fate"] for row in rows}
    assert [row["data-id"] for row in rows] == [*map(str, order[:BARS]), "others"]
    for row, token in zip(rows, order[:BARS], strict=False):
        shown = after[token] or before[token]
        assert row.find(class_="mm-word").get_text() == widget.words[token]
        assert row.find(class_="mm-value").get_text() == percent(shown, widget.strings)
        assert bool(row.find("del")) == (after[token] == 0)
    text = page_of(widget).get_text(" ")
    assert f"{entropy(after, base=2):.2f} bits" in text
    assert percent(before[np.isfinite(kept)].sum(), widget.strings) in text


@pytest.mark.parametrize("pitfall", START)
def test_a_pitfall_shows_the_damage_beside_the_right_answer(pitfall):
    prompt = "Tomorrow she will sing and she will"
    widget = DistributionExplorer.for_prompts("en", [prompt], pitfall=pitfall)
    case = widget.cases[0]
    assert {name: getattr(widget, name) for name in START[pitfall]} == START[pitfall]
    right = outcome(case["logits"], pipeline(widget.settings, case["seen"]))
    wrong = broken(pitfall, case["logits"], widget.settings, case["seen"])
    page = page_of(widget)
    assert percent(damage(right.after, wrong.after), widget.strings) in page.find(class_="mm-harm").get_text()
    for row in page.find_all("li", attrs={"data-id": re.compile(r"\d")}):
        token = int(row["data-id"])
        assert row.find_all(class_="mm-value")[1].get_text() == f"broken: {percent(wrong.after[token], widget.strings)}"
        assert row.find(class_="mm-value").get_text() == percent(
            right.after[token] or right.before[token], widget.strings
        )
    chosen = DistributionExplorer.for_prompts("en", [prompt], pitfall=pitfall, **dict.fromkeys(START[pitfall], 1))
    assert [getattr(chosen, name) for name in START[pitfall]] == [1] * len(START[pitfall])


def test_where_a_mistake_leaves_nothing_the_picture_says_so():
    page = page_of(DistributionExplorer([Case("a", ["x", "y"], [3.0, 0.0])], pitfall="crossing-token"))
    assert "NaN" in page.find(class_="mm-harm").get_text()
    assert [value.get_text() for value in page.find_all(class_="mm-value")][1::2] == ["broken: NaN"] * 2


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
    exported = "export { TAUS, BARS, PAIRS, OFF, stopOfTau };\nexport default"
    module = esm("distribution_explorer").replace("export default", exported)
    code = """const { TAUS, BARS, PAIRS, OFF, stopOfTau } = explorer;
        return [TAUS, [BARS, PAIRS], OFF, [0.01, 0.333, 1, 9].map((tau) => TAUS[stopOfTau(tau)])];"""
    taus, bars, off, nearest = run_js({"explorer": module}, code)
    assert (taus[0], taus[-1], bars) == (*ENDS["tau"], [BARS, PAIRS])
    assert off == Settings()._asdict()
    assert {0.1, 0.5, 0.7, 0.9, 1, 2} <= set(taus)
    ratios = np.array(taus[1:]) / np.array(taus[:-1])
    assert ratios.min() > 1
    assert ratios.max() <= 1.2
    assert nearest == [0.05, 0.33, 1, 5]


def test_the_script_waits_for_the_answer_to_this_very_setting(run_js):
    module = esm("distribution_explorer").replace("export default", "export { look };\nexport default")
    code = """const cases = [{ logits: [2, 2, null], seen: [] }];
        const state = { live: true, knob: "p", case: 0, penalty: 1, tau: 0.5, k: null, p: 0.6, min_p: 0, cases };
        const ask = (answer) => explorer.look({ get: (name) => ({ ...state, answer })[name] });
        const asked = { case: 0, penalty: 1, tau: 0.5, k: null, p: 0.6 };
        const theirs = ask({ asked, logits: [4, null, null] });
        return [ask({}), ask({ asked: { ...asked, tau: 0.7 }, logits: [1, 1, 1] }),
            ask({ asked: { ...asked, case: 1 }, logits: [1, 1, 1] }),
            ask({ asked: { ...asked, k: 2 }, logits: [1, 1, 1] }),
            ask({ asked, problem: "no" }), [theirs.outcome.fates, theirs.outcome.after, theirs.outcome.before]];"""
    *waiting, problem, theirs = run_js({"explorer": module}, code)
    assert waiting == [{"outcome": None}] * 4
    assert problem == {"outcome": None, "problem": "no"}
    assert theirs == [["kept", "top-p", "masked"], [1, 0, 0], [0.5, 0.5, 0]]


def test_the_static_model_tells_its_listeners_once(run_js):
    host = files("minimodel.widgets").joinpath("host.js").read_text(encoding="utf-8")
    code = """const model = host.staticModel({ tau: 1 });
        const heard = []; const listener = () => heard.push(model.get("tau"));
        model.on("change:tau", listener); model.set("tau", 2); model.set("tau", 2); model.set("k", 3);
        model.save_changes(); model.off("change:tau", listener); model.set("tau", 5);
        return [heard, model.get("tau"), model.get("k")];"""
    assert run_js({"host": host}, code) == [[2], 5, 3]
