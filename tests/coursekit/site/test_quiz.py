"""Mistakes in a question stop the build at their line."""

from __future__ import annotations

import pytest

from coursekit.site.build import build
from coursekit.site.quiz import split_options

MISTAKES = {
    "named": (":::{quiz} temperature\nQ?\n\n- [ ] A\n  B\n- [x] C\n  D\n:::", "a quiz is named like quiz-two-words"),
    "right": (":::{quiz} quiz-r\nQ?\n\n- [ ] A\n  B\n- [ ] C\n  D\n:::", "one of them right"),
    "options": (":::{quiz} quiz-o\nQ?\n:::", "write at least two options"),
    "feedback": (":::{quiz} quiz-f\nQ?\n\n- [ ] A\n- [x] C\n  D\n:::", "the option 'A' needs feedback"),
    "tolerance": (":::{quiz} quiz-t\n:answer: 1\n\nQ?\n\n---\nF.\n:::", "a numeric answer needs a tolerance"),
    "border": (":::{quiz} quiz-b\n:answer: 1\n:tolerance: 0\n\nQ?\n:::", "a line '---' and the feedback"),
    "question": (":::{quiz} quiz-q\n- [ ] A\n  B\n- [x] C\n  D\n:::", "starts with a paragraph"),
    "twice": (":::{quiz} quiz-2\nQ?\n\n- [ ] A\n  B\n- [x] C\n  D\n:::\n" * 2, "Duplicate explicit target"),
}


@pytest.fixture(scope="module")
def said(make_tree, tmp_path_factory) -> str:
    tree = make_tree(tmp_path_factory.mktemp("quiz"))
    for name, (text, _) in MISTAKES.items():
        tree.page(name, f"(sec-{name})=\n# Title\n\n{text}\n")
    lines: list[str] = []
    assert not build(tree.finish().root, ["en"], lines.append)
    return "\n".join(lines)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_at_its_line(name: str, said: str) -> None:
    about = [line for line in said.splitlines() if f"book/en/{name}.md:" in line]
    assert any(MISTAKES[name][1] in line for line in about), said


def test_a_list_that_is_no_choice_belongs_to_the_question() -> None:
    question, options = split_options(["Of these:", "- one", "- two", "", "- [x] Yes", "  It is.", "", "  Really."])
    assert question == ["Of these:", "- one", "- two", ""]
    assert options[0].feedback == ["It is.", "", "Really."]
