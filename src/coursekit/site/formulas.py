"""Draw the formulas when the book is built: TeX becomes MathML, which browsers draw by themselves, without a script.

The package `math-core` writes MathML Core (https://www.w3.org/TR/mathml-core/). The font is the part of STIX Two Math
that the book may use: a character that it lacks would be drawn by whatever font the reader has, so it is refused.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

FONT = "stix-two-math.woff"
"""In `book/_static`, beside a text that says how it was made and how to add to it."""
LINE_SPACE = re.compile(r"\\\\\s*\[[^]]*\]")
"""``\\\\[2ex]``: the package would take the space between two lines for a part of the formula, and draw it."""
TAG = re.compile(r"<[^>]*>")
LOG = logging.getLogger(__name__)


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)


def mathml(tex: str, *, display: bool = False) -> str:
    r"""A formula as a `<math>` element.

    Raises:
        ValueError: for what is no TeX, or more of it than can be written as MathML Core.

    >>> mathml("p_i > 0")
    '<math><msub><mi>p</mi><mi>i</mi></msub><mo>&gt;</mo><mn>0</mn></math>'
    >>> mathml(r"\frac{1}{")
    Traceback (most recent call last):
    ValueError: the formula '\\frac{1}{' cannot be drawn: 9: Expected closing token "}", but reached end of input.
    """
    if space := LINE_SPACE.search(tex):
        raise ValueError(f"the formula {tex.strip()!r} cannot be drawn: write \\\\ alone, not {space[0]}")
    try:
        return _converter().convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError as error:
        raise ValueError(f"the formula {tex.strip()!r} cannot be drawn: {error}") from error


def without_glyph(drawn: str, glyphs: frozenset[int]) -> str:
    """The characters that a drawn formula shows and a font lacks.

    >>> without_glyph("<math><mi>x</mi><mo>&ApplyFunction;</mo><mo>∮</mo></math>", frozenset({ord("x")}))
    '∮'
    """
    shown = {letter for letter in unescape(TAG.sub("", drawn)) if unicodedata.category(letter) != "Cf"}
    return "".join(sorted(letter for letter in shown if ord(letter) not in glyphs))


@cache
def glyphs_of(font: Path) -> frozenset[int]:
    """The characters for which a font has a glyph."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - slow to import

    return frozenset(TTFont(font, lazy=True).getBestCmap())


def _drawn(self: HTML5Translator, node: nodes.Element, *, display: bool) -> str:
    """The node's formula, or the reason why there is none, which is a warning too."""
    try:
        drawn = mathml(node.astext(), display=display)
    except ValueError as error:
        LOG.warning("%s", error, location=node)
        return self.encode(node.astext())
    book = Path(self.builder.config.course_root) / "book"
    if lacking := without_glyph(drawn, glyphs_of(book / "_static" / FONT)):
        named = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in lacking)
        LOG.warning(
            "the font of formulas, book/_static/%s, has no %s: see the text beside it", FONT, named, location=node
        )
    return drawn


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line."""
    self.body.append(self.starttag(node, "span", "", CLASS="math") + _drawn(self, node, display=False) + "</span>")
    raise nodes.SkipNode


def visit_displaymath(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    self.body.append(self.starttag(node, "div", "", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    self.body.append(_drawn(self, node, display=True) + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Offer the drawing as `html_math_renderer: mathml`, which `_config.yml` chooses in MathJax's place."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
