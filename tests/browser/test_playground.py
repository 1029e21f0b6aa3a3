"""The widgets that run the Mini-GPT, in a static page: Python's own tokens by keyboard, mouse and finger.

The page is made of what the book's build uses, the widgets' HTML, the static scripts and the static style.
"""

import re
from base64 import b64encode
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from minimodel import Grammar, MiniGPT, sample
from minimodel.widgets import (
    DecodeStepper,
    FourSamplers,
    model_script_name,
    static_model_script,
)
from minimodel.widgets.decode_stepper import PRESETS
from minimodel.widgets.model_data import model_data, weights
from minimodel.widgets.pipeline import Settings
from minimodel.widgets.playground import strategy_of

from .waking import wake

LANGS = pytest.mark.parametrize("lang", ["en", "es"])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations", "incomplete"],
}

PAGE = """<!doctype html><html lang="{lang}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Playground</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="widgets.css">
<style>html {{ color-scheme: light dark }} main {{ max-width: 750px; margin: auto }}
body {{ margin: 0; padding: 16px; font-family: sans-serif }}</style>
<main>{widgets}</main>{scripts}</html>"""


class Playground:
    """An open page with a stepper, or with four samplers, and what the page did."""

    def __init__(self, page, widgets, lang):
        self.page, self.widgets, self.lang = page, widgets, lang
        self.strings = widgets[0].strings
        self.requests, self.complaints = [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def button(self, name):
        return self.page.get_by_role("button", name=self.strings[name], exact=True).first

    def tokens(self):
        """The ids of the tokens written so far, as the page shows them."""
        words = Grammar.load(self.lang).tokenizer
        shown = self.page.locator("button.mm-token").all_inner_texts()
        return [words.encode(word)[0] for word in shown]

    def completions(self, panel):
        """How often each completion came that a panel lists."""
        items = self.page.locator(f"[data-sampler={panel}] li").all_text_contents()
        return [int(re.match(r"(\d+) ×", item)[1]) for item in items]

    def counts(self, panel):
        return self.page.locator(f"[data-sampler={panel}] .mm-meter b").all_inner_texts()


@pytest.fixture(scope="module")
def folder(folder):
    """With the models, too."""
    for lang in ("en", "es"):
        (folder / model_script_name(lang)).write_text(static_model_script(lang), encoding="utf-8")
    return folder


@pytest.fixture
def play(browser, folder, address):
    """`play([widgets], ...)`: a page with these widgets, loaded, over http unless told to open it from disk."""
    contexts = []

    def open_one(widgets, *, query="", width=1280, disk=False, model=True, touch=False, scheme="light", **context):
        lang = widgets[0].lang
        names = ["widgets.js", *([model_script_name(lang)] if model else [])]
        page = PAGE.format(
            lang=lang,
            widgets="".join(widget._repr_mimebundle_()[0]["text/html"] for widget in widgets),
            scripts="".join(f'<script async src="{name}"></script>' for name in names),
        )
        (folder / "page.html").write_text(page, encoding="utf-8")
        contexts.append(
            browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme=scheme,
                has_touch=touch,
                is_mobile=touch,
                **{"reduced_motion": "reduce"} | context,
            )
        )
        opened = Playground(contexts[-1].new_page(), widgets, lang)
        opened.page.goto(f"{folder.as_uri() + '/' if disk else address}page.html{query}", wait_until="load")
        if model and context.get("java_script_enabled", True):
            wake(opened.page)
        return opened

    yield open_one
    for context in contexts:
        context.close()


def expected(lang, prompt, settings, *, seed, n):
    """What `minimodel.sample` generates."""
    ids = Grammar.load(lang).tokenizer.encode(prompt)
    return sample(MiniGPT.load(lang), ids, max_tokens=n, seed=seed, strategy=strategy_of(settings))


# ---- the stepper ----


@LANGS
@pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])
def test_steps_by_keyboard_write_pythons_own_tokens(play, lang, disk):
    stepper = DecodeStepper(lang=lang, steps=0, seed=11)
    page = play([stepper], disk=disk)
    assert page.tokens() == []
    page.button("do_step").focus()
    for n in range(1, 7):
        page.page.keyboard.press("Enter")
        assert page.tokens() == expected(lang, stepper.prompt, PRESETS["balanced"], seed=11, n=n)
    written = len(page.tokens())
    for preset, settings in PRESETS.items():
        page.button(f"preset_{preset}").press("Space")
        assert page.tokens() == expected(lang, stepper.prompt, settings, seed=11, n=written), preset
        assert page.button(f"preset_{preset}").get_attribute("aria-pressed") == "true"
    page.button("do_reset").press("Enter")
    assert page.tokens() == []
    assert page.complaints == []


@LANGS
def test_every_knob_by_keyboard_gives_the_text_of_its_setting(play, lang):
    stepper = DecodeStepper(lang=lang, steps=8)
    page = play([stepper])
    sliders = page.page.get_by_role("slider")
    assert sliders.count() == 5
    settings = stepper.settings
    moves = [("tau", "ArrowRight", 14, 1.4), ("k", "Home", 1, 1), ("k", "ArrowRight", 19, 20), ("p", "End", 1, 1.0),
             ("min_p", "ArrowRight", 2, 0.02), ("penalty", "ArrowRight", 6, 1.3)]  # fmt: skip
    places = {name: i for i, name in enumerate(("tau", "k", "p", "min_p", "penalty"))}
    for name, key, times, value in moves:
        for _ in range(times):
            sliders.nth(places[name]).press(key)
        settings = settings._replace(**{name: value})
        assert page.tokens() == expected(lang, stepper.prompt, settings, seed=7, n=8), (name, value)
    page.page.get_by_role("spinbutton").fill("123")
    page.page.get_by_role("spinbutton").press("Enter")
    assert page.tokens() == expected(lang, stepper.prompt, settings, seed=123, n=8)


@LANGS
@pytest.mark.parametrize("mode", ["do_play", "do_stream"])
def test_play_and_stream_go_on_until_the_text_ends(play, lang, mode):
    stepper = DecodeStepper(lang=lang, steps=0, max_tokens=3)
    page = play([stepper])
    page.button(mode).click()
    if mode == "do_play":  # a stream of three words is over before one can look
        assert page.button("do_pause").is_visible()
    page.page.wait_for_function("document.querySelectorAll('button.mm-token').length === 3")
    page.button(mode).wait_for()  # no longer "pause"
    assert page.button("do_step").get_attribute("aria-disabled") == "true"
    page.button("do_step").click(force=True)
    assert page.tokens() == expected(lang, stepper.prompt, PRESETS["balanced"], seed=7, n=3)


def test_a_pause_stops_where_it_is(play):
    page = play([DecodeStepper(steps=0)])
    page.button("do_play").click()
    page.button("do_pause").click()
    written = page.tokens()
    page.page.wait_for_timeout(1300)
    assert page.tokens() == written


def test_a_token_leads_to_its_own_step(play):
    page = play([DecodeStepper(steps=4)])
    last = page.page.locator(".mm-fall").inner_text()
    page.page.locator("button.mm-token").nth(1).press("Enter")
    assert (
        page.page.locator("[data-drawn=true] > span").first.inner_text()
        == page.page.locator("button.mm-token").nth(1).inner_text().strip()
    )
    assert page.page.locator(".mm-fall").inner_text() != last
    assert len(page.tokens()) == 4
    assert page.page.locator("button.mm-token").nth(1).get_attribute("aria-pressed") == "true"


@LANGS
def test_a_prompt_is_typed_or_composed_of_the_grammars_words(play, lang):
    page = play([DecodeStepper(lang=lang, steps=2)])
    field = page.page.get_by_role("textbox")
    field.fill("ZEBRA")
    field.press("Enter")
    assert "ZEBRA" in page.page.locator(".mm-composer .mm-notice").inner_text()
    grammar = Grammar.load(lang)
    opening = {"en": "yesterday we", "es": "ayer ellos"}[lang]
    field.fill(opening)
    field.press("Enter")
    assert page.page.locator(".mm-composer .mm-notice").inner_text() == ""
    assert page.tokens() == []  # a new text
    offered = set(page.page.locator(".mm-words button").all_inner_texts()) - {f"← {page.strings['shorter']}"}
    ids = grammar.tokenizer.encode(opening)
    assert offered == {grammar.tokenizer.words[i] for i in grammar.next_word_probs(ids).nonzero()[0]}
    page.page.locator(".mm-words button").nth(2).click()
    assert len(grammar.tokenizer.encode(field.input_value())) == 3
    page.page.get_by_role("button", name=page.strings["shorter"]).click()
    assert field.input_value() == grammar.tokenizer.decode(ids)


def test_the_others_are_struck_out_where_none_of_them_is_left(play):
    page = play([DecodeStepper(settings=Settings(), steps=1)])
    others = page.page.locator(".mm-odds li[data-id=others]")
    assert others.locator("del").count() == 0
    page.button("preset_deterministic").press("Space")
    assert others.locator("del").inner_text() != "0%"
    assert others.locator("em").inner_text() == "dropped by greedy"


@pytest.mark.parametrize(("role", "text"), [("textbox", "Yesterday w"), ("spinbutton", "12")])
@pytest.mark.parametrize("mode", ["do_play", "do_stream"])
def test_what_is_being_typed_stays_while_the_text_is_written(play, mode, role, text):
    page = play([DecodeStepper(steps=0)])
    page.button(mode).click()
    page.page.get_by_role(role).fill(text)  # and neither Enter nor Tab
    written = len(page.tokens())
    page.page.wait_for_function("n => document.querySelectorAll('button.mm-token').length > n + 1", arg=written)
    assert page.page.get_by_role(role).input_value() == text


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize(
    ("role", "text"), [("textbox", "Yesterday we"), ("textbox", "Tomorrow my robot"), ("spinbutton", "-1")]
)
def test_the_click_that_ends_the_typing_counts(play, role, text, opened, touch):
    refused = text != "Yesterday we"
    page = play([DecodeStepper(steps=0)], width=375, touch=touch)
    page.page.locator(".mm-compose").evaluate("(list, opened) => { list.open = opened; }", opened)
    page.page.get_by_role(role).fill(text)
    step = page.button("do_step")
    step.tap() if touch else step.click()
    prompt = "Tomorrow she" if refused else text
    assert page.tokens() == expected("en", prompt, PRESETS["balanced"], seed=7, n=1)
    page.page.wait_for_function(
        "n => document.querySelectorAll('.mm-notice:not(:empty)').length === n", arg=int(refused)
    )


def test_a_click_on_a_word_adds_it_to_what_was_just_typed(play):
    page = play([DecodeStepper()])
    page.page.locator("summary").click()
    page.page.get_by_role("textbox").fill("Yesterday we")
    page.page.locator(".mm-words button").nth(1).click()
    assert page.page.get_by_role("textbox").input_value() == "Yesterday we will"  # right or not, it was pressed
    page.page.wait_for_function("document.activeElement.matches('.mm-words button')")  # the one pressed has gone


@LANGS
@pytest.mark.parametrize("widget", [DecodeStepper, FourSamplers])
def test_the_last_word_is_removed_by_keyboard_as_often_as_one_is_left(play, lang, widget):
    page = play([widget(lang=lang)])
    page.page.locator("summary").click()
    shorter = page.page.get_by_role("button", name=page.strings["shorter"])
    assert shorter.get_attribute("aria-disabled") == "false"
    shorter.focus()
    for _ in range(2):  # the second time there is nothing to remove
        page.page.keyboard.press("Enter")
        assert page.page.get_by_role("textbox").input_value() == {"en": "Tomorrow", "es": "Mañana"}[lang]
        assert shorter.evaluate("button => button === document.activeElement")
        assert shorter.get_attribute("aria-disabled") == "true"


@LANGS
def test_a_refused_prompt_stays_until_it_is_corrected(play, lang):
    page = play([DecodeStepper(lang=lang, steps=0)])
    field, notice = page.page.get_by_role("textbox"), page.page.locator(".mm-composer .mm-notice")
    refused = {"en": "Tomorrow robot", "es": "Mañana robot"}[lang]
    field.fill(refused)
    field.press("Enter")
    said = page.strings["unknown"].format(word="robot")
    page.button("do_step").press("Enter")
    page.page.get_by_role("slider").first.press("ArrowRight")
    assert len(page.tokens()) == 1
    assert (field.input_value(), notice.inner_text()) == (refused, said)
    assert field.get_attribute("aria-invalid") == "true"
    assert notice.get_attribute("id") in field.get_attribute("aria-describedby")
    page.page.get_by_role("button", name=page.strings["shorter"]).click()
    assert field.input_value() == refused.split()[0]
    field.fill({"en": "tomorrow she", "es": "mañana ella"}[lang])
    field.press("Enter")
    assert field.input_value() == DecodeStepper(lang=lang).prompt
    assert (notice.inner_text(), field.get_attribute("aria-invalid")) == ("", "false")


@LANGS
@pytest.mark.parametrize("refused", ["-1", "1.5", "", "99999999999999999"])
def test_a_refused_seed_stays_until_it_is_corrected(play, lang, refused):
    page = play([DecodeStepper(lang=lang, steps=0)])
    field, notice = page.page.get_by_role("spinbutton"), page.page.locator(".mm-seed .mm-notice")
    field.fill(refused)
    field.press("Tab")
    page.button("do_step").press("Enter")
    assert (field.input_value(), field.get_attribute("aria-invalid")) == (refused, "true")
    assert notice.inner_text() == page.strings["seed_range"].format(least=0, most=2**53 - 1)
    assert page.tokens() == expected(lang, DecodeStepper(lang=lang).prompt, PRESETS["balanced"], seed=7, n=1)
    field.fill("7")  # the seed that it had before
    field.press("Enter")
    assert (notice.inner_text(), field.get_attribute("aria-invalid")) == ("", "false")


def test_the_mark_stands_where_the_number_falls(play):
    page = play([DecodeStepper(steps=6, seed=2)])
    mark = page.page.locator(".mm-line > b").bounding_box()
    drawn = page.page.locator(".mm-line > [data-drawn=true]").bounding_box()
    assert drawn["x"] <= mark["x"] + mark["width"] / 2 <= drawn["x"] + drawn["width"]


# ---- four samplers ----


@LANGS
def test_four_samplers_count_what_python_counts(play, lang):
    four = FourSamplers(lang=lang, n=12)
    page = play([four])
    page.page.wait_for_function("document.querySelector('progress')?.value === 12")
    for seed in (0, 12):
        again = FourSamplers(lang=lang, n=12, seed=seed)
        for name in again.samplers:
            tally = again.tally(name)
            counts = [page.strings["of_all"].format(count=n, all=12) for n in (tally.distinct, tally.right)]
            assert page.counts(name) == counts, (name, seed)
            assert sum(page.completions(name)) <= 12
        if seed == 0:
            said = page.page.locator("[data-sampler=high] ol").inner_text()
            page.button("new_seeds").press("Enter")
            fresh = """said => document.querySelector('progress').value === 12
                && document.querySelector('[data-sampler=high] ol').innerText !== said"""
            page.page.wait_for_function(fresh, arg=said)
            page.page.wait_for_timeout(300)
    assert page.complaints == []


@LANGS
def test_where_no_form_is_due_no_text_is_called_wrong(play, lang):
    page = play([FourSamplers(lang=lang, n=4, prompt={"en": "And", "es": "Y"}[lang])])
    page.page.wait_for_function("document.querySelector('progress')?.value === 4")
    marks = page.page.locator(".mm-panel li").evaluate_all(
        "all => all.map(one => getComputedStyle(one, '::before').content)"
    )
    assert set(marks) == {'"– "'}
    assert page.counts("greedy")[1] == page.strings["no_count"]


def test_the_page_never_freezes_while_they_compute(play):
    page = play([FourSamplers(n=40)])
    page.page.wait_for_function("document.querySelector('progress')?.value === 40")
    page.page.evaluate(
        """() => { window.long = [];
            const note = list => window.long.push(...list.getEntries().map(one => one.duration));
            new PerformanceObserver(note).observe({ type: 'longtask' }); }"""
    )
    longest = []
    for _ in range(3):  # another program may hold up one run, hardly all three
        page.page.evaluate("window.long = [0]")
        page.button("new_seeds").click()
        page.page.wait_for_timeout(100)
        page.page.wait_for_function("document.querySelector('progress')?.value === 40")
        longest.append(max(page.page.evaluate("window.long")))
    assert min(longest) < 250, longest


# ---- a link to a setting ----


@LANGS
def test_a_link_leads_to_the_very_text(play, lang):
    stepper = DecodeStepper(lang=lang)
    prompt = {"en": "Yesterday they", "es": "Ayer ellos"}[lang]
    query = f"?decode_stepper.prompt={prompt}&decode_stepper.tau=1.5&decode_stepper.k=9&decode_stepper.steps=4"
    page = play([stepper], query=query.replace(" ", "+"))
    settings = stepper.settings._replace(tau=1.5, k=9)
    assert page.tokens() == expected(lang, prompt, settings, seed=7, n=4)
    page.page.get_by_role("spinbutton").fill("99")
    page.page.get_by_role("spinbutton").press("Enter")
    page.page.wait_for_function("location.search.includes('decode_stepper.seed=99')")
    assert "decode_stepper.tau=1.5" in page.page.url
    written = page.tokens()
    page.page.reload()
    wake(page.page)
    assert page.tokens() == written


@LANGS
def test_no_knob_is_too_wide_for_a_phone(play, lang):
    """At 343 the widget is as wide as in the book at 375; with every knob off its words are the longest."""
    page = play([DecodeStepper(lang=lang, settings=PRESETS["deterministic"])], width=343).page
    knobs = page.locator(".mm-knobs").bounding_box()
    for knob in page.locator(".mm-knob").all():
        box = knob.bounding_box()
        assert box["x"] + box["width"] <= knobs["x"] + knobs["width"] + 0.5
    assert page.locator("label", has_text="Min-p").bounding_box()["height"] < 30  # one line


def test_the_link_that_is_shown_can_be_read_on_a_phone(play):
    page = play([DecodeStepper(steps=0)], width=375).page
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy link").click()
    link = page.locator(".mm-link")
    link.get_by_text("page.html").wait_for()
    box = link.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 375


def test_a_link_that_makes_no_sense_is_ignored(play):
    nonsense = "?decode_stepper.prompt=zebra&decode_stepper.tau=-1&decode_stepper.seed=x&decode_stepper.steps=999"
    page = play([DecodeStepper(steps=2)], query=nonsense)
    assert page.page.get_by_role("textbox").input_value() == "Tomorrow she"
    assert page.tokens() == DecodeStepper(steps=2).completion
    assert page.complaints == []


# ---- for everybody ----


@SCHEMES
@pytest.mark.parametrize(("lang", "width"), [("en", 1280), ("es", 375)])
def test_axe_finds_nothing_in_mid_use(play, lang, scheme, width):
    page = play([DecodeStepper(lang=lang, steps=5), FourSamplers(lang=lang, n=10)], width=width, scheme=scheme)
    page.page.locator("summary").first.click()
    page.page.wait_for_function("document.querySelector('progress')?.value === 10")
    found = Axe().run(page.page, options=WCAG).response
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
    undecided = [(one["id"], node["html"]) for one in found["incomplete"] for node in one["nodes"]]
    assert undecided == []


@LANGS
@pytest.mark.parametrize("width", [320, 375, 768])
def test_nothing_scrolls_sideways_and_everything_can_be_touched(play, lang, width):
    page = play([DecodeStepper(lang=lang, steps=20), FourSamplers(lang=lang, n=5)], width=width, touch=True)
    page.page.locator("summary").first.tap()
    page.button("preset_creative").tap()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    for control in page.page.locator(".mm-card :is(.mm-button, input, summary):visible").all():
        assert control.bounding_box()["height"] >= 44, control.inner_text()
    for control in page.page.locator(".mm-card :is(button, input, summary)").all():
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true"


@LANGS
def test_the_step_is_said_in_a_sentence(play, lang):
    page = play([DecodeStepper(lang=lang)])
    live = page.page.locator("[aria-live=polite]")
    page.page.wait_for_timeout(700)
    assert live.inner_text() == ""  # nobody has touched anything
    page.button("do_step").click()
    page.page.wait_for_function("document.querySelector('[aria-live=polite]').textContent !== ''")
    assert "2" in live.inner_text()
    assert not re.search(r"[{}]|undefined", page.page.locator(".mm-card").inner_text() + live.inner_text())


# ---- where they live ----


@LANGS
@pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])
def test_several_widgets_load_one_model_and_ask_nobody_else(play, lang, disk):
    page = play([DecodeStepper(lang=lang), DecodeStepper(lang=lang, seed=3), FourSamplers(lang=lang, n=3)], disk=disk)
    page.page.wait_for_function("document.querySelectorAll('.mm-composer').length === 3")
    own = urlsplit(page.page.url)
    assert [url for url in page.requests if urlsplit(url)[:2] != own[:2] and not url.startswith("data:")] == []
    assert [url.rpartition("/")[2] for url in page.requests].count(model_script_name(lang)) == 1
    assert page.complaints == []


LOOK = """() => ['.mm-text', '.mm-verdict', '.mm-odds', '.mm-ends', '.mm-fall', '.mm-panels'].map(part =>
    [...document.querySelectorAll(part)].map(one => one.textContent))"""


@LANGS
@pytest.mark.parametrize("width", [1280, 375])
def test_the_picture_is_what_the_script_draws(play, lang, width):
    page = play([DecodeStepper(lang=lang, steps=5), FourSamplers(lang=lang, n=10)], width=width, model=False)
    still, height = page.page.evaluate(LOOK), page.page.locator("main").bounding_box()["height"]
    assert page.page.locator("input").count() == 0  # the model has not come yet: the picture stays
    page.page.add_script_tag(url=model_script_name(lang))
    page.page.wait_for_function("document.querySelector('progress')?.value === 10")
    assert page.page.evaluate(LOOK) == still
    assert page.page.locator("main").bounding_box()["height"] == pytest.approx(height, rel=0.05)


def test_without_javascript_there_is_the_picture(play):
    page = play([DecodeStepper(lang="es"), FourSamplers(lang="es", n=5)], java_script_enabled=False)
    assert page.page.locator(".mm-odds li").count() == 9
    assert page.page.locator(".mm-panel").count() == 4
    assert page.page.locator("input, button:visible, .mm-room:visible").count() == 0


def test_on_paper_there_is_nothing_to_press(play):
    page = play([DecodeStepper(), FourSamplers(n=5)], scheme="dark")
    page.page.emulate_media(media="print")
    assert page.page.locator(":is(.mm-button, .mm-range, summary):visible").count() == 0
    assert page.page.locator(".mm-line").is_visible()


def notebook_answer(lang):
    """What the kernel sends, the bytes in base64 on their way through Playwright."""
    return [model_data(lang), b64encode(weights(lang)).decode()]


LIVE = """async ([name, state, source]) => {
    const { default: widget } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    const heard = {};
    const model = {
        get: key => state[key],
        set(key, value) { state[key] = value; (heard[`change:${key}`] ?? []).forEach(one => one()); },
        on: (event, one) => (heard[event] ??= []).push(one),
        off: (event, one) => { heard[event] = heard[event].filter(other => other !== one); },
        save_changes() {},
        send(content) {
            (window.asked ??= []).push(content);
            setTimeout(() => heard["msg:custom"].forEach(one => one(window.answer.content, [window.answer.weights])));
        },
    };
    const el = document.createElement("div");
    document.querySelector("main").append(el);
    return void await widget.render({ model, el });
}"""


def test_with_a_kernel_the_first_widget_asks_and_the_others_share(play):
    page = play([DecodeStepper()], model=False)
    stepper, four = DecodeStepper(steps=3), FourSamplers(n=4)
    page.page.evaluate(
        """([content, weights]) => { document.querySelector("main").replaceChildren();
            const bytes = Uint8Array.from(atob(weights), one => one.charCodeAt(0));
            window.answer = { content, weights: new DataView(bytes.buffer) }; }""",
        notebook_answer("en"),
    )
    for widget in (stepper, four, stepper):
        state = {name: value for name, value in widget.get_state().items() if name not in {"_esm", "_css", "layout"}}
        page.page.evaluate(LIVE, [widget.NAME, state, widget._esm])
    assert page.page.evaluate("window.asked") == ["model"]
    assert page.page.locator(".mm-text").first.inner_text() == page.page.locator(".mm-text").nth(1).inner_text()
    assert page.tokens()[:3] == stepper.completion
