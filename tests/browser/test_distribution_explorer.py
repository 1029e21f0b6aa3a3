"""The distribution explorer in a static page, as readers meet it: keyboard, mouse, finger; light, dark; wide, narrow.

The page is made of what the book's build uses, the widget's HTML, the static script and the static style, and no more.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from minimodel.widgets import DistributionExplorer, esm
from minimodel.widgets.outcome import outcome
from minimodel.widgets.pipeline import DROPS, Settings, pipeline
from minimodel.widgets.pitfalls import broken

from .waking import wake

LANGS = pytest.mark.parametrize("lang", ["en", "es"])
RESET = {"en": "Reset", "es": "Reiniciar"}
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations", "incomplete"],
}
PENALTY, TAU, K, P, MIN_P = range(5)  # the sliders, in their order
NAMES = ("Repetition penalty", "Temperature τ", "Top-k", "Top-p (nucleus)", "Min-p")
OFF = Settings()

PAGE = """<!doctype html><html lang="{lang}"{theme}><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Explorer</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="widgets.css">
<style>html {{ color-scheme: light dark }} main {{ max-width: 750px; margin: auto }}
body {{ margin: 0; padding: 16px; background: {ground}; font-family: sans-serif }}</style>
<main><h1 style="color: {ink}">Explorer</h1>{widget}</main>{script}</html>"""


@dataclass
class Widget:
    """An open page with one explorer, and what the page did."""

    page: object
    explorer: DistributionExplorer
    requests: list
    complaints: list

    def slider(self, which):
        return self.page.get_by_role("slider").nth(which)

    def widths(self):
        """Of each row by its id: kept, dropped by top-k, by top-p, by min-p, in percent."""
        return self.page.eval_on_selector_all(
            ".mm-bars > li",
            """rows => Object.fromEntries(rows.map(row => [row.dataset.id,
                ["kept", "top-k", "top-p", "min-p"].map(name =>
                    parseFloat(row.querySelector(`.mm-${name}`).style.width))]))""",
        )

    def order(self):
        return self.page.eval_on_selector_all(".mm-bars > li", "rows => rows.map(row => row.dataset.id)")

    def settings(self):
        """The knobs as the page says them."""
        said = self.page.locator("output").all_inner_texts()
        numbers = [float(text) if which != K else text for which, text in enumerate(said)]
        return Settings(*numbers)._replace(k=int(said[K]) if said[K].isdigit() else None)

    def expected(self, case=0):
        """The widths by minimodel's own functions, at what the page says that its sliders stand at."""
        logits = np.array(self.explorer.cases[case]["logits"])
        made = outcome(logits, pipeline(self.settings(), self.explorer.cases[case]["seen"]))
        order = [int(i) for i in np.argsort(-logits, kind="stable")]
        alone = 10 if self.explorer.pitfall else 20
        groups = {str(i): [i] for i in order[:alone]} | {"others": order[alone:]}
        masses = lambda ids: (made.share(ids), *(made.mass(step, ids) for step in DROPS))  # noqa: E731
        return {name: [100 * mass for mass in masses(ids)] for name, ids in groups.items()}

    def agrees(self, case=0):
        """The bars are what minimodel says."""
        want, got = self.expected(case), self.widths()
        assert list(want) == self.order()
        for name, masses in want.items():
            np.testing.assert_allclose(got[name], masses, atol=1e-3, err_msg=name)
        return got


@pytest.fixture(scope="module")
def folder(folder):
    """With the explorer as a notebook loads it, too."""
    (folder / "widget.mjs").write_text(esm("distribution_explorer"), encoding="utf-8")
    return folder


@pytest.fixture
def explore(browser, folder, address):
    """`explore(lang, ...)`: a page with one explorer, loaded, over http unless told to open it from disk."""
    contexts = []

    def open_one(
        lang="en",
        *,
        width=1280,
        scheme="light",
        theme=None,
        disk=False,
        script=True,
        touch=False,
        pitfall=None,
        **context,
    ):
        explorer = DistributionExplorer.for_prompts(lang, pitfall=pitfall)
        dark = (theme or scheme) == "dark"
        page = PAGE.format(
            lang=lang,
            theme=f' data-theme="{theme}"' if theme else "",
            ground="#14181e" if dark else "#ffffff",
            ink="#ced6dd" if dark else "#323232",
            widget=explorer._repr_mimebundle_()[0]["text/html"],
            script='<script async src="widgets.js"></script>' if script else "",
        )
        (folder / "page.html").write_text(page, encoding="utf-8")
        viewport = {"width": width, "height": 900}
        contexts.append(
            browser.new_context(viewport=viewport, color_scheme=scheme, has_touch=touch, is_mobile=touch, **context)
        )
        widget = Widget(contexts[-1].new_page(), explorer, [], [])
        widget.page.on("request", lambda request: widget.requests.append(request.url))
        widget.page.on("console", lambda message: widget.complaints.append(message.text))
        widget.page.on("pageerror", lambda error: widget.complaints.append(str(error)))
        widget.page.goto(f"{folder.as_uri()}/page.html" if disk else f"{address}page.html", wait_until="load")
        if script and context.get("java_script_enabled", True):
            wake(widget.page)
        return widget

    yield open_one
    for context in contexts:
        context.close()


def press(widget, which, key, times=1):
    for _ in range(times):
        widget.slider(which).press(key)


# ---- the sliders ----


@LANGS
@pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])
def test_each_slider_by_keyboard_moves_the_bars_as_python_says(explore, lang, disk):
    widget = explore(lang, disk=disk)
    seen = [widget.agrees()]
    for which, key, times in (
        (TAU, "ArrowLeft", 12),
        (K, "Home", 1),
        (K, "ArrowRight", 6),
        (P, "ArrowLeft", 24),
        (MIN_P, "End", 1),
    ):
        press(widget, which, key, times)
        seen.append(widget.agrees())
        assert seen[-1] != seen[-2], f"slider {which} moved nothing"
    press(widget, TAU, "Home")
    assert widget.settings().tau == 0.05
    press(widget, TAU, "End")
    assert widget.settings().tau == 5
    widget.agrees()
    assert widget.complaints == []


@LANGS
def test_the_penalty_lowers_what_has_been_said_and_says_so(explore, lang):
    widget = explore(lang)
    widget.page.get_by_role("combobox").select_option("4")
    before = widget.agrees(case=4)
    press(widget, PENALTY, "ArrowRight", 8)
    after = widget.agrees(case=4)
    assert widget.settings().penalty == 1.4
    rows = widget.page.locator(".mm-bars > li")
    said = [name for name in before if name != "others" and int(name) in widget.explorer.cases[4]["seen"]]
    assert max(before[name][0] for name in said) > 10
    assert all(after[name][0] < before[name][0] for name in said if before[name][0] > 1)
    text = {"en": "repeated", "es": "repetida"}[lang]
    told = rows.evaluate_all("rows => rows.map(row => [row.dataset.id, row.querySelector('.mm-fate').textContent])")
    assert {name for name, fate in told if fate == text} == set(said)


def test_temperature_never_changes_the_order(explore):
    widget = explore()
    order = widget.order()
    for key in ("Home", "End"):
        press(widget, TAU, key)
        assert widget.order() == order
        widths = widget.widths()
        kept = [widths[name][0] for name in order if name != "others"]
        assert kept == sorted(kept, reverse=True)


@pytest.mark.parametrize("which", [TAU, K, P, MIN_P])
def test_a_slider_follows_the_mouse(explore, which):
    widget = explore()
    before = widget.agrees()
    box = widget.slider(which).bounding_box()
    middle = box["y"] + box["height"] / 2
    start = {TAU: 0.64, MIN_P: 0.015}.get(which, 0.985)  # where the thumb is to begin with
    widget.page.mouse.move(box["x"] + start * box["width"], middle)
    widget.page.mouse.down()
    widget.page.mouse.move(box["x"] + 0.4 * box["width"], middle, steps=5)
    during = widget.agrees()
    widget.page.mouse.move(box["x"] + 0.1 * box["width"], middle, steps=5)
    widget.page.mouse.up()
    assert before != during != widget.agrees()


@pytest.mark.parametrize("which", [TAU, K, P])
def test_a_slider_follows_the_finger_on_a_phone(explore, which):
    widget = explore("es", width=375, touch=True)
    before = widget.agrees()
    widget.slider(which).scroll_into_view_if_needed()
    box = widget.slider(which).bounding_box()
    assert box["height"] >= 44
    y = box["y"] + box["height"] / 2
    cdp = widget.page.context.new_cdp_session(widget.page)
    places = np.linspace(0.64 if which == TAU else 0.97, 0.15, 12) * box["width"] + box["x"]
    for i, x in enumerate(places):
        kind = "touchMove" if i else "touchStart"
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": float(x), "y": y}]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert widget.agrees() != before


@LANGS
def test_another_prompt_and_the_way_back(explore, lang):
    widget = explore(lang)
    press(widget, TAU, "ArrowLeft", 10)
    press(widget, P, "ArrowLeft", 10)
    widget.page.get_by_role("combobox").select_option("1")
    widget.agrees(case=1)
    assert widget.explorer.cases[1]["prompt"] in widget.page.locator(".mm-caption").inner_text()
    widget.page.get_by_role("button", name=RESET[lang]).click()
    assert widget.settings() == OFF
    widget.agrees(case=0)


@LANGS
def test_the_way_back_in_a_pitfall_leads_to_where_it_does_harm(explore, lang):
    widget = explore(lang, pitfall="masks-with-zero")
    start, before = widget.settings(), widget.agrees()
    assert start == Settings(tau=2.0, p=0.8)
    press(widget, TAU, "ArrowLeft", 10)
    press(widget, K, "ArrowLeft", 60)
    widget.page.get_by_role("switch").click()
    assert widget.page.get_by_role("switch").get_attribute("aria-checked") == "false"
    widget.page.get_by_role("button", name=RESET[lang]).click()
    assert widget.settings() == start
    assert widget.agrees() == before
    assert widget.page.get_by_role("switch").get_attribute("aria-checked") == "true"


# ---- for everybody ----


@LANGS
@pytest.mark.parametrize("width", [375, 343, 320, 280])  # at 343 it is as wide as in the book at 375
def test_the_head_fits_a_phone(explore, lang, width):
    widget = explore(lang, width=width)
    head = widget.page.locator(".mm-head").bounding_box()
    for part in widget.page.locator(".mm-head > *").all():
        box = part.bounding_box()
        assert box["x"] + box["width"] <= head["x"] + head["width"] + 0.5
    if width > 300:
        assert widget.page.locator(".mm-head > label").bounding_box()["height"] <= 44


def test_a_preset_or_the_way_back_does_not_have_every_knob_announced(explore):
    assert {one.get_attribute("aria-live") for one in explore().page.locator("output").all()} == {"off"}


def test_controls_are_named_sized_and_kept_from_jupyterlab(explore):
    widget = explore(width=375)
    controls = widget.page.locator(".mm-card :is(select, button, input)")
    assert controls.count() == 8
    for control in controls.all():
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true"
        box = control.bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 44
    for name in NAMES:
        assert widget.page.get_by_role("slider", name=name, exact=True).count() == 1
    widget.page.keyboard.press("Tab")
    tabbed = []
    for _ in range(8):
        tabbed.append(widget.page.evaluate("document.activeElement.tagName"))
        widget.page.keyboard.press("Tab")
    assert tabbed == ["SELECT", "BUTTON", "BUTTON"] + ["INPUT"] * 5


@LANGS
def test_the_outcome_is_said_in_a_sentence_once_the_reader_pauses(explore, lang):
    widget = explore(lang)
    live = widget.page.locator("[aria-live=polite]")
    widget.page.wait_for_timeout(700)
    assert live.inner_text() == ""  # nobody has touched anything
    press(widget, K, "Home")
    press(widget, K, "ArrowRight", 2)
    widget.page.wait_for_function("document.querySelector('[aria-live=polite]').textContent !== ''")
    said = live.inner_text()
    assert "3" in said
    assert "64" in said
    assert "{" not in said
    assert "undefined" not in widget.page.locator(".mm-card").inner_text() + said
    assert widget.slider(K).get_attribute("aria-valuetext") == "3"


def test_a_dropped_word_says_which_step_dropped_it(explore):
    widget = explore()
    press(widget, K, "Home")
    press(widget, K, "ArrowRight", 11)
    press(widget, P, "ArrowLeft", 10)
    press(widget, MIN_P, "ArrowRight", 20)
    fates = widget.page.eval_on_selector_all(
        ".mm-bars > li", "rows => rows.map(row => [row.dataset.fate, row.textContent])"
    )
    assert {fate for fate, _ in fates} == {"kept", *DROPS}
    for fate, text in fates:
        assert (f"dropped by {fate}" in text) == (fate != "kept"), text
    patterns = {
        widget.page.locator(f".mm-bars .mm-{name}").first.evaluate("bar => getComputedStyle(bar).backgroundImage")
        for name in ("kept", *DROPS)
    }
    assert len(patterns) == 4  # not by colour alone


@SCHEMES
@pytest.mark.parametrize(("lang", "width"), [("en", 1280), ("es", 375)])
@pytest.mark.parametrize("pitfall", [None, "crossing-token"])
def test_axe_finds_nothing_in_mid_use(explore, lang, scheme, width, pitfall):
    widget = explore(lang, width=width, scheme=scheme, pitfall=pitfall, reduced_motion="reduce")
    press(widget, K, "Home")
    press(widget, K, "ArrowRight", 7)
    press(widget, P, "ArrowLeft", 30)
    found = Axe().run(widget.page, options=WCAG).response
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
    undecided = [node for one in found["incomplete"] for node in one["nodes"]]
    assert [node["html"] for node in undecided] == []


@LANGS
@pytest.mark.parametrize("width", [320, 375, 768])
def test_nothing_scrolls_sideways(explore, lang, width):
    widget = explore(lang, width=width)
    for case in range(len(widget.explorer.cases)):
        widget.page.get_by_role("combobox").select_option(str(case))
        for key in ("Home", "End"):
            press(widget, TAU, key)
            press(widget, K, key)
            assert widget.page.evaluate("document.documentElement.scrollWidth") <= width
            clipped = widget.page.eval_on_selector_all(
                ".mm-card :is(label, output, li b, li span:not(.mm-unseen), .mm-word, .mm-value, .mm-scale span)",
                """all => all.filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
                    .map(one => one.outerHTML)""",
            )
            assert clipped == []


@pytest.mark.parametrize(
    ("scheme", "theme", "jupyter", "dark"),
    [
        ("light", None, None, False),
        ("dark", None, None, True),
        ("light", "dark", None, True),
        ("dark", "light", None, False),
        ("light", None, "false", True),
        ("dark", None, "true", False),
    ],
)
def test_dark_follows_the_theme_and_only_then_the_system(explore, scheme, theme, jupyter, dark):
    widget = explore(scheme=scheme, theme=theme)
    if jupyter:
        widget.page.evaluate("light => document.body.setAttribute('data-jp-theme-light', light)", jupyter)
    ground = widget.page.locator(".mm-card").evaluate("card => getComputedStyle(card).backgroundColor")
    luminance = sum(map(int, re.findall(r"\d+", ground)[:3])) / (3 * 255)
    assert (luminance < 0.3) == dark


# ---- where it lives ----


@LANGS
@pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])
def test_it_asks_nobody_else_and_does_not_complain(explore, lang, disk):
    widget = explore(lang, disk=disk)
    press(widget, TAU, "ArrowLeft", 5)
    own = urlsplit(widget.page.url)
    elsewhere = [url for url in widget.requests if urlsplit(url)[:2] != own[:2] and not url.startswith("data:")]
    assert elsewhere == []
    assert {url.rpartition("/")[2] for url in widget.requests} <= {"page.html", "widgets.js", "widgets.css", "data:,"}
    assert widget.complaints == []


def seconds(widget):
    """The broken sampler's bars, in percent, by row."""
    return widget.page.eval_on_selector_all(
        ".mm-bars > li",
        """rows => Object.fromEntries(rows.map(row => [row.dataset.id,
            parseFloat(row.querySelector('.mm-wrong')?.style.width)]))""",
    )


@pytest.mark.parametrize(("lang", "pitfall"), [("en", "crossing-token"), ("es", "nucleus-first")])
def test_break_it_shows_the_wrong_answer_beside_the_right_one(explore, lang, pitfall):
    widget = explore(lang, pitfall=pitfall)
    switch = widget.page.get_by_role("switch")
    assert switch.get_attribute("aria-checked") == "true"
    press(widget, TAU, "ArrowRight", 10)
    widget.agrees()
    wrong = broken(pitfall, widget.explorer.cases[0]["logits"], widget.settings())
    got = {int(name): width for name, width in seconds(widget).items() if name != "others"}
    np.testing.assert_allclose(list(got.values()), [100 * wrong.after[token] for token in got], atol=1e-3)
    harm = widget.page.locator(".mm-harm")
    assert "%" in harm.inner_text()
    switch.press("Space")
    assert switch.get_attribute("aria-checked") == "false"
    assert harm.inner_text() == ""
    assert widget.page.locator(".mm-wrong").count() == 1  # the legend's
    switch.click()
    assert widget.page.locator(".mm-bars .mm-wrong").count() == 11
    assert widget.complaints == []


def test_where_nothing_is_left_the_page_says_nan(explore):
    widget = explore(pitfall="crossing-token")
    press(widget, P, "Home")
    assert "NaN" in widget.page.locator(".mm-harm").inner_text()
    assert "NaN" in widget.page.locator(".mm-wrongly").first.inner_text()
    widget.agrees()


@LANGS
@pytest.mark.parametrize("pitfall", [None, "no-renormalizing"])
@pytest.mark.parametrize("width", [1280, 375])
def test_the_picture_is_what_the_script_draws_and_nothing_jumps(explore, lang, width, pitfall):
    """Before the script the page shows Python's picture; the script takes its place with the same rows and size."""
    widget = explore(lang, width=width, script=False, pitfall=pitfall)
    look = """() => [[...document.querySelectorAll('.mm-bars > li')].map(row => [row.dataset.id, row.dataset.fate,
        row.textContent.trim(), parseFloat(row.querySelector('.mm-kept').style.width).toFixed(2)]),
        ...['.mm-facts', '.mm-harm', '.mm-caption', '.mm-axis', '.mm-legend']
            .map(part => document.querySelector(part)?.innerText)]"""
    still, height = widget.page.evaluate(look), widget.page.locator(".mm-card").bounding_box()["height"]
    widget.page.add_script_tag(url="widgets.js")
    widget.page.get_by_role("slider").first.wait_for()
    assert widget.page.evaluate(look) == still
    assert widget.page.locator(".mm-card").bounding_box()["height"] == pytest.approx(height, abs=2)


def test_without_javascript_there_is_the_picture(explore):
    widget = explore("es", java_script_enabled=False)
    assert widget.page.locator(".mm-bars > li").count() == 21
    assert widget.page.locator("input, select, button").count() == 0
    assert "Entropía" in widget.page.locator(".mm-card").inner_text()


def test_a_broken_state_leaves_the_picture_and_says_so(explore):
    widget = explore(script=False)
    widget.page.evaluate("document.querySelector('[data-widget] script').textContent = '{'")
    with widget.page.expect_console_message(lambda message: "distribution_explorer could not start" in message.text):
        widget.page.add_script_tag(url="widgets.js")
    assert widget.page.locator(".mm-bars > li").count() == 21


def test_on_paper_there_are_no_sliders(explore):
    widget = explore(scheme="dark")
    press(widget, TAU, "ArrowLeft", 5)
    widget.page.emulate_media(media="print")
    assert not widget.slider(TAU).is_visible()
    assert widget.page.locator("output").first.is_visible()
    assert (
        widget.page.locator(".mm-card").evaluate("card => getComputedStyle(card).backgroundColor")
        == "rgb(255, 255, 255)"
    )


def test_bars_glide_unless_the_reader_would_rather_not(explore):
    expect(explore().page.locator(".mm-kept").first).to_have_css("transition-duration", re.compile(r"0\.\d+s"))
    still = explore(reduced_motion="reduce").page.locator(".mm-kept").first
    expect(still).to_have_css("transition-duration", "0s")


LIVE = """async ([state]) => {
    const { default: widget } = await import("./widget.mjs");
    const heard = {};
    window.model = {
        get: name => state[name],
        set(name, value) { state[name] = value; (heard[`change:${name}`] ?? []).forEach(one => one()); },
        on: (event, one) => (heard[event] ??= []).push(one),
        off: (event, one) => { heard[event] = heard[event].filter(other => other !== one); },
        save_changes() { window.sent = { ...state }; },
    };
    document.querySelector("main").replaceChildren();
    window.cleanUp = widget.render({ model, el: document.querySelector("main") });
}"""


def test_with_a_kernel_the_bars_are_what_the_students_function_answers(explore):
    widget = explore(script=False)
    live = DistributionExplorer.for_prompts("en", transform=lambda logits, tau: logits / tau**2)
    names = ("lang", "strings", "words", "cases", "case", *Settings._fields, "live", "knob", "answer", "note")
    names += ("start", "pitfall", "broken")
    widget.page.evaluate(LIVE, [{name: getattr(live, name) for name in names}])
    before = widget.agrees()
    assert widget.page.get_by_role("button").all_inner_texts() == ["Reset"]  # a notebook's address is not ours
    press(widget, TAU, "ArrowLeft", 20)
    assert widget.widths() == before  # the kernel has not answered yet
    notice = widget.page.locator(".mm-notice")
    notice.get_by_text("Waiting for your function").wait_for()
    live.set_state({"tau": widget.page.evaluate("window.sent.tau")})
    widget.page.evaluate("answer => window.model.set('answer', answer)", live.answer)
    assert notice.inner_text() == ""
    wrong = outcome(np.array(live.cases[0]["logits"]) / live.tau**2, [])
    got = widget.widths()
    np.testing.assert_allclose(
        [got[name][0] for name in got if name != "others"],
        [100 * wrong.after[int(name)] for name in got if name != "others"],
        atol=1e-3,
    )
    problem = {"asked": {"case": 0, "tau": live.tau}, "problem": "Your function stopped with <b>KeyError</b>"}
    widget.page.evaluate("answer => window.model.set('answer', answer)", problem)
    assert notice.inner_text() == problem["problem"]
    assert not widget.page.locator(".mm-chart, .mm-facts").filter(visible=True).count()
    widget.page.evaluate("window.cleanUp()")
    widget.page.evaluate("answer => window.model.set('answer', answer)", live.answer)
    assert notice.inner_text() == problem["problem"]  # nobody listens any more
    assert widget.complaints == []
