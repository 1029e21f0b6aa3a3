"""What a notebook shows of a page: nothing that only MyST knows, and every word that the page says."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from coursekit.site.plain_markdown import plain_markdown


class Words:
    """Roles and listings that say what they were asked for."""

    def role(self, role: str, target: str) -> str:
        return f"({target})" if role == "eq" else f"<{role} {target}>"

    def listing(self) -> str:
        return "def f(x):\n    return x"

    def word(self, key: str) -> str:
        return key


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        ("the {term}`logit`", "the logit"),
        ("the {term}`logits <logit>`", "the logits"),
        ("see {doc}`chapter 00 <00-motivation>` and {doc}`knobs`", "see chapter 00 and <doc knobs>"),
        ("{glue:text}`n:.2f` bits", "<glue:text n:.2f> bits"),
        ("{cite:t}`one,two` in {numref}`fig-a`", "<cite:t one,two> in <numref fig-a>"),
        ("`{term}` is code, {eq}`eq-a`", "`{term}` is code, (eq-a)"),
        ("(sec-a)=\n# Title", "# Title"),
        ("$$\nx\n$$ (eq-a)\n", "$$\nx\n\\tag{eq-a}\n$$\n"),
    ],
)
def test_roles_labels_and_numbers(myst: str, plain: str) -> None:
    assert plain_markdown(myst, Words()) == plain


def test_a_listing_is_code_that_can_be_copied() -> None:
    myst = "A.\n\n```{literalinclude} ../f.py\n:pyobject: f\n```\n\nB."
    code = [token for token in MarkdownIt().parse(plain_markdown(myst, Words())) if token.type == "fence"]
    assert [(token.info, token.content) for token in code] == [("python", "def f(x):\n    return x\n")]


def test_a_box_is_a_quotation_with_all_that_is_in_it() -> None:
    myst = ":::{admonition} Note\n:class: tip\n\nOne {term}`x`.\n\n- Two\n:::\nAfter.\n"
    html = MarkdownIt().render(plain_markdown(myst, Words()))
    inside, _, after = html.partition("</blockquote>")
    assert "<strong>Note</strong>" in inside
    assert "<li>Two</li>" in inside
    assert "One x." in inside
    assert "After." in after
    assert ":" not in html


def test_a_question_does_not_show_its_answer_before_it_is_unfolded() -> None:
    myst = ":::{quiz} quiz-a\nWhich?\n\n- [ ] No\n  Because.\n- [x] Yes\n  Indeed.\n:::\n"
    question, _, answers = plain_markdown(myst, Words()).partition("<details>")
    assert question.split() == ["Which?", "-", "No", "-", "Yes"]
    assert "✗ No: Because." in answers
    assert "✓ Yes: Indeed." in answers


def test_a_number_s_explanation_is_folded() -> None:
    myst = ":::{quiz} quiz-a\n:answer: 0.5\n:tolerance: 0.1\n\nHow much?\n\n---\nHalf.\n:::\n"
    question, _, answers = plain_markdown(myst, Words()).partition("<details>")
    assert question.strip() == "How much?"
    assert "Half." in answers
