"""What the extension puts on every page, in a book of both languages that is built once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from coursekit.site.build import build
from coursekit.site.review import renew

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = """\
(sec-one)=
# One

A first paragraph about {term}`logits`. It has two sentences.

(sec-formula)=
## Formulas

$$
x > 0
$$

:::{quiz} quiz-single
Is $x > 0$ **so**?

A second thought.

- [ ] No: $x$
  It is. See [](#sec-one).
- [x] Yes
  Indeed.

  Twice.
:::

:::{quiz} quiz-several
Which?

- [x] This
  Good.
- [x] That
  Good too.
- [ ] None
  Bad.
:::

:::{quiz} quiz-number
:answer: 0.5
:tolerance: 0.01

How much?

---
Half of $1$.
:::

```{glossary}
logits
  Scores.
```
"""
SPANISH = (
    ENGLISH.replace("# One", "# Uno")
    .replace("## Formulas", "## Fórmulas")
    .replace("A first paragraph about", "Un primer párrafo sobre")
)
WIDGET = """\
(sec-widget)=
# Widget

```{code-cell} python3
:tags: [remove-input]
from IPython.display import display
view = {"model_id": "1", "version_major": 2, "version_minor": 0}
html = '<div class="mm-widget">drawn</div>'
display({"text/html": html, "application/vnd.jupyter.widget-view+json": view, "text/plain": "no"}, raw=True)
```

```{code-cell} python3
:tags: [hide-input]
from ipywidgets import IntSlider
slider = IntSlider()
```
"""
LAB = (
    {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A lab\n\n## Task\n\nWrite."},
    {
        "cell_type": "code",
        "id": "b",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": "raise NotImplementedError",
    },
)


@pytest.fixture(scope="module")
def site(make_tree, tmp_path_factory) -> Path:
    tree = make_tree(tmp_path_factory.mktemp("pages"), execute="cache")
    tree.page("one", ENGLISH, SPANISH)
    tree.page("widget", WIDGET, cells=True)
    tree.lab("01-sweep", *LAB)
    layout = tree.finish()
    said: list[str] = []
    build(layout.root, say=said.append)
    assert "English sections that have changed" in said[-1], "\n".join(said)
    renew(layout)
    said.clear()
    assert build(layout.root, say=said.append), "\n".join(said)
    return layout.site


@pytest.fixture(scope="module")
def english(site: Path) -> str:
    return (site / "en" / "one.html").read_text("utf-8")


@pytest.fixture(scope="module")
def spanish(site: Path) -> str:
    return (site / "es" / "one.html").read_text("utf-8")


def tags(html: str, name: str) -> list[str]:
    return re.findall(rf"<{name}\b[^>]*>", html)


def test_the_switch_is_a_plain_link_to_the_twin(english: str, spanish: str) -> None:
    link = '<a class="language-switch" href="../{0}/one.html" lang="{0}" hreflang="{0}" rel="alternate">{1}</a>'
    assert link.format("es", "Español") in english
    assert link.format("en", "English") in spanish


@pytest.mark.parametrize("page", ["index", "one", "search", "genindex", "labs/01-sweep"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_page_names_its_language_and_both_editions(site: Path, language: str, page: str) -> None:
    html = (site / language / f"{page}.html").read_text("utf-8")
    up = "../" * (page.count("/") + 1)
    assert f'<html lang="{language}"' in html
    assert html.count('class="language-switch"') == 1
    for tag, twin in (("en", "en"), ("es", "es"), ("x-default", "en")):
        assert f'<link rel="alternate" hreflang="{tag}" href="{up}{twin}/{page}.html">' in html


def sections(html: str) -> list[str]:
    return re.findall(r'<section\b[^>]*\bid="([^"]+)"', html)


def test_labels_come_first_in_both_languages(english: str, spanish: str) -> None:
    assert sections(english) == ["sec-one", "sec-formula"]
    assert sections(spanish) == ["sec-one", "sec-formula"]


def test_sections_without_a_label_are_numbered(site: Path) -> None:
    assert sections((site / "en/labs/01-sweep.html").read_text("utf-8")) == ["s1", "s1-1"]


def test_the_first_paragraph_describes_the_page(english: str, spanish: str) -> None:
    assert '<meta name="description" content="A first paragraph about logits. It has two sentences.">' in english
    assert '<meta name="description" content="Un primer párrafo sobre logits. It has two sentences.">' in spanish


def test_the_theme_speaks_the_page_s_language(english: str, spanish: str) -> None:
    assert "Skip to main content" in english
    for word in ("Saltar al contenido principal", 'aria-label="El libro"', "Enlace a esta sección", "Búsqueda"):
        assert word in spanish, word
    for word in ("Toggle", "Link to this", 'aria-label="Main"', 'aria-label="Page"', "Skip to", "pagina"):
        assert word not in spanish, word


def test_formulas_are_drawn_as_the_book_is_built(site: Path, english: str) -> None:
    assert '<div class="math"><math display="block"><mi>x</mi><mo>&gt;</mo><mn>0</mn></math></div>' in english
    assert "mathjax" not in english.lower().replace("mathjax_ignore", "")  # a class that Sphinx gives to every section
    assert (site / "en/_static/stix-two-math.woff").is_file()


def test_no_page_names_a_script_of_another_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        html = page.read_text("utf-8")
        assert not re.search(r"unpkg|jsdelivr|cdnjs|require\.js|html-manager", html), page


def test_a_widget_shows_its_own_markup_and_brings_its_script(site: Path, english: str) -> None:
    html = (site / "en/widget.html").read_text("utf-8")
    assert '<div class="mm-widget">drawn</div>' in html
    assert "vnd.jupyter.widget" not in html
    assert re.search(r'<script async="async" src="_static/minimodel-widgets\.js', html)
    assert (site / "en/_static/minimodel-widgets.js").stat().st_size > 1000
    assert "minimodel-widgets" not in english


def test_a_fold_is_named_by_its_own_words(site: Path) -> None:
    html = (site / "en/widget.html").read_text("utf-8")
    assert "Show the code" in html
    assert "Toggle hidden content" not in html


def test_a_lab_is_shown_unrun_and_can_be_downloaded(site: Path) -> None:
    html = (site / "es/labs/01-sweep.html").read_text("utf-8")
    (link,) = re.findall(r'href="(\.\./_downloads/[^"]+/01-sweep\.ipynb)"', html)
    original = site.parent / "labs/es/01-sweep/01-sweep.ipynb"
    assert (site / "es/labs" / link).resolve().read_bytes() == original.read_bytes()
    assert "Descargar este cuaderno" in html
    assert "NotImplementedError" in html
    assert "Traceback" not in html


def quiz(html: str, name: str) -> str:
    found = re.search(rf'<div class="quiz"[^>]*id="{name}".*?</details>\n</div>', html, re.DOTALL)
    assert found
    return found[0]


def test_one_right_answer_makes_radio_buttons(english: str) -> None:
    html = quiz(english, "quiz-single")
    assert [re.search(r'type="(\w+)"', tag)[1] for tag in tags(html, "input")] == ["radio", "radio"]
    assert 'data-kind="single"' in html
    assert re.findall(r'<div class="quiz-answer" data-right="(\w+)">', html) == ["false", "true"]


def test_several_right_answers_make_checkboxes(english: str) -> None:
    html = quiz(english, "quiz-several")
    assert html.count('type="checkbox"') == 3
    assert 'data-kind="several"' in html


def test_a_number_is_asked_for_in_a_labelled_field(english: str, spanish: str) -> None:
    html = quiz(english, "quiz-number")
    assert 'data-answer="0.5"' in html
    assert 'data-tolerance="0.01"' in html
    assert '<label for="quiz-number-1">Your answer</label><input type="text" id="quiz-number-1"' in html
    assert "inputmode" not in html  # the pad for decimals has no minus sign on every phone
    assert "Tu respuesta" in quiz(spanish, "quiz-number")


@pytest.mark.parametrize("name", ["quiz-single", "quiz-several", "quiz-number"])
def test_a_question_is_valid_html_that_needs_no_script(english: str, name: str) -> None:
    html = quiz(english, name)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label for="([^"]+)"', html)) == set(ids) - {name}
    (legend,) = re.findall(r"<fieldset[^>]*>\s*<legend>(.*?)</legend>", html, re.DOTALL)
    assert legend
    assert not re.search(r"<(p|div|ul|ol|section)\b", legend)
    assert '<div class="quiz-status" role="status"></div>' in html
    assert "hidden>Check</button>" in html
    assert "<summary>Answers</summary>" in html


def test_a_question_may_have_more_paragraphs_and_formulas(english: str) -> None:
    html = quiz(english, "quiz-single")
    assert html.index("</legend>") < html.index("<p>A second thought.</p>") < html.index("quiz-choice")
    assert r"<legend>Is <span class=" in html
    assert r'<label for="quiz-single-1">No: <span class="math"><math><mi>x</mi></math></span>' in html
    assert '<fieldset aria-label="Is x > 0 so?">' in html.replace("&gt;", ">")
    assert 'autocomplete="off" aria-label="No: x">' in html
    assert 'autocomplete="off"><label for="quiz-single-2">Yes' in html
    assert "Twice." in html


def test_the_same_sources_give_the_same_bytes(site: Path, english: str) -> None:
    layout_root = site.parent
    (layout_root / "_build/work/en/good-build").unlink()
    assert build(layout_root, say=lambda _: None)
    assert (site / "en/one.html").read_text("utf-8") == english
