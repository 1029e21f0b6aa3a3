"""A widget's setting in the address: a link leads to it, whatever page it is opened in."""

from urllib.parse import parse_qs, urlsplit

import pytest

from coursekit.site.serve import serving
from minimodel.widgets import DistributionExplorer, static_script, static_style

from .waking import wake

DISK = pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])


@pytest.fixture(scope="module")
def page_of_two(tmp_path_factory):
    """A folder with a page that holds two explorers."""
    folder = tmp_path_factory.mktemp("links")
    (folder / "widgets.css").write_text(static_style(), encoding="utf-8")
    (folder / "widgets.js").write_text(static_script(), encoding="utf-8")
    made = [DistributionExplorer.for_prompts("en", tau=0.5), DistributionExplorer.for_prompts("en", k=5)]
    bodies = "".join(widget._repr_mimebundle_()[0]["text/html"] for widget in made)
    (folder / "page.html").write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Links</title><link rel="icon" href="data:,">
        <link rel="stylesheet" href="widgets.css"><h1>Links</h1>{bodies}<script async src="widgets.js"></script>""",
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def visit(browser, page_of_two, serve):
    """`visit(query, disk)`: the page with this query, over http or from disk."""
    context = browser.new_context(
        viewport={"width": 800, "height": 600}, permissions=["clipboard-read", "clipboard-write"]
    )

    def go(query="", *, disk=False):
        page = context.new_page()
        page.goto(f"{page_of_two.as_uri() if disk else serve}/page.html{query}", wait_until="load")
        wake(page)
        return page

    yield go
    context.close()


@pytest.fixture(scope="module")
def serve(page_of_two):
    with serving(page_of_two) as base:
        yield base.rstrip("/")


def says(page, which):
    return page.locator(".mm-card").nth(which).locator("output").all_inner_texts()


START = (["1.00", "0.50", "all 64", "1.00", "0.00"], ["1.00", "1.00", "5", "1.00", "0.00"])


@DISK
def test_a_link_leads_to_the_setting_of_each_widget(visit, disk):
    query = "?highlight=x&distribution_explorer.tau=2&distribution_explorer.case=3&distribution_explorer-2.k=off"
    page = visit(f"{query}&distribution_explorer-2.min_p=0.1#distribution_explorer-2", disk=disk)
    assert says(page, 0) == ["1.00", "2.00", "all 64", "1.00", "0.00"]
    assert page.get_by_role("combobox").first.input_value() == "3"
    assert says(page, 1) == ["1.00", "1.00", "all 64", "1.00", "0.10"]
    assert page.locator(".mm-card").nth(1).bounding_box()["y"] < 100  # brought into view


@pytest.mark.parametrize("query", ["tau=0&k=1.5&case=9&broken=true&p=1e9", "tau=hot&k=65&case=", "tau=%20&k=0&p=NaN"])
def test_a_value_that_is_none_is_ignored(visit, query):
    page = visit("?" + "&".join(f"distribution_explorer.{one}" for one in query.split("&")))
    assert says(page, 0) == START[0]
    assert page.get_by_role("combobox").first.input_value() == "0"


@DISK
def test_the_button_copies_only_what_differs_and_the_link_brings_it_back(visit, disk):
    page = visit("?highlight=x", disk=disk)
    for _ in range(5):
        page.get_by_role("slider", name="Top-p").first.press("ArrowLeft")
    page.get_by_role("slider", name="Min-p").nth(1).press("ArrowRight")
    page.get_by_role("button", name="Copy link").nth(1).click()
    page.get_by_text("Link copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(link).query) == {
        "highlight": ["x"],
        "distribution_explorer.p": ["0.95"],
        "distribution_explorer-2.min_p": ["0.01"],
    }
    assert urlsplit(link).fragment == "distribution_explorer-2"
    again = visit(f"?{urlsplit(link).query}", disk=disk)
    assert [says(again, which) for which in (0, 1)] == [says(page, which) for which in (0, 1)] != list(START)


def test_the_address_keeps_up_and_is_clean_again_at_the_start(visit):
    page = visit()
    slider = page.get_by_role("slider", name="Top-p").first
    slider.press("ArrowLeft")
    page.wait_for_function("location.search === '?distribution_explorer.p=0.99'")
    page.reload()
    wake(page)
    assert says(page, 0)[3] == "0.99"
    slider.press("ArrowRight")
    page.wait_for_function("location.search === ''")


def test_where_the_clipboard_is_closed_the_link_is_shown(visit):
    page = visit()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('closed')); }")
    page.get_by_role("button", name="Copy link").first.click()
    page.locator(".mm-link").first.get_by_text("page.html").wait_for()
