"""The class report fits a phone, in both languages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from coursekit.grading.feedback import render
from minimodel.language import LANGUAGES

HINTS = {
    "en": "Divide by τ, so that τ = ½ doubles the differences.",
    "es": "Divide por τ, de modo que τ = ½ duplica las diferencias.",
}
KINDS = {"wrong": 3, "error": 1, "not_started": 10, "missing": 1}
ITEM = {"mean": 1.25, "max": 2.0, "full": 12, "kinds": KINDS, "misconceptions": [{"count": 12, **HINTS}]}
DATA = {
    "lab": "01-temperature-sweep",
    "students": 27,
    "not_handed_in": ["lazy-bones", "ana.maria.nunez.pena@students.example.org"],
    "marks": {"mean": 9.364, "median": 11.0, "max": 15.0, "bins": [1, 0, 0, 1, 3, 0, 0, 12, 5, 5]},
    "items": {"test_temperature_sweep": ITEM, "test_apply_temperature": ITEM},
    "similar": [["ana.maria.nunez.pena@students.example.org", "emmy.noether@students.example.org", 0.99]],
    "without_mark": {"lazy-bones": "the process that graded it was ended from outside"},
    "seconds": {"total": 77.0, "each": 7.04, "longest": 37.8},
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_of_it_lies_beside_a_phones_screen(tmp_path: Path, browser: Browser, lang: str) -> None:
    misses = [("test_temperature_sweep", ITEM["misconceptions"][0])]  # type: ignore[index]
    page = tmp_path / "report.html"
    page.write_text(render("report.html", lang, title="Lab 01", data=DATA, misses=misses), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 375, "height": 800})
    tab.goto(page.as_uri())
    wide = tab.evaluate("document.documentElement.scrollWidth")
    text = tab.locator("body").inner_text()
    tab.close()
    assert wide <= 375
    assert "9.36 / 15" in text
    assert HINTS[lang] in text
