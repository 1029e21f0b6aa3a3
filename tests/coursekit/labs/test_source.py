"""A lab's source is read as it was written, and refused, with file and line, where it is not what a lab has to be."""

from pathlib import Path

import pytest

from coursekit.labs.notebooks import instructor_notebook
from coursekit.labs.rules import check_lab
from coursekit.labs.source import LabError, read_lab

LAB = '''\
---
kernelspec: {name: python3, display_name: Python 3, language: python}
---

+++ {"lang": "en"}

# A lab

Its text.

+++ {"lang": "es"}

# Un laboratorio

```{code-cell} ipython3
:tags: [remove-cell]

label = "one"  #:en:
label = "uno"  #:es:
```

```{code-cell} ipython3
:solution: half

def half(x):
    """Half of x."""  #:en:
    """La mitad de x."""  #:es:
    ### BEGIN SOLUTION
    return x / 2  # the answer  #:en:
    return x / 2  # la respuesta  #:es:
    ### END SOLUTION
```

```{code-cell} ipython3
:test: half
:points: 2

with check("half") as call:
    call(2).gives(1, en="Halve it.", es="Divide entre dos.")
    ### BEGIN HIDDEN TESTS
    call.hide()
    call(0).gives(0, en="", es="")
    ### END HIDDEN TESTS
```

+++ {"lang": "en"}

The end.

+++ {"lang": "es"}

Fin.
'''


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "00-half.md"
    path.write_text(LAB, encoding="utf-8")
    return path


def test_a_lab_is_read_cell_by_cell(written: Path) -> None:
    lab = read_lab(written)
    check_lab(lab)
    assert (lab.name, lab.title) == ("00-half", {"en": "A lab", "es": "Un laboratorio"})
    assert [cell.role for cell in lab.cells] == ["prose", "code", "solution", "test", "prose"]
    assert lab.cells[0].text == {"en": "# A lab\n\nIts text.", "es": "# Un laboratorio"}
    assert lab.cells[1].text == {"en": 'label = "one"', "es": 'label = "uno"'}
    assert lab.cells[1].tags == ("remove-cell",)
    assert '"""La mitad de x."""\n    ### BEGIN' in lab.cells[2].text["es"]
    assert "return x / 2  # the answer\n" in lab.cells[2].text["en"]
    assert (lab.cells[3].function, lab.cells[3].points) == ("half", 2)
    assert lab.cells[4].text["es"] == "Fin."


TWIN = '+++ {"lang": "es"}\n\nFin.\n'
WHOLE_TEST = LAB[LAB.index("```{code-cell} ipython3\n:test") : LAB.index('+++ {"lang": "en"}\n\nThe end')]
WHOLE_SOLUTION = LAB[LAB.index("```{code-cell} ipython3\n:solution") : LAB.index("```{code-cell} ipython3\n:test")]


SOLUTION, TEST, CODE, PROSE = ":solution:", ":test:", ":tags:", '+++ {"lang": "en"}'


@pytest.mark.parametrize(
    ("old", "new", "problem", "below"),
    [
        (TWIN, "", 'needs its twin here: +++ {"lang": "es"}', PROSE),
        (TWIN, TWIN.replace("es", "fr"), 'needs its twin here: +++ {"lang": "es"}', '+++ {"lang": "fr"}'),
        (PROSE + "\n\nThe", "+++\n\nThe", 'prose has to begin with +++ {"lang": "en"}', "+++"),
        (PROSE + "\n\nThe", "The", 'prose has to begin with +++ {"lang": "en"}', "```"),
        (PROSE + "\n\nThe", TWIN + "The", 'prose has to begin with +++ {"lang": "en"}', '+++ {"lang": "es"}'),
        ("# Un laboratorio", "Un laboratorio", "a lab opens with its title, '# …', in each language", PROSE),
        ("kernelspec: {name: python3, display_name: Python 3, language: python}", "a: b", "no 'kernelspec'", "---"),
        ("+++ {", "+++ {lang: ", "could not be read", "---"),
        ('"uno"  #:es:', '"uno"  #:fr:', "ends in no language of the course (en, es)", CODE),
        (":points: 2\n", "", "a test has to have ':points:' above 0, not None", TEST),
        (":points: 2", ":points: 0", "above 0, not 0", TEST),
        (":points: 2", ":points: two", "above 0, not 'two'", TEST),
        (":solution: half", ":solution: half\n:points: 2", "a solution cell takes no option 'points'", SOLUTION),
        (":tags:", ":tag:", "a code cell takes no option 'tag'", ":tag:"),
        (WHOLE_SOLUTION, "", "this test of 'half' has no solution before it", TEST),
        (WHOLE_SOLUTION + WHOLE_TEST, WHOLE_TEST + WHOLE_SOLUTION, "this test of 'half' has no solution", TEST),
        (WHOLE_TEST, "", "the solution of 'half' has no test", SOLUTION),
        (WHOLE_TEST, WHOLE_TEST * 2, "a second test of 'half'", TEST),
        (WHOLE_SOLUTION, WHOLE_SOLUTION * 2, "a second solution of 'half'", SOLUTION),
        ("    ### END SOLUTION\n", "", "unbalanced marks: '### BEGIN SOLUTION'", SOLUTION),
        ("    ### BEGIN SOLUTION\n", "", "unbalanced marks: '### BEGIN SOLUTION'", SOLUTION),
        ("### END SOLUTION", "### BEGIN SOLUTION", "unbalanced marks", SOLUTION),
        ("    ### BEGIN SOLUTION\n", "    ### BEGIN SOLUTION\n" * 2, "unbalanced marks", SOLUTION),
        ("### BEGIN SOLUTION", "# BEGIN SOLUTION", "unbalanced marks", SOLUTION),
        ("    ### END HIDDEN TESTS\n", "", "unbalanced marks: '### BEGIN HIDDEN TESTS'", TEST),
        (
            ":tags: [remove-cell]",
            ":tags: []\n### BEGIN SOLUTION",
            "belongs in a solution cell, and this is a code",
            CODE,
        ),
        (":solution: half", ":solution: half\n### BEGIN HIDDEN TESTS", "belongs in a test cell", SOLUTION),
        ("    call.hide()\n", "", "hidden tests have to begin with 'call.hide()'", TEST),
        ("def half", "def halve", "has to define 'half' alone, defines ['halve']", SOLUTION),
        ("x / 2  # la respuesta", "x / 3  # la respuesta", "do not make the same code", SOLUTION),
        ("    return x / 2  # la respuesta  #:es:\n", "", "do not make the same code", SOLUTION),
        ('label = "uno"', "etiqueta = 'uno'", "do not make the same code", CODE),
        ('label = "one"', "label = ", "not Python: invalid syntax (line 1 of the cell)", CODE),
        ("    call(2)", "    # two  #:en:\n    call(2)", "a test has no lines of one language", TEST),
    ],
)
def test_a_broken_lab_is_refused_where_it_breaks(written: Path, old: str, new: str, problem: str, below: str) -> None:
    """``below`` is in the line that the message names, or in the one under it, the first of a code cell's options."""
    assert old in LAB
    written.write_text(LAB.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LabError) as refusal:
        check_lab(read_lab(written))
    path, _, said = str(refusal.value).partition(", line ")
    number, _, said = said.partition(": ")
    assert path == str(written)
    assert problem in said
    assert below in "\n".join(written.read_text(encoding="utf-8").splitlines()[int(number) - 1 :][:2])


def test_an_answer_without_marks_is_refused(written: Path) -> None:
    marks = ("    ### BEGIN SOLUTION\n", "    ### END SOLUTION\n")
    written.write_text(LAB.replace(marks[0], "").replace(marks[1], ""), encoding="utf-8")
    with pytest.raises(LabError, match="a solution cell has to hold '### BEGIN SOLUTION'"):
        check_lab(read_lab(written))


ANSWER = '+++ {"lang": "en", "written": "why", "points": 2}\n\nBecause.\n'
RESPUESTA = '+++ {"lang": "es", "written": "why", "points": 2}\n\nPorque sí.\n'


def test_a_model_answer_in_words_is_read_with_its_twin(written: Path) -> None:
    written.write_text(f"{LAB}\n{ANSWER}\n{RESPUESTA}", encoding="utf-8")
    lab = read_lab(written)
    check_lab(lab)
    answer = lab.cells[-1]
    assert (answer.role, answer.function, answer.points) == ("written", "why", 2)
    assert answer.text == {"en": "Because.", "es": "Porque sí."}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (RESPUESTA, "", 'needs its twin here: +++ {"written": "why", "points": 2, "lang": "es"}'),
        (RESPUESTA, RESPUESTA.replace("why", "how"), 'needs its twin here: +++ {"written": "why", "points": 2'),
        (RESPUESTA, RESPUESTA.replace("2", "3"), 'needs its twin here: +++ {"written": "why", "points": 2'),
        (', "points": 2', "", "prose has to begin with"),
        ('"points": 2', '"points": 0', 'a written answer has to have "points" above 0, not 0'),
        ('"why"', '"half"', "a second written of 'half'"),
    ],
)
def test_a_broken_answer_in_words_is_refused(written: Path, old: str, new: str, problem: str) -> None:
    both = f"{ANSWER}\n{RESPUESTA}"
    written.write_text(f"{LAB}\n{both.replace(old, new)}", encoding="utf-8")
    with pytest.raises(LabError) as refusal:
        check_lab(read_lab(written))
    assert problem in str(refusal.value)


HEAD = '+++ {"lang": "%s", "for": "instructors"}\n\n'
NOTES = f"{HEAD % 'en'}Take an hour.\n\n{HEAD % 'es'}Una hora.\n"


def test_a_teaching_note_is_read_with_its_twin_and_is_in_no_notebook(written: Path) -> None:
    written.write_text(f"{LAB}\n{NOTES}", encoding="utf-8")
    lab = read_lab(written)
    check_lab(lab)
    assert (lab.cells[-1].role, lab.cells[-1].text) == ("note", {"en": "Take an hour.", "es": "Una hora."})
    assert "hour" not in instructor_notebook(lab, "en")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"es", "for": "instructors"', '"es"', 'needs its twin here: +++ {"for": "instructors", "lang": "es"}'),
        ('"instructors"', '"everybody"', "prose has to begin with"),
    ],
)
def test_a_broken_teaching_note_is_refused(written: Path, old: str, new: str, problem: str) -> None:
    written.write_text(f"{LAB}\n{NOTES.replace(old, new)}", encoding="utf-8")
    with pytest.raises(LabError) as refusal:
        check_lab(read_lab(written))
    assert problem in str(refusal.value)
