"""Formulas are drawn when the book is built, and what cannot be drawn stops the build."""

from pathlib import Path

import pytest

from coursekit.site.build import build
from coursekit.site.formulas import FONT, glyphs_of, mathml, without_glyph

BOOK = Path(__file__).resolve().parents[3] / "book"


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"\text{naïve}_i", "<msub><mtext>naïve</mtext><mi>i</mi></msub>"),
        (r"\sqrt{s}", "<msqrt><mi>s</mi></msqrt>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_a_formula_is_mathml(tex, drawn):
    assert mathml(tex) == f"<math>{drawn}</math>"
    assert mathml(f"\n{tex}\n", display=True) == f'<math display="block">{drawn}</math>'


def test_lines_are_aligned_and_limits_stand_below():
    drawn = mathml(r"\begin{aligned} a &= b \\ w &= \operatorname*{arg\,max}_i z_i \end{aligned}", display=True)
    assert drawn.count("<mtr>") == 2
    assert "<munder>" in drawn


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{1}",
        r"\nonsense",
        "x^",
        r"\begin{cases} 1",
        r"\text{where $i$}",
        r"\begin{aligned} a \\[1ex] b \end{aligned}",
    ],
)
def test_what_cannot_be_drawn_is_an_error_that_names_it(tex):
    with pytest.raises(ValueError, match="cannot be drawn") as error:
        mathml(tex)
    assert repr(tex) in str(error.value)


def test_the_font_has_letters_upright_and_italic_and_not_everything():
    glyphs = glyphs_of(BOOK / "_static" / FONT)
    assert without_glyph(mathml(r"\sum_{i=1}^V \mathrm{max}(p_i \log \tau) \text{ número}"), glyphs) == ""
    assert {0x1D44E, 0x1D70F, 0x210E} <= glyphs  # a, τ and h as a browser draws them in a formula
    assert without_glyph(mathml(r"\oint_\aleph x"), glyphs) == "ℵ∮"


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (r"\frac{1}", r"book/en/one.md:4: WARNING: the formula '\\frac{1}' cannot be drawn"),
        (r"\oint", "has no ∮ (U+222E)"),
    ],
)
def test_a_formula_that_fails_stops_the_build_and_names_its_line(tree, formula, said):
    tree.page("one", f"(sec-one)=\n# One\n\nSo ${formula}$.\n", "(sec-one)=\n# Uno\n\nAsí, $x$.\n")
    heard: list[str] = []
    assert not build(tree.finish().root, say=heard.append)
    assert said in "\n".join(heard)
