"""Each kind of drift between the languages is caught and named; what may differ passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from coursekit.site.build import build
from coursekit.site.parity import compare_languages

if TYPE_CHECKING:
    from collections.abc import Mapping

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


def quiz(name: str, marks: str) -> str:
    options = "\n".join(f"- [{mark}] Option {place}\n  Because.\n" for place, mark in enumerate(marks))
    return f":::{{quiz}} quiz-{name}\nWhich?\n\n{options}\n:::\n"


def number(name: str, answer: float) -> str:
    return f":::{{quiz}} quiz-{name}\n:answer: {answer}\n:tolerance: 0.1\n\nHow much?\n\n---\nSo much.\n:::\n"


def cell(code: str, tags: str = "") -> str:
    return f"```{{code-cell}} python3\n{f':tags: [{tags}]' if tags else ''}\n{code}\n```\n"


TERMS = "```{glossary}\nA\n  First.\n\nB\n  Second.\n```"
DRIFTS: dict[str, tuple[str, str, str]] = {
    # name: (English, Spanish, what the message must say)
    "formula": ("Value $x > 0$.", "Valor $x > 1$.", "formula (1 in en, 1 in es)"),
    "formula-lost": ("Of $a$ and $b$.", "De $a$ y b.", "formula (2 in en, 1 in es)"),
    "displayed": ("$$\nx > 0\n$$", "$$\nx > 1\n$$", "displayed formula"),
    "displayed-order": ("$$\na\n$$\n\n$$\nb\n$$", "$$\nb\n$$\n\n$$\na\n$$", "displayed formula"),
    "equation-label": ("$$\nx\n$$ (eq-one)", "$$\nx\n$$", "displayed formula"),
    "paragraph": ("One.\n\nTwo.", "Uno.", "paragraph (2 in en, 1 in es)"),
    "list": ("- a\n- b\n- c", "- a\n- b", "list item (3 in en, 2 in es)"),
    "reference": ("See [](#sec-start).", "Mira.", "reference"),
    "reference-role": ("See {ref}`sec-start`.", "Mira.", "reference"),
    "term": ("A {term}`One glossary`.", "Un uno.", "reference to the glossary"),
    "citation": ("As {cite}`shannon` says.", "Como dice Shannon.", "citation"),
    "link": ("[Here](https://a.org/x).", "[Aquí](https://a.org/y).", "link"),
    "image-alt": ("![A dot](dot.svg)", "![](dot.svg)", "image"),
    "image": ("![A dot](dot.svg)", "![Un punto](line.svg)", "image"),
    "figure": (
        "```{figure} dot.svg\n:name: fig-dot\n:alt: A dot\n\nDot.\n```",
        "![Un punto](dot.svg)\n\nPunto.",
        "figure (1 in en, 0 in es)",
    ),
    "table": ("|a|b|\n|-|-|\n|1|2|\n|3|4|", "|a|b|\n|-|-|\n|1|2|", "table"),
    "box": (":::{note}\nSo.\n:::", ":::{warning}\nAsí.\n:::", "box"),
    "exercise": ("```{exercise} Do\n:label: ex-do\n\nIt.\n```", "Hazlo.", "exercise"),
    "footnote": ("So.[^n]\n\n[^n]: Note.", "Así.\n\nNota.", "footnote"),
    "quiz-right": (quiz("right", " x"), quiz("right", "x "), "quiz"),
    "quiz-options": (quiz("options", " x"), quiz("options", " x "), "quiz"),
    "quiz-kind": (quiz("kind", " x "), quiz("kind", " xx"), "quiz"),
    "quiz-number": (number("number", 0.5), number("number", 0.6), "quiz"),
    "quiz-name": (quiz("one", " x"), quiz("two", " x"), "quiz"),
    "glossary-terms": (TERMS, "```{glossary}\nC\n  Uno.\n```", "glossary term"),
    "code": (cell("x = 1"), cell("x = 2"), "line of code"),
    "code-name": (cell("x = 1"), cell("y = 1"), "line of code"),
    "code-indent": (cell("if x:\n    y\n    z"), cell("if x:\n    y\nz"), "line of code"),
    "code-lost": (cell("x") + "\n" + cell("y"), cell("x"), "code cell"),
    "code-tags": (cell("x", "hide-input"), cell("x"), "code cell"),
    "code-hidden": (cell("x = 1", "remove-cell"), cell("x = 2", "remove-cell"), "line of code"),
    "code-block": ("```python\nx = 1\n```", "```python\nx = 2\n```", "line of code"),
    "code-language": ("```bash\nls\n```", "```text\nls\n```", "block of code"),
    "section-lost": ("A.\n\n(sec-more)=\n## More\n\nB.", "A.\n\nB.", "sections differ"),
    "section-level": (
        "A.\n\n(sec-p)=\n## P\n\n(sec-q)=\n## Q",
        "A.\n\n(sec-p)=\n## P\n\n(sec-q)=\n### Q",
        "sections differ",
    ),
    "section-label": ("A.\n\n(sec-u)=\n## U", "A.\n\n(sec-v)=\n## U", "sections differ"),
    "section-order": (
        "A.\n\n(sec-k)=\n## K\n\n(sec-l)=\n## L",
        "A.\n\n(sec-l)=\n## L\n\n(sec-k)=\n## K",
        "sections differ",
    ),
    "unlabelled": ("A.\n\n## B", "A.\n\n## B", "section without a label"),
}
AGREE: dict[str, tuple[str, str]] = {
    "words": ("One sentence here.", "Esto son dos. O tres."),
    "order-in-a-sentence": ("Of $a$ and $b$.", "De $b$ y $a$."),
    "text-in-formula": (r"Of $x_{\text{max}} + \operatorname{Var}$.", r"De $x_{\text{máx}} + \operatorname{Var}$."),
    "order-of-words-in-formula": (r"$\text{distinct } n\text{-grams}$", r"$n\text{-gramas distintos}$"),
    "strings-and-comments": (
        cell('# add\nprint("the sum", f"{x} words", 1)\n\n\ndef f():\n    """Add."""'),
        cell('# suma\n# todo\nprint("la suma", f"{y}", 1)\ndef f():\n    """Suma.\n\n    Todo."""'),
    ),
    "magic": (cell("%config X\nprint('a')  # one"), cell("%config X\nprint('b')")),
    "shell": ("```bash\npython -m minimodel 'She'\n```", "```bash\npython -m minimodel 'Ella'\n```"),
    "picture-of-each-language": ("![A dot](dot-en.svg)", "![Un punto](dot-es.svg)"),
    "wikipedia": ("[W](https://en.wikipedia.org/x)", "[W](https://es.wikipedia.org/x)"),
    "glossary": (
        "```{glossary}\nOne glossary\n  First.\n\nTwo\n  Second.\n```",
        "```{glossary}\nUno\n  Primera.\n\nDos\n  Segunda.\n```",
    ),
    "quiz": (quiz("same", " x").replace("Which?", "Which $x$?"), quiz("same", " x").replace("Which?", "¿Qué $x$?")),
}


@pytest.fixture(scope="module")
def problems(make_tree, tmp_path_factory) -> Mapping[str, list[str]]:
    """What the comparison says of each page of one book that holds all of the above."""
    tree = make_tree(tmp_path_factory.mktemp("book"))
    for name, (english, spanish) in {**{k: v[:2] for k, v in DRIFTS.items()}, **AGREE}.items():
        head = f"(sec-{name})=\n# Title\n\n"
        tree.page(name, head + english + "\n", head + spanish + "\n", cells="code-cell" in english)
    for picture in ("dot", "line", "dot-en", "dot-es"):
        for language in ("en", "es"):
            tree.write(f"book/{language}/{picture}.svg", PICTURE)
    layout = tree.finish()
    said: list[str] = []
    build(layout.root, say=said.append)
    assert (layout.doctrees("es") / "words.doctree").is_file(), "\n".join(said)
    found: dict[str, list[str]] = {name: [] for name in tree.pages}
    for problem in compare_languages(layout):
        name = problem.partition(",")[0]
        found[name if name in found else problem.partition(".md:")[0].rpartition("/")[2]].append(problem)
    return found


@pytest.mark.parametrize("name", DRIFTS)
def test_drift_is_caught_with_its_file_and_line(name: str, problems: Mapping[str, list[str]]) -> None:
    text = "\n".join(problems[name])
    assert DRIFTS[name][2] in text
    assert f"book/en/{name}.md:" in text
    assert f"book/es/{name}.md:" in text


@pytest.mark.parametrize("name", [*AGREE, "index"])
def test_what_may_differ_passes(name: str, problems: Mapping[str, list[str]]) -> None:
    assert problems[name] == []


def test_the_line_is_the_one_at_fault(problems: Mapping[str, list[str]]) -> None:
    (problem,) = problems["formula"]
    assert problem.splitlines()[1:] == [
        "    en  book/en/formula.md:4  x > 0",
        "    es  book/es/formula.md:4  x > 1",
    ]


def test_the_line_of_code_is_the_one_at_fault(problems: Mapping[str, list[str]]) -> None:
    english = (problems["code-indent"][0]).splitlines()[1]
    assert english.startswith("    en  book/en/code-indent.md:")
    assert "z" in english


def test_the_build_fails_on_drift_and_says_it(tree) -> None:
    tree.page("index", "(sec-a)=\n# A\n\nOf $x$.\n", "(sec-a)=\n# A\n\nDe $y$.\n")
    said: list[str] = []
    assert not build(tree.finish().root, say=said.append)
    assert "English and Spanish differ" in said[-1]
    assert "book/es/index.md:4  y" in said[-1]
