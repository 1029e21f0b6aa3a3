"""What a visitor does in the book beyond reading: change language, answer a question, search."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from coursekit.site.layout import LANGUAGES

SITE = Path(__file__).resolve().parents[2] / "site"
CHAPTER = "01-temperature.html"
SECTION = "sec-temp-limits"
QUIZ = "quiz-temp-ratio"


@pytest.mark.parametrize(("here", "there"), [("en", "es"), ("es", "en")])
def test_the_switch_lands_on_the_same_section_by_keyboard(open_page, site, here: str, there: str) -> None:
    page = open_page(f"{here}/{CHAPTER}")
    switch = page.locator("a.language-switch")
    for _ in range(60):  # the list of pages comes first
        page.keyboard.press("Tab")
        if switch.evaluate("link => link === document.activeElement"):
            break
    expect(switch).to_be_focused()
    page.evaluate(f"location.hash = '{SECTION}'")
    switch.evaluate("link => link.focus({preventScroll: true})")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/{there}/{CHAPTER}#{SECTION}")
    assert page.evaluate("document.documentElement.lang") == there
    page.wait_for_timeout(500)
    assert abs(page.locator(f"#{SECTION}").evaluate("section => section.getBoundingClientRect().top")) < 300


def test_the_switch_goes_by_what_is_being_read(open_page, site) -> None:
    page = open_page(f"en/{CHAPTER}")
    page.locator(f"#{SECTION}").evaluate("section => section.scrollIntoView({behavior: 'instant'})")
    box = page.locator("a.language-switch").bounding_box()
    page.mouse.click(box["x"] + 10, box["y"] + 10)  # click() would scroll first: the header is sticky
    page.wait_for_url(f"{site}/es/{CHAPTER}#{SECTION}")


def test_the_switch_from_the_top_stays_at_the_top(open_page, site) -> None:
    page = open_page(f"en/{CHAPTER}")
    page.locator("a.language-switch").click()
    page.wait_for_url(f"{site}/es/{CHAPTER}")


@pytest.mark.parametrize("path", ["labs/00-greedy", "index"])
def test_the_switch_needs_no_script(open_page, site, path: str) -> None:
    page = open_page(f"es/{path}.html", javascript=False)
    page.locator("a.language-switch").click()
    assert page.url == f"{site}/en/{path}.html"


@pytest.mark.parametrize(("locale", "language"), [("es-MX", "es"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_root_page_goes_by_the_browser_s_language(open_page, site, locale: str, language: str) -> None:
    page = open_page("", locale=locale)
    page.wait_for_url(f"{site}/{language}/index.html")


def test_the_root_page_remembers_the_choice(open_page, site) -> None:
    page = open_page("en/index.html")
    page.locator("a.language-switch").click()
    page.wait_for_url(f"{site}/es/index.html")
    page.goto(f"{site}/")
    page.wait_for_url(f"{site}/es/index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_root_page_offers_both_without_a_script(open_page, site, scheme: str) -> None:
    page = open_page("index.html", scheme=scheme, javascript=False, width=320)
    assert page.locator("a").evaluate_all("links => links.map(a => [a.lang, a.hreflang, a.href])") == [
        [language, language, f"{site}/{language}/index.html"] for language in LANGUAGES
    ]


def test_a_question_is_answered_by_keyboard(open_page) -> None:
    page = open_page(f"en/{CHAPTER}")
    quiz = page.locator(f"#{QUIZ}")
    status = quiz.get_by_role("status")
    expect(quiz.locator("details")).to_be_hidden()
    check = quiz.get_by_role("button", name="Check")
    check.focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Choose an answer first.")

    quiz.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    expect(status).to_be_empty()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Not quite: try again.")
    expect(status).to_contain_text("That is what")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(check).to_be_focused()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Correct.")
    expect(status).to_contain_text("Ratios go to the power")
    expect(status).not_to_contain_text("That is what")


def test_all_that_apply_must_be_chosen(open_page) -> None:
    page = open_page(f"es/{CHAPTER}")
    quiz = page.locator("#quiz-temp-can")
    status = quiz.get_by_role("status")
    boxes, check = quiz.get_by_role("checkbox"), quiz.get_by_role("button", name="Comprobar")
    boxes.nth(0).check()
    check.click()
    expect(status).to_contain_text("falta algo por elegir")
    boxes.nth(1).check()
    check.click()
    expect(status).to_contain_text("inténtalo otra vez")
    boxes.nth(1).uncheck()
    boxes.nth(2).check()
    check.click()
    expect(status).to_contain_text("¡Correcto!")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("0.665", "¡Correcto!"),
        (" 0,67 ", "¡Correcto!"),
        ("0.7", "la respuesta es menor"),
        ("-1", "la respuesta es mayor"),
        ("e", "Escribe un número"),
        ("", "Escribe un número"),
    ],
)
def test_a_number_is_judged_within_its_tolerance(open_page, written: str, said: str) -> None:
    page = open_page(f"es/{CHAPTER}")
    quiz = page.locator("#quiz-temp-top-one")
    quiz.get_by_label("Tu respuesta").fill(written)
    page.keyboard.press("Enter")
    expect(quiz.get_by_role("status")).to_contain_text(said)


def test_a_wrong_number_offers_the_answer(open_page) -> None:
    page = open_page(f"en/{CHAPTER}")
    quiz = page.locator("#quiz-temp-top-one")
    answers = quiz.locator("details")
    quiz.get_by_label("Your answer").fill("0.1")
    page.keyboard.press("Enter")
    answers.locator("summary").click()
    expect(answers).to_contain_text("Correct: 0.665")
    quiz.get_by_label("Your answer").fill("0.665")
    page.keyboard.press("Enter")
    expect(answers).to_be_hidden()


def test_questions_read_as_a_disclosure_without_a_script(open_page) -> None:
    page = open_page(f"en/{CHAPTER}", javascript=False)
    quiz = page.locator(f"#{QUIZ}")
    expect(quiz.get_by_role("button", name="Check")).to_be_hidden()
    expect(quiz.get_by_text("Ratios go to the power")).to_be_hidden()
    quiz.get_by_text("Answers", exact=True).click()
    expect(quiz.get_by_text("Ratios go to the power")).to_be_visible()
    expect(quiz.get_by_text("Correct:")).to_have_count(1)


def test_formulas_are_drawn_and_are_no_stops_of_the_tab_key(open_page) -> None:
    page = open_page(f"es/{CHAPTER}")
    formulas = page.locator("article .math")
    assert formulas.locator("math").count() == formulas.count() > 50
    page.wait_for_function("document.fonts.check('16px \"STIX Two Math\"')")
    assert page.locator("article :is(.math, math)[tabindex]").count() == 0


@pytest.mark.parametrize("page", ["00-motivation", "03-cost-model"])
def test_formulas_too_wide_for_a_phone_are_stops_of_the_tab_key_and_no_others(open_page, page: str) -> None:
    formulas = open_page(f"en/{page}.html", width=320).locator("article .math")
    scrolling = formulas.evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id)"
    )
    stops = formulas.evaluate_all("all => all.filter(one => one.tabIndex === 0).map(one => one.id)")
    assert stops == scrolling
    assert 1 < len(stops) < 10


@pytest.mark.parametrize("page", ["01-temperature", "02-truncation"])
def test_formulas_too_wide_for_a_phone_show_their_start(open_page, page: str) -> None:
    formulas = open_page(f"en/{page}.html", width=320).locator("article div.math")
    left_out = formulas.evaluate_all(
        """all => all.filter(one => [...one.children].some(
            part => part.getBoundingClientRect().left < one.getBoundingClientRect().left - 1)).map(one => one.id)"""
    )
    assert left_out == []


def test_the_search_finds_a_word_of_the_language(open_page) -> None:
    page = open_page("es/search.html?q=entrop%C3%ADa")
    expect(page.locator("ul.search")).to_contain_text("Temperatura")


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_disk_text_maths_widgets_search_and_the_switch_work(open_page, traffic, site, language: str) -> None:
    here = SITE / language
    page = open_page((here / CHAPTER).as_uri())
    assert page.locator("article .math math").count() > 50
    page.wait_for_function("document.fonts.check('16px \"STIX Two Math\"')")
    slider = page.locator(".mm-card").first.get_by_role("slider").nth(1)
    before = page.locator(".mm-card").first.inner_text()
    slider.press("ArrowRight")
    assert page.locator(".mm-card").first.inner_text() != before
    assert traffic.errors == []
    page.goto(f"{(here / 'search.html').as_uri()}?q=softmax")  # excerpts it has none: browsers let no file read another
    expect(page.locator("ul.search li").first).to_be_visible()
    page.locator("a.language-switch").click()
    page.wait_for_function(f"document.documentElement.lang !== '{language}'")
    assert [url for url in traffic.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_picture_comes_to_life_when_the_reader_comes_near(open_page, traffic) -> None:
    page = open_page("en/00-motivation.html", awake=False)
    last = page.locator("#four_samplers")
    page.wait_for_timeout(500)
    assert last.locator(".mm-widget").count() == 0
    assert last.locator(".mm-card").count() == 1  # the picture that stands in its place
    last.scroll_into_view_if_needed()
    expect(last.locator(".mm-widget .mm-card")).to_be_visible()
    assert len([url for url in traffic.requests if "minimodel-model" in url]) == 1


def test_the_menu_of_downloads_opens_by_keyboard_and_closes(open_page) -> None:
    page = open_page(f"en/{CHAPTER}")
    button = page.get_by_role("button", name="Download this page")
    link = page.locator(".dropdown-menu a").first
    expect(link).to_be_hidden()
    button.press("Enter")
    expect(link).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()
    button.press("Enter")
    page.locator("article h1").click()
    expect(link).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
