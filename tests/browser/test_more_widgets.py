"""The smaller explorers in a static page: keyboard, mouse and finger; axe in the light and the dark; narrow pages."""

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from minimodel import FoldedGPT, Grammar, MiniGPT
from minimodel.cost import decode_flops, decode_positions, kv_cache_bytes
from minimodel.measures.diversity_accuracy import tradeoff
from minimodel.widgets import CostExplorer, NucleusExplorer, TradeoffExplorer
from minimodel.widgets.cost_explorer import MODELS, si
from minimodel.widgets.nucleus_explorer import PRESETS, cut

from .waking import wake

LANGS = pytest.mark.parametrize("lang", ["en", "es"])
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
PAGE = """<!doctype html><html lang="{lang}" data-theme="{theme}"><meta charset="utf-8"><title>Widget</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="widgets.css"><style>body {{ background: {ground} }}</style>
<main><h1 class="mm-unseen">Widget</h1>{widget}</main><script async src="widgets.js"></script></html>"""


@pytest.fixture
def show(browser, folder, address):
    """`show(widget, ...)`: a page that holds this widget; it must not complain, nor ask anybody else."""
    contexts, complaints = [], []

    def open_one(widget, *, width=750, theme="light", query="", **context):
        ground = "#14181e" if theme == "dark" else "#ffffff"
        html = widget._repr_mimebundle_()[0]["text/html"]
        (folder / "page.html").write_text(
            PAGE.format(lang=widget.lang, theme=theme, ground=ground, widget=html), encoding="utf-8"
        )
        viewport = {"width": width, "height": 900}
        contexts.append(browser.new_context(viewport=viewport, reduced_motion="reduce", **context))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda one: None if one.url.startswith(address) else complaints.append(one.url))
        page.goto(f"{address}page.html{query}", wait_until="load")
        if context.get("java_script_enabled", True):
            wake(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [one for one in complaints if not one.startswith("data:")] == []


def is_accessible(page):
    found = Axe().run(page, options=WCAG).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def fits(page):
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    for control in page.locator(".mm-card :is(button, select, input, [role=slider])").filter(visible=True).all():
        box = control.bounding_box()
        assert box["height"] >= 44, control.evaluate("one => one.outerHTML")
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true"
    assert "undefined" not in page.locator(".mm-card").inner_text()
    assert "{" not in page.locator(".mm-card").inner_text()


def drag(page, start, end, *, touch):
    """From one point to another, by mouse or by finger."""
    places = np.linspace(start, end, 8)
    if not touch:
        page.mouse.move(*start)
        page.mouse.down()
        for place in places:
            page.mouse.move(*place)
        page.mouse.up()
        return
    cdp = page.context.new_cdp_session(page)
    for i, (x, y) in enumerate(places):
        points = [{"x": float(x), "y": float(y)}]
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove" if i else "touchStart", "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


# ---- the nucleus ----


def nucleus_agrees(page, probs):
    """The ✓ marks are where Python cuts; returns p."""
    p = float(page.locator(".mm-p-line").get_attribute("aria-valuenow"))
    k = int(page.locator("output").inner_text())
    made = cut(probs, p, k)
    rows = page.locator(".mm-marks").evaluate_all("all => all.map(one => one.innerText.split(/\\s+/))")
    marks = [[str(token), "✓" if i < made.nucleus else "·"] for i, token in enumerate(made.order)]
    assert [row[:2] for row in rows] == marks
    assert [row[2] for row in rows] == ["✓" if i < made.top else "·" for i in range(len(probs))]
    return p


def test_the_lowest_line_leaves_the_ids_to_be_read(show):
    page = show(NucleusExplorer(p=0.01), width=375)
    pill, ids = page.locator(".mm-p-line b").bounding_box(), page.locator(".mm-marks").last.bounding_box()
    assert pill["y"] + pill["height"] <= ids["y"]


@LANGS
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_nucleus_by_keyboard(show, lang, theme):
    page = show(NucleusExplorer(lang=lang), theme=theme, width=375 if theme == "dark" else 320)
    line = page.get_by_role("slider").first
    assert nucleus_agrees(page, PRESETS["confident"]) == 0.9
    for key, p in (("ArrowUp", 0.91), ("ArrowLeft", 0.9), ("PageDown", 0.8), ("Home", 0.01), ("End", 1)):
        line.press(key)
        assert nucleus_agrees(page, PRESETS["confident"]) == p
    page.get_by_role("slider").nth(1).press("ArrowRight")
    page.get_by_role("combobox").select_option("long_tail")
    line.press("PageDown")
    assert nucleus_agrees(page, PRESETS["long_tail"]) == 0.9
    fits(page)
    is_accessible(page)


@pytest.mark.parametrize("touch", [False, True])
def test_the_line_follows_mouse_and_finger(show, touch):
    page = show(NucleusExplorer(choice="long_tail"), width=375, has_touch=touch)
    box, line = page.locator(".mm-columns").bounding_box(), page.locator(".mm-p-line").bounding_box()
    assert line["height"] == 44
    middle = line["y"] + 22
    drag(page, (box["x"] + 60, middle), (box["x"] + 60, middle + 0.4 * box["height"]), touch=touch)
    assert nucleus_agrees(page, PRESETS["long_tail"]) == pytest.approx(0.5, abs=0.02)


def test_the_readers_own_numbers_and_a_link_to_them(show):
    page = show(NucleusExplorer(p=0.75), query="?nucleus_explorer.choice=own&nucleus_explorer.own=2%201%201")
    assert nucleus_agrees(page, [0.5, 0.25, 0.25]) == 0.75
    page.get_by_role("textbox").fill("0.25 0.25 nonsense")
    assert page.get_by_role("textbox").get_attribute("aria-invalid") == "true"
    assert not page.locator(".mm-plot").is_visible()
    is_accessible(page)
    page.get_by_role("textbox").fill("0.25 0.25 0.25 0.25")
    nucleus_agrees(page, [0.25] * 4)


# ---- the cost ----


def cost_agrees(page, model, length, n):
    """The table and the sentence are what minimodel.cost says."""
    costs = [decode_flops(MODELS[model], length, n, cached=cached) for cached in (False, True)]
    want = [[si(getattr(one, name)) for one in costs] for name in ("linear", "attention", "total")]
    rows = page.locator(".mm-table tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"
    )
    assert rows == want
    read = [si(decode_positions(length, n, cached=cached)) for cached in (False, True)]
    assert all(number in page.locator(".mm-work p").inner_text() for number in read)


@LANGS
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_cost_by_keyboard(show, lang, theme):
    page = show(CostExplorer(lang=lang), theme=theme, width=375 if theme == "dark" else 320)
    cost_agrees(page, "GPT-2", 8, 20)
    page.get_by_role("slider").nth(0).press("ArrowRight")
    page.get_by_role("slider").nth(1).press("End")
    cost_agrees(page, "GPT-2", 12, 8192)
    assert "1024" in page.locator(".mm-work p").inner_text()  # more than it has room for
    page.get_by_role("combobox").first.select_option("Llama-3-8B")
    cost_agrees(page, "Llama-3-8B", 12, 8192)
    page.get_by_role("slider").nth(2).press("End")
    cache = kv_cache_bytes(MODELS["Llama-3-8B"], 1024, 12 + 8192 - 1, 2) / 2**30
    assert f"{cache:.1f} GiB" in page.locator(".mm-memory").inner_text()
    fits(page)
    is_accessible(page)


def test_a_cost_has_a_link(show):
    page = show(CostExplorer(), query="?cost_explorer.model=Llama-3-70B&cost_explorer.n=64&cost_explorer.batch=5")
    cost_agrees(page, "Llama-3-70B", 8, 64)
    assert page.locator("output").nth(2).inner_text() == "1"


# ---- diversity against accuracy ----


@pytest.fixture(scope="module", params=["en", "es"])
def curve(request):
    lang = request.param
    grammar = Grammar.load(lang)
    texts = {"en": ("Tomorrow she", "Yesterday I"), "es": ("Mañana ella", "Ayer yo")}[lang]
    prompts = [grammar.tokenizer.encode(prompt) for prompt in texts]
    model = FoldedGPT(MiniGPT.load(lang))
    made = tradeoff(model, prompts, [0, 1, 3], n=20, seed=0, max_tokens=3, judge=grammar.judge)
    return TradeoffExplorer(made, lang=lang)


def tradeoff_agrees(page, widget, at, prompt):
    """The texts are those of this point."""
    assert page.locator("output").inner_text() == f"{widget.points[at]['tau']:.2f}"
    assert page.locator(".mm-dot").nth(at).evaluate("dot => dot.classList.contains('mm-here')")
    shown = page.locator(".mm-texts > [data-right]").evaluate_all(
        "rows => rows.map(row => [row.children[1].textContent, row.dataset.right === 'true'])"
    )
    assert shown == [[text, right] for text, _, right in widget.texts[at][prompt]["shown"]]
    marks = page.locator(".mm-verdict").evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content)")
    assert set(marks) == {"none"}  # the stepper marks its own verdict so, in the same sheet of style


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_point_of_the_curve_by_keyboard_and_its_texts(show, curve, theme):
    page = show(curve, theme=theme, width=375 if theme == "dark" else 320, query="?tradeoff_explorer.prompt=1")
    tradeoff_agrees(page, curve, 0, 1)
    page.get_by_role("slider").press("End")
    tradeoff_agrees(page, curve, 2, 1)
    page.get_by_role("combobox").select_option("0")
    tradeoff_agrees(page, curve, 2, 0)
    fits(page)
    is_accessible(page)


@pytest.mark.parametrize("touch", [False, True])
def test_the_nearest_point_follows_a_click_and_a_tap(show, curve, touch):
    page = show(curve, width=375, has_touch=touch)
    box = page.locator(".mm-dot").nth(1).bounding_box()
    place = (box["x"] + box["width"] / 2 - 2, box["y"] + box["height"] / 2 + 2)
    page.touchscreen.tap(*place) if touch else page.mouse.click(*place)
    tradeoff_agrees(page, curve, 1, 0)
