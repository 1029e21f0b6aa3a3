"""A Spanish section whose English has changed since is stale until somebody stamps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from coursekit.site.review import renew, section_texts, stale_sections

if TYPE_CHECKING:
    from coursekit.site.layout import Layout

ENGLISH = """\
(sec-a)=
# A

Text of a.

```python
# not a heading
```

(sec-b)=

## B

Text of b.

## No label

Text.
"""


@pytest.fixture
def layout(tree) -> Layout:
    tree.page("index", ENGLISH)
    layout = tree.finish()
    renew(layout)
    return layout


def edit(layout: Layout, old: str, new: str, language: str = "en") -> None:
    page = layout.sources(language) / "index.md"
    text = page.read_text("utf-8")
    assert old in text
    page.write_text(text.replace(old, new), "utf-8")


def test_sections_are_found_by_their_labels() -> None:
    texts = section_texts(ENGLISH)
    assert {label: text.line for label, text in texts.items()} == {"sec-a": 2, "sec-b": 12}


def test_nothing_is_stale_once_stamped(layout: Layout) -> None:
    assert stale_sections(layout) == []


def test_only_the_edited_section_is_stale_and_named(layout: Layout) -> None:
    edit(layout, "Text of b.", "New text of b.")
    (message,) = stale_sections(layout)
    assert "book/en/index.md:12  index#sec-b" in message
    assert "sec-a" not in message
    assert "python -m coursekit stamp" in message


def test_code_in_a_section_belongs_to_it(layout: Layout) -> None:
    edit(layout, "# not a heading", "# still none")
    assert "index#sec-a" in stale_sections(layout)[0]


@pytest.mark.parametrize(
    ("old", "new", "language"),
    [("Text of a.", "Texto de a.", "es"), ("Text of a.", "Text\nof a.", "en"), ("\n(sec-b)=", "\n\n(sec-b)=", "en")],
)
def test_spanish_and_white_space_may_change(layout: Layout, old: str, new: str, language: str) -> None:
    edit(layout, old, new, language)
    assert stale_sections(layout) == []


def test_one_section_is_stamped_alone(layout: Layout) -> None:
    edit(layout, "Text of a.", "Other.")
    edit(layout, "Text of b.", "Other.")
    assert renew(layout, ["index#sec-b"]) == ["index#sec-b"]
    assert "index#sec-a" in stale_sections(layout)[0]
    assert "index#sec-b" not in stale_sections(layout)[0]
    assert renew(layout) == ["index#sec-a"]
    assert stale_sections(layout) == []


def test_a_lost_section_leaves_the_record(layout: Layout) -> None:
    edit(layout, "(sec-b)=\n", "")
    renew(layout)
    assert "sec-b" not in (layout.sources("es") / "_reviewed.json").read_text("utf-8")


def test_an_unknown_section_is_refused(layout: Layout) -> None:
    with pytest.raises(ValueError, match=r"no section is called 'index#sec-z'"):
        renew(layout, ["index#sec-z"])
