"""What a student reads: right, blank, wrong, stopped; nothing of a hidden test but its hint; never a traceback."""

import re
import string
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import minimodel
from coursekit.labs.language import speak, spoken
from coursekit.labs.messages import CATALOGUE
from coursekit.labs.report import WIDTH, CheckFailed, NotStarted

from .student import run_cell

SECRET = "7.125"  # in the hidden tests' inputs and in what they expect
VISIBLE = 'call(np.array([2.0, 4.0])).gives([1, 2], en="Halve it.", es="Divide entre dos.")'
HIDDEN = f'call.hide()\n    call(np.array([2 * {SECRET}])).gives([{SECRET}], en="Halve it all.", es="Divide todo.")'


def outcome(code: str, *checks: str, given: tuple[str, ...] = (), name: str = "half") -> CheckFailed | None:
    """The report on ``code``, an answer cell, by a test cell with these checks of the function called ``name``."""
    names: dict[str, Any] = {}
    run_cell("import numpy as np\nimport random, sys, warnings", names, "<set-up>")
    run_cell(code, names, "<answer>")
    test = f"from coursekit.labs.check import check\nwith check('{name}', given={given}) as call:\n    "
    try:
        run_cell(test + "\n    ".join(checks or (VISIBLE, HIDDEN)), names, "<test>")
    except CheckFailed as report:
        return report
    return None


def text(report: CheckFailed | None) -> str:
    """All that the report shows, its lines joined and its colours left out."""
    assert report is not None
    return " ".join(re.sub(r"\x1b\[[\d;]*m", "", report.text).split())


def test_a_right_answer_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome("def half(x): return x / 2") is None
    assert capsys.readouterr().out == "✓ half: every check here passes.\n"


@pytest.mark.parametrize(("lang", "words"), [("en", "is not started yet"), ("es", "está sin empezar")])
def test_blank_is_not_started(lang: str, words: str) -> None:
    speak(lang)
    report = outcome("def half(x):\n    raise NotImplementedError")
    assert isinstance(report, NotStarted)
    assert words in text(report)


def test_a_function_that_was_never_run_is_not_started_either() -> None:
    report = outcome("pass")
    assert isinstance(report, NotStarted)
    assert "Run the cell that defines it" in text(report)


def test_a_name_that_was_overwritten_is_told() -> None:
    assert "Its name now holds 3.5" in text(outcome("half = 3.5"))


def test_a_function_that_calls_an_unwritten_one_names_it() -> None:
    report = outcome("def other(x):\n    raise NotImplementedError\ndef half(x):\n    return other(x)")
    assert isinstance(report, NotStarted)
    assert "half calls other, which is not written yet" in text(report)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "✗ half is not right yet. the call half(array([2., 4.])) gave [6, 12] expected [1, 2] Halve it."),
        ("es", "✗ half aún no es correcta. la llamada half(array([2., 4.])) dio [6, 12] se esperaba [1, 2] Divide"),
    ],
)
def test_a_wrong_value_shows_call_result_expectation_and_hint(lang: str, words: str) -> None:
    speak(lang)
    assert words in text(outcome("def half(x): return 3 * x"))


@pytest.mark.parametrize(
    "code",
    [
        "def half(x): return x / 2 if len(x) > 1 else x",
        "def half(x): return x / 2 if len(x) > 1 else None",
        "def half(x): return x / 2 if len(x) > 1 else print(x)",
        "def half(x): return x / 2 if len(x) > 1 else [[x[0] / 2]]",
        "def half(x): return x / 2 if len(x) > 1 else str(x)",
        "def half(x):\n    if len(x) > 1: return x / 2\n    raise KeyError(x)",
        "def half(x):\n    y = x / 2\n    x *= 1 - 2 * (len(x) == 1)\n    return y",
        "def half(x):\n    if len(x) == 1: np.random.random()\n    return x / 2",
    ],
)
def test_a_hidden_test_gives_away_neither_input_nor_expectation(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = outcome(code)
    shown = text(report) + str(report) + repr(report) + "".join(capsys.readouterr())
    assert "a case that the notebook does not show" in shown
    assert SECRET not in shown
    assert str(2 * float(SECRET)) not in shown
    assert report is not None
    assert report.__cause__ is None
    assert report.__suppress_context__ or report.__context__ is None


def test_a_hidden_test_that_fails_gives_its_hint() -> None:
    assert "Halve it all." in text(outcome("def half(x): return x / 2 if len(x) > 1 else x"))


def test_an_error_shows_where_it_arose() -> None:
    shown = text(outcome("def half(x):\n    y = 2\n    return y + len"))
    assert "raised TypeError: unsupported operand type(s) for +" in shown
    assert "your line 3 return y + len" in shown
    assert "Halve it." in shown


def test_an_error_in_a_hidden_test_shows_the_line_but_not_the_message() -> None:
    shown = text(outcome("def half(x):\n    if len(x) > 1: return x / 2\n    raise KeyError('a message')"))
    assert "raised KeyError your line 3 raise KeyError('a message') Halve it all." in shown


def test_a_line_of_the_test_itself_is_not_taken_for_the_students() -> None:
    shown = text(outcome("def half(x): return x / 2", 'call(2).satisfies(lambda result: result[0], en="", es="")'))
    assert "raised" in shown
    assert "your line" not in shown


def test_a_slip_of_the_pen_comes_without_a_hint_about_the_idea() -> None:
    shown = text(outcome("def half(x): return x / tow"))
    assert "NameError: name 'tow' is not defined" in shown
    assert "Halve it." not in shown


def test_a_list_that_was_not_made_an_array_is_told() -> None:
    shown = text(outcome("def half(x): return x / 2", VISIBLE.replace("np.array([2.0, 4.0])", "[2, 4]")))
    assert "lists do no arithmetic" in shown


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("np.array([2.0, 4.0])", "def half(x):\n    x /= 2\n    return x"),
        ("[2, 4]", "def half(x):\n    x.append(0)\n    return [1, 2]"),
        ("[[2], [4]]", "def half(x):\n    x[0][0] = 0\n    return [1, 2]"),
        ("(np.array([2.0, np.nan]), 4)", "def half(x):\n    x[0][1] = 0\n    return [1, 2]"),
        ("[np.zeros(1), 4]", "def half(x):\n    x[0] = 0.0\n    return [1, 2]"),
        ("[0.0, 4]", "def half(x):\n    x[0] = np.zeros(1)\n    return [1, 2]"),
        ("{'a': [2, 4]}", "def half(x):\n    x['a'].pop()\n    return [1, 2]"),
    ],
)
def test_an_argument_that_was_changed_is_told(call: str, code: str) -> None:
    check = VISIBLE.replace("np.array([2.0, 4.0])", call)
    assert "still belongs to the caller" in text(outcome(code, check))


def test_arguments_are_the_callers_own_again_in_the_next_call() -> None:
    twice = "x = np.array([2.0, 4.0])\n    " + VISIBLE.replace("np.array([2.0, 4.0])", "x")
    assert outcome("def half(x): return x / 2", twice, twice) is None


@pytest.mark.parametrize("chance", ["np.random.rand()", "random.random()", "np.random.seed(1)"])
def test_global_random_state_is_not_to_be_touched(chance: str) -> None:
    assert "global random state" in text(outcome(f"def half(x):\n    {chance}\n    return x / 2"))


def test_a_generator_of_its_own_is_nobodys_business() -> None:
    assert outcome("def half(x):\n    np.random.default_rng().random()\n    return x / 2") is None


def test_warnings_and_stderr_cost_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code = "def half(x):\n    warnings.warn('w')\n    print('e', file=sys.stderr)\n    np.log(0 * x)\n    return x / 2"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a student who turned warnings into errors pays nothing either
        with np.errstate(all="raise"):
            assert outcome(code) is None
    assert capsys.readouterr().err == ""


def test_a_print_is_seen_except_in_hidden_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome("def half(x):\n    print('got', x)\n    return x / 2") is None
    assert capsys.readouterr().out.splitlines()[0] == "got [2. 4.]"
    assert outcome("def half(x):\n    print('got', x)\n    return x / 2", HIDDEN) is None
    assert "got" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "words"), [("KeyboardInterrupt", "Does a loop in it never end?"), ("SystemExit", "raised SystemExit")]
)
def test_what_would_end_the_kernel_or_the_cell_is_a_report(error: str, words: str) -> None:
    assert words in text(outcome(f"def half(x):\n    raise {error}"))


def test_a_result_of_the_wrong_kind_or_shape_is_told() -> None:
    assert "gave None expected [1, 2] The function ends without" in text(outcome("def half(x): x / 2"))
    assert "neither a number nor an array" in text(outcome("def half(x): return str(x)"))
    assert "an axis too many" in text(outcome("def half(x): return (x / 2)[None]"))
    assert "1 (one number) expected [1, 2] (shape (2,))" in text(outcome("def half(x): return x[0] / 2"))


def test_several_results_are_compared_one_by_one() -> None:
    check = 'call(2.0).gives((np.array(1.0), (np.array([2.0]), np.array([3.0]))), en="The last.", es="")'
    assert outcome("def half(x): return x / 2, [[x], [3]]", check) is None
    assert outcome("def half(x): return x / 2, np.array([[x], [3]])", check) is None
    assert "gave (1.0, [[2.0], [4]]) expected (1, ([2], [3])) The last." in text(
        outcome("def half(x): return x / 2, [[x], [4]]", check)
    )
    for wrong in ("x / 2", "(x / 2, 3)", "(x / 2, [[x], [3], 4])"):
        assert "“return a, b”" in text(outcome(f"def half(x): return {wrong}", check))


def test_a_list_in_a_set_is_told() -> None:
    shown = text(outcome("def half(x): return len(set(x)) / len(x)", 'call([[1], [2]]).gives(1, en="", es="")'))
    assert "a tuple made of it" in shown
    assert "lists do no arithmetic" not in shown


def test_an_axis_that_is_not_there_is_told() -> None:
    assert "axis=-1 is the last one" in text(outcome("def half(x): return x / x.sum(axis=1)"))


def test_a_function_in_a_call_is_shown_by_its_name() -> None:
    checks = ("def even(x): return x % 2 == 0", 'call(3, even).gives(1, en="", es="")')
    assert "half(3, even)" in text(outcome("def half(x, f): return 2", *checks))


def test_an_id_is_an_integer_of_any_kind() -> None:
    check = 'call([3.0, 4.0]).gives_id(1, en="", es="")'
    for one in ("1", "np.int64(1)", "np.array(1)", "np.argmax(x)"):
        assert outcome(f"def half(x): return {one}", check) is None
    assert "1, not 1.0" in text(outcome("def half(x): return 1.0", check))
    assert "gave 0 expected 1" in text(outcome("def half(x): return 0", check))


def test_a_refusal_is_a_value_error_and_no_other() -> None:
    check = 'call(-1).is_refused(en="Refuse it.", es="")'
    assert outcome("def half(x): raise ValueError", check) is None
    assert "gave -0.5 expected a ValueError Refuse it." in text(outcome("def half(x): return x / 2", check))
    assert "gave None expected a ValueError Refuse it." in text(outcome("def half(x): return None", check))
    assert "expected a ValueError raised KeyError" in text(outcome("def half(x): raise KeyError(x)", check))
    assert isinstance(outcome("def half(x): raise NotImplementedError", check), NotStarted)


def test_a_condition_is_put_in_words_by_its_hint() -> None:
    check = 'call(-1).satisfies(lambda result: result >= 0, en="Never negative.", es="")'
    assert outcome("def half(x): return 0", check) is None
    assert "gave -0.5 Never negative." in text(outcome("def half(x): return x / 2", check))


def test_given_parts_are_lent_for_the_call_and_taken_back() -> None:
    code = "def entropy(p): return 99\ndef half(x): return [entropy([.5, .5]), softmax([0, 0])[0]]"
    check = 'call(0).gives([np.log(2), 0.5], en="", es="")'
    names = 'call(0).satisfies(lambda _: entropy(0) == 99 and "softmax" not in globals(), en="", es="")'
    assert outcome(code, check, names, given=("entropy", "softmax")) is None
    broken = outcome(code.replace("[0, 0]", "[0, np.nan]"), check, given=("entropy", "softmax"))
    assert "raised ValueError" in text(broken)


BORROWINGS = {
    "its name": "from minimodel import entropy as half",
    "a wrapper": "import minimodel\ndef half(x): return minimodel.entropy(x)",
    "a part of another": "import minimodel\ndef half(x): return np.log(minimodel.perplexity(x))",
    "a reference kept": "import minimodel\nkept = [minimodel.entropy]\ndef half(x): return list(map(kept[0], [x]))[0]",
}


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("code", BORROWINGS.values(), ids=BORROWINGS)
@pytest.mark.parametrize("hide", ["", "call.hide()\n    "])
def test_minimodels_own_function_earns_nothing_and_is_told(code: str, hide: str, lang: str) -> None:
    speak(lang)
    code = code.replace("half", "entropy")
    check = hide + 'call([0.5, 0.5]).gives(np.log(2), en="", es="")'
    shown = text(outcome(code, check, name="entropy"))
    headline = {"en": "✗ entropy is minimodel's work, not yours yet.", "es": "✗ entropy es obra de minimodel"}
    assert shown.startswith(headline[lang])
    assert {"en": "calls minimodel.entropy, which earns no points", "es": "Llama a minimodel.entropy"}[lang] in shown


def test_minimodel_under_another_name_is_told_too() -> None:
    shown = text(
        outcome(
            "from minimodel import loop_length as find_loop", 'call([1, 1]).gives(1, en="", es="")', name="find_loop"
        )
    )
    assert "calls minimodel.loop_length" in shown


def test_what_is_barred_is_back_after_the_call_whatever_happened_in_it() -> None:
    for code in ("def entropy(x): return 0", "def entropy(x): raise KeyError", "from minimodel import entropy"):
        outcome(code, 'call([0.5, 0.5]).gives(0, en="", es="")', name="entropy")
        assert minimodel.entropy([0.5, 0.5], base=2) == 1


def test_the_rest_of_minimodel_may_be_used_and_so_may_a_model_that_is_given() -> None:
    code = "import minimodel\ndef log_softmax(m): return np.log(minimodel.softmax(m(np.array([5]))[-1]))"
    check = 'call(model).gives(minimodel.log_softmax(model(np.array([5]))[-1]), en="", es="")'
    set_up = "import minimodel; model = minimodel.MiniGPT.load('en'); " + check
    assert outcome(code, set_up, name="log_softmax") is None


def test_a_report_fits_in_the_width_that_nbgrader_leaves() -> None:
    report = CheckFailed("word " * 40, "word " * 60, (("a label", "word " * 60), ("another", "one\ntwo")))
    lines = re.sub(r"\x1b\[[\d;]*m", "", report.text).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[lines.index("  another   one") + 1] == "            two"


def test_every_message_has_both_languages_with_the_same_places() -> None:
    def places(message: str) -> set[str]:
        return {place for _, place, _, _ in string.Formatter().parse(message) if place}

    for key, message in CATALOGUE.items():
        assert message.keys() == {"en", "es"}, key
        assert places(message["en"]) == places(message["es"]), key


def test_language_is_the_set_one_else_the_notebooks_else_english(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_LANG")
    monkeypatch.setenv("JPY_SESSION_NAME", "labs/es/lab.ipynb")
    assert spoken() == "en"
    for content, lang in (('{"metadata": {"lang": "es"}}', "es"), ('{"metadata": {}}', "en"), ("no JSON", "en")):
        (tmp_path / "lab.ipynb").write_text(content)
        assert spoken() == lang
    monkeypatch.setenv("COURSE_LANG", "es")
    assert spoken() == "es"
    with pytest.raises(ValueError, match="'fr'"):
        speak("fr")


def test_importing_the_checks_costs_a_student_nothing_heavy() -> None:
    heavy = "{'torch', 'matplotlib', 'nbgrader', 'nbformat', 'jupytext', 'anywidget'}"
    code = f"import sys, coursekit.labs.check; print({heavy} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
