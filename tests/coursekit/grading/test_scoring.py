"""The tests' side and the student's, joined by a channel but without a sandbox: what a test cell sees of a function."""

import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coursekit.grading.limits import Limits
from coursekit.grading.runner import Snapshot
from coursekit.grading.scoring import Item, Student, Verdict, score
from coursekit.grading.wire import WireError
from coursekit.labs.check import check

NAMES = ("f", "entropy", "value")


@contextmanager
def student(code: str, limits: Limits | None = None) -> Iterator[Student]:
    """The tests' end of a channel to a snapshot, in a thread, of what ``code`` defines."""
    names: dict[str, Any] = {"np": np}
    exec(code, names)
    left, right = socket.socketpair()

    def serve() -> None:
        with suppress(WireError):
            Snapshot(right, names).serve()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield Student(left, NAMES, limits or Limits())
    finally:
        left.close()
        thread.join()
        right.close()


def verdict(code: str, test: str, points: float = 2.0, limits: Limits | None = None, lang: str = "en") -> Verdict:
    with student(code, limits) as there:
        return score(
            Item("test_f", points, "import numpy as np\nfrom coursekit.labs.check import check\n" + test), there, lang
        )


def checked(code: str, check: str, given: tuple[str, ...] = ()) -> Verdict:
    return verdict(code, f"with check('f', given={given!r}) as call:\n    {check}")


RESULTS = {
    "int": "1", "float": "1.0", "bool": "True", "np.int64": "np.int64(1)", "np.float32": "np.float32(1)",
    "None": "None", "list": "[1, 2.0]", "tuple": "(1, [2])", "array": "np.array([1, 2])", "float32": "np.ones(2, 'f4')",
    "keepdims": "np.ones((2, 1))", "nan": "np.nan", "text": "'one'", "object": "object()", "function": "len",
    "named tuple": "__import__('collections').namedtuple('P', 'x')(1)", "generator": "(i for i in range(2))",
    "objects": "np.array([1, 2.0], dtype=object)", "fraction": "__import__('fractions').Fraction(1)",
    "decimal": "__import__('decimal').Decimal(1)", "enum": "__import__('enum').IntEnum('E', 'one').one",
    "own float": "type('F', (float,), {})(1)", "deque": "__import__('collections').deque([1, 2])",
    "user list": "__import__('collections').UserList([1, 2])", "bytes": "__import__('array').array('d', [1, 2])",
    "own text": "type('T', (str,), {})('1')",
}  # fmt: skip
EXPECTED = {"gives(1": "1", "gives([1, 2]": "[1, 2]", "gives_id(1": "1", "gives(np.ones(2)": "ones"}


@pytest.mark.parametrize("expected", EXPECTED)
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_result_is_judged_as_in_the_notebook(result: str, expected: str) -> None:
    code, test = f"def f(): return {result}", f"call().{expected}, en='Hint.', es='Pista.')"
    names: dict[str, Any] = {"np": np, "check": check}
    exec(code, names)
    try:
        exec(f"with check('f') as call:\n    {test}", names)
        there = ""
    except AssertionError as error:
        there = str(error)
    graded = checked(code, test)
    assert (graded.kind == "right") == (there == "")
    assert graded.kind == "right" or graded.outputs[0]["evalue"] == there


def test_an_error_tells_the_students_line_and_the_hint() -> None:
    graded = checked("def f(x): return {}[x]", "call(3).gives(1, en='The third.', es='La tercera.')")
    assert (graded.kind, graded.points, graded.hint) == ("error", 0, "The third.")
    assert "KeyError: 3" in "\n".join(graded.outputs[0]["traceback"])


@pytest.mark.parametrize("error", ["ValueError('no')", "__import__('json').JSONDecodeError('no', '', 0)"])
def test_a_refusal_counts(error: str) -> None:
    assert checked(f"def f(x): raise {error}", "call(0).is_refused(en='', es='')").kind == "right"


@pytest.mark.parametrize(
    "error", ["KeyError(0)", "SystemExit", "KeyboardInterrupt", "type('ValueError', (Exception,), {})"]
)
def test_another_error_is_no_refusal(error: str) -> None:
    assert checked(f"def f(x): raise {error}", "call(0).is_refused(en='', es='')").kind == "error"


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("def f(x, y): x += 1; return x", "writes into the array or list"),
        ("def f(x, y): y.append(1); return x + 1", "writes into the array or list"),
        ("def f(x, y): y[0]['k'] = 9; return x + 1", "writes into the array or list"),
        ("def f(x, y): np.random.seed(3); return x + 1", "global random state"),
        ("import random\ndef f(x, y): random.random(); return x + 1", "global random state"),
        ("def f(x, y): x = x + 1; y = y + [1]; return x", None),
    ],
)
def test_what_else_a_function_does_is_noticed(code: str, hint: str | None) -> None:
    graded = checked(code, "call(np.zeros(2), [{'k': 1}]).gives([1, 1], en='', es='')")
    assert (hint in graded.hint) if hint else graded.kind == "right"


MODEL = """
class Model:
    eos_id, sizes = 0, {"layers": 2}
    def __init__(self): self.seen = []
    def __call__(self, ids):
        self.seen.append(list(ids))
        return np.arange(3.0) + len(ids)
    def cache(self): return lambda key: self.seen[key]
model = Model()
"""


def test_a_model_is_called_and_asked_where_the_tests_are() -> None:
    code = (
        "def f(model, ids): model(ids); return [model.eos_id, model.sizes['layers'], model.cache()(0), model([1])[0]]"
    )
    test = (
        "call(model, [4, 5]).satisfies(lambda got: got == [0, 2, [4, 5], 1.0] and len(model.seen) == 2, en='', es='')"
    )
    assert verdict(code, f"{MODEL}\nwith check('f') as call:\n    {test}").kind == "right"


@pytest.mark.parametrize("name", ["_seen", "__class__", "__dict__", "__init__"])
def test_a_models_insides_are_its_own(name: str) -> None:
    code = f"def f(model): return model._peer.get(model._ref, {name!r})"
    graded = verdict(code, f"{MODEL}\nwith check('f') as call:\n    call(model).gives(1, en='', es='')")
    assert "AttributeError" in "\n".join(graded.outputs[0]["traceback"])


@pytest.mark.parametrize("insider", ["__import__('os')", "type", "__import__('io').StringIO()"])
def test_modules_classes_and_files_never_reach_a_student(insider: str) -> None:
    graded = checked("def f(x): return 1", f"call({insider}).gives(1, en='', es='')")
    assert graded.kind != "right"


def test_what_a_student_returns_may_be_called_and_passed_back() -> None:
    code = "class Cache: n = 0\ndef f(c=None):\n    c = c or Cache()\n    c.n += 1\n    return c, lambda k: c.n + k"
    test = "cache, add = f()\ncache, add = f(cache)\nassert add(10) == 12"
    assert verdict(code, test).kind == "right"


def test_an_error_of_the_tests_own_comes_back_as_it_was() -> None:
    test = "class Mine(Exception): pass\ndef stop(i): raise Mine('here')\ntry:\n    f(stop)\nexcept Mine:\n    pass"
    assert verdict("def f(stop): return stop(1)", test).kind == "right"


def test_given_functions_stand_in_for_the_students() -> None:
    code = "def entropy(p): return -1\ndef f(p): return 2 * entropy(p)"
    own = "call([0.5, 0.5]).gives(2 * np.log(2), en='', es='')"
    assert checked(code, own, given=("entropy",)).kind == "right"
    assert checked(code, own).kind == "wrong"
    assert checked("def f(p): return 2 * entropy(p)", own, given=("entropy",)).kind == "right"


@pytest.mark.parametrize(
    ("code", "kind"),
    [("", "missing"), ("def f(): raise NotImplementedError", "not_started"), ("f = 3", "wrong")],
)
def test_what_is_not_there_yet_is_told_apart(code: str, kind: str) -> None:
    assert checked(code, "call().gives(1, en='', es='')").kind == kind


@pytest.mark.parametrize(
    ("last", "points"),
    [("0.5", 0.5), ("float(7)", 2), ("-1.0", 0), ("float('nan')", 0), ("1", 2), ("np.float64(0)", 2), ("None", 2)],
)
def test_partial_credit_is_a_plain_float_at_the_end(last: str, points: float) -> None:
    graded = verdict("", last)
    assert graded.points == points
    shown = [output["data"]["text/plain"] for output in graded.outputs]
    assert shown == ([repr(float(points))] if ("float" in last and "np" not in last) or last in ("0.5", "-1.0") else [])


def test_a_value_that_a_solution_defines_can_be_tested() -> None:
    assert verdict("value = [1, np.ones(2)]", "assert value[1].tolist() == [1, 1]").kind == "right"


def test_an_endless_call_ends_and_nothing_more_is_called() -> None:
    code = "import time\ndef f(): time.sleep(1)"
    graded = verdict(
        code, "with check('f') as call:\n    call().gives(1, en='', es='')", limits=Limits(call_seconds=0.2)
    )
    assert (graded.kind, graded.hint) == ("timeout", "Does a loop in it never end?")


def test_a_function_that_came_to_no_end_is_not_called_again() -> None:
    calls: list[int] = []
    code = "import time\ndef f(called): called(); time.sleep(1)"
    test = "def called(): calls.append(1)\nfor _ in range(3):\n    try: f(called)\n    except BaseException: pass"
    with student(code, Limits(call_seconds=0.2)) as there:
        there.names["calls"] = calls
        score(Item("test_f", 1, test), there, "en")
    assert calls == [1]


SHORT = Limits(call_seconds=0.3, test_seconds=0.6, grace_seconds=0.1)


@pytest.mark.parametrize(
    ("code", "lent"),
    [
        ("def f(model):\n    while True: model(1)", "def model(n): return n"),
        ("def f(model): return model(10**12)", "def model(n):\n    while n: n -= 1"),
        (
            "def f(model):\n    try: return model(10**12)\n    except BaseException: return model(10**12)",
            "def model(n):\n    try:\n        while n: n -= 1\n    except Exception: return 0",
        ),
        ("def f(model): return 10**12", "def model(n): return n\ndef half(n):\n    while n: n -= 1"),
    ],
    ids=["called-without-end", "kept-busy", "kept-busy-twice", "in-the-test-itself"],
)
def test_nothing_that_a_student_does_keeps_the_tests_busy_for_long(code: str, lent: str) -> None:
    began = time.monotonic()
    graded = verdict(code, f"{lent}\ngot = f(model)\nif 'half' in dir(): half(got)", limits=SHORT)
    assert (graded.kind, graded.points) == ("timeout", 0)
    assert time.monotonic() - began < 30  # it would be a day


def test_no_module_is_left_half_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = "import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass\nwhole = True"
    (tmp_path / "slow_to_import.py").write_text(slow, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    verdict("", "import slow_to_import", limits=SHORT)
    assert sys.modules.pop("slow_to_import").whole


@pytest.mark.parametrize(("waits", "starved"), [("time.sleep(1)", True), ("while time.monotonic() < end: pass", False)])
def test_who_ran_out_of_time_without_the_processor_is_told_apart(waits: str, starved: bool) -> None:
    code = f"import time\ndef f():\n    end = time.monotonic() + 1\n    {waits}"
    with student(code, Limits(call_seconds=0.5)) as there:
        there._spent = lambda: 0 if starved else time.monotonic()  # a busy machine, and one of its own
        assert score(Item("test_f", 1, "f()"), there, "en").starved == starved


def test_reports_speak_the_notebooks_language() -> None:
    test = "with check('f') as call:\n    call().gives(1, en='One.', es='Uno.')"
    graded = verdict("def f(): return 2", test, lang="es")
    assert graded.hint == "Uno."
    assert "f aún no es correcta" in graded.outputs[0]["evalue"]


def test_chance_on_the_tests_side_is_the_same_each_time() -> None:
    test = "import random\nassert (random.random(), np.random.random()) == (0.8444218515250481, 0.5488135039273248)"
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert verdict("", test).kind == "right"
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_bare_assertions_count_and_show_no_source() -> None:
    graded = verdict("def f(): return 2", "assert f() == 3, 'Three was meant.'")
    assert (graded.kind, graded.hint) == ("wrong", "Three was meant.")
    assert "== 3" not in str(graded.outputs)


def test_an_error_of_the_tests_side_can_be_raised_again_and_not_looked_into() -> None:
    code = """
def f(model):
    try:
        model()
    except Exception as error:
        try:
            return model._peer.get(error._remote_ref, "with_traceback")
        except AttributeError:
            return "refused"
"""
    test = "def model(): raise KeyError('secret')\nassert f(model) == 'refused'"
    assert verdict(code, test).kind == "right"


LENT = ["(i for i in range(2))", "np.zeros(1, 'i4,i4')", "__import__('sys')._getframe()", "open('/dev/null')", "np"]


@pytest.mark.parametrize("value", LENT)
def test_what_leads_to_the_tests_is_not_passed_on(value: str) -> None:
    assert verdict("def f(x): return 1", f"f({value})").kind == "crash"


SAID = {
    "as-a-value": 'return "SAW%d" % x[0]',
    "by-a-shape": "x.resize(x[0], refcheck=False)",
    "as-a-cause": 'raise ValueError("SAW%d" % x[0])',
}


@pytest.mark.parametrize("body", SAID.values(), ids=SAID)
def test_a_hidden_test_without_checks_repeats_nothing_that_was_said(body: str) -> None:
    with student(f"def f(x): {body}") as there:
        graded = score(Item("test_f", 1, "import numpy as np\nint(f(np.array([15838])))"), there, "en", repeat=False)
    assert (graded.kind, graded.points) == ("error", 0)
    assert "15838" not in str(graded)
