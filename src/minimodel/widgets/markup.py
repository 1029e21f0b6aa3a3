"""HTML made of elements, never of strings, so that a word such as ``<eos>`` is text wherever it stands."""

import json
from collections.abc import Mapping
from typing import TypeAlias
from xml.etree import ElementTree as ET

Child: TypeAlias = ET.Element | str


def element(tag: str, attributes: Mapping[str, str], *children: Child) -> ET.Element:
    """Return an element with these children, elements and texts, in order.

    Examples:
        >>> html(element("b", {"class": "word"}, "<eos>"))
        '<b class="word">&lt;eos&gt;</b>'
    """
    made = ET.Element(tag, dict(attributes))
    for child in children:
        if isinstance(child, ET.Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + child
        else:
            made.text = (made.text or "") + child
    return made


def html(root: ET.Element) -> str:
    """Return the element as HTML."""
    return ET.tostring(root, encoding="unicode", method="html")


def json_script(state: object) -> ET.Element:
    r"""Return ``state`` as an inert script that no string inside can end, because ``<`` is written ``\u003c``.

    Raises:
        ValueError: a number is NaN or infinite, which JSON has no word for.

    Examples:
        >>> html(json_script("</script>"))
        '<script type="application/json">"\\u003c/script\\u003e"</script>'
    """
    return element("script", {"type": "application/json"}, json_text(state))


def json_text(state: object) -> str:
    """Return ``state`` as JSON that may stand in a script: with no character that HTML or JavaScript knows.

    Raises:
        ValueError: a number is NaN or infinite, which JSON has no word for.
    """
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def embed(widget: str, lang: str, state: object, picture: ET.Element) -> str:
    """Return what the static host looks for: the widget's name and state around a picture of it.

    The picture is what shows without JavaScript, on paper and wherever scripts are taken out.
    """
    attributes = {"class": "mm-widget", "data-widget": widget, "lang": lang}
    return html(element("div", attributes, picture, json_script(state)))
