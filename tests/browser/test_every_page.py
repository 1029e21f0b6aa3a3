"""Every page of the book, in both languages, as a visitor meets it: light, dark and narrow, its widgets in use.

A page is opened once; everything is looked at in that one visit, and all that is wrong is said together.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from coursekit.site.config import book_toc, pages
from coursekit.site.layout import LANGUAGES, Layout

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = [*pages(book_toc(Layout(Path(__file__).resolve().parents[2]), "en")), "search", "genindex"]
EVERY_PAGE = [f"{language}/{page}.html" for language in LANGUAGES for page in PAGES]
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose verdict depends on the colours: all that has to be looked at again in the dark."""
SPACE = ["target-size", "scrollable-region-focusable"]
"""The rules whose verdict depends on the width."""

USE_EVERYTHING = """() => {
    for (const fold of document.querySelectorAll("article details")) fold.open = true;
    for (const card of document.querySelectorAll(".mm-card")) {
        for (const slider of card.querySelectorAll("[role=slider]"))
            slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        for (const range of card.querySelectorAll("input[type=range]")) {
            range.stepUp();
            range.dispatchEvent(new Event("input", { bubbles: true }));
        }
        card.querySelector("[role=switch]")?.click();
        card.querySelector(".mm-transport button, .mm-button")?.click();
    }
    for (const quiz of document.querySelectorAll(".quiz")) {
        const input = quiz.querySelector("input");
        input.type === "text" ? (input.value = "1") : (input.checked = true);
        quiz.querySelector(".quiz-check").click();
    }
    scrollTo(0, 0);
}"""

TOO_WIDE = """width => {
    const scrolls = element => element.tagName !== "ARTICLE"
        && (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const page = document.documentElement.scrollWidth;
    const sticking = [...document.querySelectorAll("article *")]
        .filter(element => element.getBoundingClientRect().right > width + 1)
        .filter(element => !scrolls(element))
        .map(element => `sticks out: ${element.outerHTML.slice(0, 120)}`);
    return page > width ? [`the page is ${page} px wide`, ...sticking] : sticking;
}"""

NOT_DRAWN = """() => {
    const whole = one => one.querySelector("math")?.getBoundingClientRect().width > 1 && !one.querySelector("merror");
    for (const fold of document.querySelectorAll("article details")) fold.open = true;
    const shown = [...document.querySelectorAll(".math")].filter(one => one.checkVisibility());
    const formulas = shown.filter(one => !whole(one)).map(one => one.outerHTML);
    const set = !shown.length || document.fonts.check('16px "STIX Two Math"');
    return set ? formulas : [...formulas, "the font is not there"];
}"""

THIN_OUT = """() => {
    for (const node of document.querySelectorAll("math")) node.replaceChildren();
    const seen = new Set();
    for (const token of document.querySelectorAll(".highlight pre span:not(:has(span))")) {
        const kind = `${token.className} in ${token.closest("div.cell, .literal-block-wrapper")?.className}`;
        seen.has(kind) ? token.replaceWith(token.textContent) : seen.add(kind);
    }
}"""
"""Leave one word of code of each colour, and of formulas the frame: axe is slow with thousands of alike elements."""

RESIZED = 400
"""Milliseconds after which the theme has taken notice of a new width (it waits 300)."""


def violations(page: Page, rules: list[str]) -> list[str]:
    """What axe finds wrong by some rules or standards, one line an element."""
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_a_page_is_whole_accessible_and_keeps_to_itself(open_page, traffic, site, path: str) -> None:
    page = open_page(path, width=320)
    assert page.evaluate("document.documentElement.lang") == path[:2]
    wrong = [f"formula: {text}" for text in page.evaluate(NOT_DRAWN)]
    page.evaluate(USE_EVERYTHING)
    wrong += [f"320 px, {one}" for one in page.evaluate(TOO_WIDE, 320)]

    page.evaluate(THIN_OUT)
    wrong += [f"320 px, {one}" for one in violations(page, SPACE)]
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_timeout(RESIZED)
    wrong += [f"light, {one}" for one in violations(page, STANDARDS)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    wrong += [f"dark, {one}" for one in violations(page, COLOURS)]

    wrong += [f"asked for {url}" for url in traffic.outside(site)] + traffic.errors
    assert wrong == []
