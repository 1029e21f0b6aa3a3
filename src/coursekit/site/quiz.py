r"""The `{quiz}` directive: a question that the page itself checks, and that reads as a disclosure without JavaScript.

    :::{quiz} quiz-limits
    Which token does $\tau \to 0$ choose?

    - [x] The most likely one
      All the mass goes to the largest logit.
    - [ ] Any, evenly
      That is what $\tau \to \infty$ does.
    :::

One `[x]` makes radio buttons, several make checkboxes. With `:answer: 0.5` and `:tolerance: 0.01` the answer is a
number, and what follows a line `---` is the feedback. `quiz.js` does the checking.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from coursekit.site.spoken import spoken
from coursekit.site.strings import strings

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

MARK = re.compile(r"- \[(?P<mark>[ xX])\] +(?P<label>\S.*)")
NAME = re.compile(r"quiz-[a-z0-9]+(-[a-z0-9]+)*")
VERDICTS = ("right", "wrong", "some", "choose", "too_small", "too_large", "number")


class quiz(nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """A whole question: `kind` is single, several or number; `rights` the places of the right options, from 1."""


class quiz_form(nodes.Element):  # noqa: N801
    """The question and what the reader fills in."""


class quiz_legend(nodes.TextElement):  # noqa: N801
    """The question's first paragraph."""


class quiz_choice(nodes.TextElement):  # noqa: N801
    """One option: `input` is radio or checkbox, `place` counts from 1."""


class quiz_number(nodes.Element):  # noqa: N801
    """The field for a numeric answer."""


class quiz_answers(nodes.Element):  # noqa: N801
    """The answers with their feedback, which the script shows as they are chosen."""


class quiz_answer(nodes.Element):  # noqa: N801
    """One answer: `right` or not, its label and its feedback."""


class Option(NamedTuple):
    """An option as written: where its first line stands in the directive, and the lines of its feedback."""

    line: int
    right: bool
    label: str
    feedback: list[str]


def split_options(lines: list[str]) -> tuple[list[str], list[Option]]:
    """Separate the lines of a question from its options.

    >>> question, options = split_options(["Why?", "", "- [ ] No", "  Because.", "- [x] Yes", "  Indeed."])
    >>> question, [(option.right, option.label, option.feedback) for option in options]
    (['Why?', ''], [(False, 'No', ['Because.']), (True, 'Yes', ['Indeed.'])])
    """
    starts = [(line, match) for line, text in enumerate(lines) if (match := MARK.fullmatch(text.rstrip()))]
    ends = [line for line, _ in starts[1:]] + [len(lines)] * bool(starts)
    options = [
        Option(line, match["mark"] != " ", match["label"], [text[2:] for text in lines[line + 1 : end]])
        for (line, match), end in zip(starts, ends, strict=True)
    ]
    return lines[: starts[0][0]] if starts else lines, options


class QuizDirective(SphinxDirective):
    """Read a question and build its nodes; every mistake in it is an error at its line."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec | None] = {"answer": float, "tolerance": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Build the question.

        Raises:
            DirectiveError: for a name, an option or a feedback that is missing or not of the form above.
        """
        name = self.arguments[0]
        if not NAME.fullmatch(name):
            raise self.error(f"a quiz is named like quiz-two-words, not {name!r}")
        node = self._number(name) if "answer" in self.options else self._choice(name)
        node["ids"], node["names"] = [name], [name]
        self.set_source_info(node)
        self.state.document.note_explicit_target(node, node)
        return [node]

    def _choice(self, name: str) -> quiz:
        question, options = split_options(list(self.content))
        rights = [place for place, option in enumerate(options, start=1) if option.right]
        if len(options) < 2 or not rights:  # noqa: PLR2004
            raise self.error(f"{name}: write at least two options, '- [ ] wrong' or '- [x] right', one of them right")
        kind = "single" if len(rights) == 1 else "several"
        form = self._form(question)
        answers = quiz_answers()
        for place, option in enumerate(options, start=1):
            label = self._inline([option.label], option.line, name)
            form += quiz_choice("", "", *label, name=name, place=place, input=INPUTS[kind])
            answers += self._answer(option, [node.deepcopy() for node in label], name)
        return quiz("", form, answers, kind=kind, options=len(options), rights=rights)

    def _answer(self, option: Option, label: list[nodes.Node], name: str) -> quiz_answer:
        feedback = self._blocks(option.feedback, option.line + 1)
        if not feedback:
            raise self.error(f"{name}: the option {option.label!r} needs feedback, indented by two spaces below it")
        word = strings(self.config.language)["is_right" if option.right else "is_wrong"]
        head = nodes.paragraph("", "", nodes.strong("", f"{word}:"), nodes.Text(" "), *label)
        head["classes"] = ["quiz-answer-label"]
        return quiz_answer("", head, *feedback, right=option.right)

    def _number(self, name: str) -> quiz:
        lines = list(self.content)
        if "---" not in lines or split_options(lines)[1]:
            raise self.error(f"{name}: with :answer:, write the question, a line '---' and the feedback, no options")
        border = lines.index("---")
        form = self._form(lines[:border])
        form += quiz_number(name=name)
        feedback = self._blocks(lines[border + 1 :], border + 1)
        answer, tolerance = self.options["answer"], self._tolerance(name)
        word = f"{strings(self.config.language)['is_right']}: {answer:g}"
        head = nodes.paragraph("", "", nodes.strong("", word), classes=["quiz-answer-label"])
        answers = quiz_answers("", quiz_answer("", head, *feedback, right=True))
        return quiz("", form, answers, kind="number", options=0, rights=[], answer=answer, tolerance=tolerance)

    def _tolerance(self, name: str) -> float:
        try:
            return float(self.options["tolerance"])
        except (KeyError, ValueError):
            raise self.error(f"{name}: a numeric answer needs a tolerance, such as ':tolerance: 0.01'") from None

    def _form(self, question: list[str]) -> quiz_form:
        blocks = self._blocks(question, 0)
        if not blocks or not isinstance(blocks[0], nodes.paragraph):
            raise self.error("a quiz starts with a paragraph that asks its question")
        legend = quiz_legend("", "", *blocks[0].children)
        return quiz_form("", legend, *blocks[1:])

    def _blocks(self, lines: list[str], first: int) -> list[nodes.Node]:
        holder = nodes.Element()
        self.state.nested_parse(StringList(lines, self.get_source_info()[0]), self.content_offset + first, holder)
        return holder.children

    def _inline(self, lines: list[str], first: int, name: str) -> list[nodes.Node]:
        blocks = self._blocks(lines, first)
        if len(blocks) != 1 or not isinstance(blocks[0], nodes.paragraph):
            raise self.error(f"{name}: an option is one line of text, not {lines[0]!r}")
        return blocks[0].children


INPUTS = {"single": "radio", "several": "checkbox"}


def _open_quiz(writer: HTML5Translator, node: quiz) -> None:
    words = strings(str(writer.config.language))
    data: dict[str, Any] = {f"data-{key.replace('_', '-')}": words[key] for key in VERDICTS}
    if node["kind"] == "number":
        data |= {"data-answer": node["answer"], "data-tolerance": node["tolerance"]}
    writer.body.append(writer.starttag(node, "div", CLASS="quiz", **{"data-kind": node["kind"]}, **data))


def _close_quiz(writer: HTML5Translator, _node: quiz) -> None:
    writer.body.append("</div>\n")


def _named(node: nodes.Element) -> str:
    """An `aria-label` for a control whose visible label has formulas in it, which browsers leave out of its name."""
    if not any(node.findall(nodes.math)):
        return ""
    text = node.deepcopy()
    for formula in list(text.findall(nodes.math)):
        formula.parent.replace(formula, nodes.Text(spoken(formula.astext())))
    return f' aria-label="{escape(text.astext())}"'


def _open_form(writer: HTML5Translator, node: quiz_form) -> None:
    writer.body.append(f"<fieldset{_named(next(node.findall(quiz_legend)))}>\n")


def _close_form(writer: HTML5Translator, _node: quiz_form) -> None:
    check = strings(str(writer.config.language))["check"]
    writer.body.append(
        f'</fieldset>\n<button type="button" class="quiz-check" hidden>{check}</button>\n'
        '<div class="quiz-status" role="status"></div>\n'
    )


def _open_legend(writer: HTML5Translator, _node: quiz_legend) -> None:
    writer.body.append("<legend>")


def _close_legend(writer: HTML5Translator, _node: quiz_legend) -> None:
    writer.body.append("</legend>\n")


def _open_choice(writer: HTML5Translator, node: quiz_choice) -> None:
    name, place = node["name"], node["place"]
    writer.body.append(
        f'<div class="quiz-choice"><input type="{node["input"]}" id="{name}-{place}" name="{name}" value="{place}" '
        f'autocomplete="off"{_named(node)}><label for="{name}-{place}">'
    )


def _close_choice(writer: HTML5Translator, _node: quiz_choice) -> None:
    writer.body.append("</label></div>\n")


def _open_number(writer: HTML5Translator, node: quiz_number) -> None:
    label = strings(str(writer.config.language))["answer"]
    writer.body.append(
        f'<div class="quiz-number"><label for="{node["name"]}-1">{label}</label>'
        f'<input type="text" id="{node["name"]}-1" autocomplete="off"></div>\n'
    )
    raise nodes.SkipNode


def _open_answers(writer: HTML5Translator, _node: quiz_answers) -> None:
    label = strings(str(writer.config.language))["answers"]
    writer.body.append(f'<details class="quiz-answers"><summary>{label}</summary>\n')


def _close_answers(writer: HTML5Translator, _node: quiz_answers) -> None:
    writer.body.append("</details>\n")


def _open_answer(writer: HTML5Translator, node: quiz_answer) -> None:
    right = "true" if node["right"] else "false"
    writer.body.append(f'<div class="quiz-answer" data-right="{right}">\n')


def _close_answer(writer: HTML5Translator, _node: quiz_answer) -> None:
    writer.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    """Register the directive and its nodes."""
    app.add_directive("quiz", QuizDirective)
    app.add_node(quiz, html=(_open_quiz, _close_quiz))
    app.add_node(quiz_form, html=(_open_form, _close_form))
    app.add_node(quiz_legend, html=(_open_legend, _close_legend))
    app.add_node(quiz_choice, html=(_open_choice, _close_choice))
    app.add_node(quiz_number, html=(_open_number, None))
    app.add_node(quiz_answers, html=(_open_answers, _close_answers))
    app.add_node(quiz_answer, html=(_open_answer, _close_answer))
