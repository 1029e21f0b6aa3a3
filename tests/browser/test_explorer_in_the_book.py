"""The explorer where readers meet it, in the built chapter: the page's own script, the page's own numbers."""

import numpy as np
import pytest

from minimodel import Grammar, MiniGPT, apply_temperature, softmax

PROMPTS = {"en": "Tomorrow she will", "es": "Mañana ella va a"}
KEPT = "row => parseFloat(row.querySelector('.mm-kept').style.width)"


def bars(page):
    """The kept probability of each word of the first explorer, in percent, by its id."""
    return page.locator(".mm-card").first.evaluate(
        f"card => Object.fromEntries([...card.querySelectorAll('.mm-bars > li')].map(r => [r.dataset.id, ({KEPT})(r)]))"
    )


def probs(lang, tau):
    """The Mini-GPT's own distribution at a temperature, in percent."""
    ids = np.array(Grammar.load(lang).tokenizer.encode(PROMPTS[lang]))
    return 100 * softmax(apply_temperature(MiniGPT.load(lang)(ids)[-1].astype(np.float64), tau))


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("width", [1280, 375])
def test_the_temperature_by_keyboard_moves_the_bars_of_the_models_own_logits(open_page, lang, width):
    page = open_page(f"{lang}/01-temperature.html", width=width)
    slider = page.locator(".mm-card").first.get_by_role("slider").nth(1)
    slider.focus()
    shown = [bars(page)]
    for _ in range(2):
        for _ in range(10):
            page.keyboard.press("ArrowRight")
        shown.append(bars(page))
        tau = float(page.locator(".mm-card").first.locator("output").nth(1).inner_text())
        assert tau > 1
        for word, percent in shown[-1].items():
            if word != "others":
                assert percent == pytest.approx(probs(lang, tau)[int(word)], abs=0.02)
    assert shown[0] != shown[1] != shown[2]


def test_a_setting_survives_the_language_switch(open_page):
    page = open_page("en/01-temperature.html?distribution_explorer.tau=2#entropy")
    said = page.locator(".mm-card").first.locator("output")
    assert said.nth(1).inner_text() == "2.00"
    page.locator("a.language-switch").first.click()
    page.wait_for_url("**/es/**")
    assert said.nth(1).inner_text() == "2.00"
