"""HTML and JSON that nothing in the data can break out of."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from minimodel.widgets.markup import element, embed, html, json_script

NASTY = [
    "<eos>",
    "</script><script>alert(1)</script>",
    "<!--",
    '"><img src=x onerror=alert(1)>',
    "&amp;",
    "\u2028",
    "ñ",
]


@pytest.mark.parametrize("text", NASTY)
def test_a_text_is_a_text(text):
    page = BeautifulSoup(html(element("p", {"title": text}, text, element("b", {}, text), text)), "html.parser")
    assert page.p.get_text() == text * 3
    assert page.p["title"] == text
    assert [tag.name for tag in page.find_all()] == ["p", "b"]


@pytest.mark.parametrize("text", NASTY)
def test_the_state_comes_back_as_it_was_and_ends_where_it_should(text):
    state = {"words": [text], text: 1}
    made = embed("some_widget", "en", state, element("p", {}, text))
    page = BeautifulSoup(made, "html.parser")
    assert json.loads(page.script.string) == state
    assert len(page.find_all("script")) == 1
    assert not re.search(r"[<>&]", made.split('json">')[1].removesuffix("</script></div>"))


def test_what_json_has_no_word_for_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        json_script([float("-inf")])
