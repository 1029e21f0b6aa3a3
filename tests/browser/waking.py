"""To go to each widget of a page, as a reader would, who wakes it by coming near."""

from playwright.sync_api import Page

WAKE = """async () => {
    const before = scrollY;
    for (const place of document.querySelectorAll("[data-widget], .mm-widget[id]")) {
        place.scrollIntoView({ behavior: "instant" });
        while (!place.querySelector(":scope .mm-widget .mm-card")) await new Promise(requestAnimationFrame);
    }
    scrollTo({ top: before, behavior: "instant" });
    const waiting = () => document.querySelector(".bd-article > section > section:not(.laid-out)");
    do await new Promise((go) => requestAnimationFrame(() => setTimeout(go))); while (waiting());
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
}"""


def wake(page: Page) -> None:
    """Wait until every widget of the page lives, and until the sections out of sight are laid out."""
    page.evaluate(WAKE)
