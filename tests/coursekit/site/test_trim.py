"""What a page can use is kept, on the theme's own style sheets, as another parser of CSS reads them."""

from __future__ import annotations

import re
from importlib.metadata import files
from itertools import pairwise
from pathlib import Path

import pytest
import tinycss2
from fontTools.ttLib import TTFont

from coursekit.site.trim import ICONS, subset_icons, trim, trimmed, used_words

SHEETS = {
    "pydata-sphinx-theme": "styles/pydata-sphinx-theme.css",
    "sphinx-book-theme": "styles/sphinx-book-theme.css",
    "sphinx-design": "sphinx-design.min.css",
}
USED = {"onlyprint", "bd-main", "bd-content", "navbar", "btn", "btn-sm", "dropdown-menu", "fa-solid", "fa-bars", "show"}


def installed(package: str, ending: str) -> Path:
    return next(Path(str(file.locate())) for file in files(package) or [] if file.as_posix().endswith(ending))


def selectors(css: str) -> set[str]:
    """Every selector of a style sheet, those in @media and @supports too, each with its declarations."""
    found = set()
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        body = tinycss2.serialize(rule.content) if getattr(rule, "content", None) else ""
        if rule.type == "qualified-rule":
            parts = re.split(r",(?![^()]*\))", tinycss2.serialize(rule.prelude))
            found |= {f"{part.strip()} {{{body}}}" for part in parts}
        elif rule.type == "at-rule" and rule.at_keyword in ("media", "supports"):
            found |= {f"{rule.at_keyword} {one}" for one in selectors(body)}
    return found


def names(selector: str) -> set[str]:
    """The classes and ids that an element must have; those inside brackets may be alternatives."""
    tokens = tinycss2.parse_component_value_list(selector.partition(" {")[0])
    found = set()
    for mark, token in pairwise([None, *tokens]):
        if mark == "." and token.type == "ident":
            found.add(token.value)
        if token.type == "hash":
            found.add(token.value)
    return found


@pytest.mark.parametrize("package", SHEETS)
def test_what_an_element_can_match_is_kept_and_nothing_is_made_up(package: str) -> None:
    css = installed(package, SHEETS[package]).read_text("utf-8")
    before, after = selectors(css), selectors(trimmed(css, USED))
    assert after <= before
    assert {one for one in before if names(one) <= USED} <= after
    assert len(after) < len(before) / 2 or package == "sphinx-book-theme"


def test_a_comment_s_quotes_and_braces_are_no_style() -> None:
    css = "/*! It's free { */.gone{a:b}/* don't */.used{c:'}'}"
    assert trimmed(css, {"used"}) == "/*! It's free { */.used{c:'}'}"


def test_the_icons_in_use_keep_their_shapes(tmp_path: Path) -> None:
    source = installed("pydata-sphinx-theme", f"webfonts/{ICONS}")
    subset_icons(source, tmp_path / "icons.woff", [0xF0C9])
    whole, cut = TTFont(source), TTFont(tmp_path / "icons.woff")
    name = whole.getBestCmap()[0xF0C9]
    assert set(cut.getBestCmap()) == {0xF0C9}
    assert cut["glyf"][cut.getBestCmap()[0xF0C9]].coordinates == whole["glyf"][name].coordinates
    assert (tmp_path / "icons.woff").stat().st_size < 3000


def test_a_site_is_trimmed_to_what_its_pages_and_scripts_name(tmp_path: Path) -> None:
    static = tmp_path / "_static"
    (static / "scripts").mkdir(parents=True)
    (static / "locales").mkdir()
    (tmp_path / "page.html").write_text('<p class="in-page" id="there">out-of-tags</p>', "utf-8")
    (static / "scripts" / "a.js").write_text('element.classList.add("by-script")', "utf-8")
    (static / "scripts" / "a.js.map").write_text("{}")
    (static / "a.css").write_text(".in-page{a:b}#there{a:b}.by-script{a:b}.out-of-tags{a:b}", "utf-8")
    trim(tmp_path)
    assert {"in-page", "there", "by-script"} <= used_words(tmp_path)
    assert (static / "a.css").read_text("utf-8") == ".in-page{a:b}#there{a:b}.by-script{a:b}"
    assert sorted(path.name for path in static.rglob("*")) == ["a.css", "a.js", "scripts"]


def test_the_themes_search_for_boxes_that_scroll_is_taken_from_its_script(tmp_path: Path) -> None:
    script = tmp_path / "_static" / "scripts" / "pydata-sphinx-theme.js"
    script.parent.mkdir(parents=True)
    script.write_text('go(),"complete"===document.readyState?fit():window.addEventListener("load",fit),stop()', "utf-8")
    trim(tmp_path)
    assert script.read_text("utf-8") == "go(),stop()"
    with pytest.raises(ValueError, match="calls 0 functions as it loads, not 1"):
        trim(tmp_path)  # another version of the theme
