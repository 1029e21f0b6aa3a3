"""What holds of every lab's cells: answers and tests in pairs, marks balanced, twins that run alike."""

import ast

from coursekit.labs.source import Cell, Lab, LabError

SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"


def check_lab(lab: Lab) -> None:
    """Nothing, where ``lab`` keeps every rule.

    Raises:
        LabError: it breaks one, with the line of the cell that does.
    """
    _check_pairs(lab)
    for rule in (_twins_run_alike, _marks_are_in_place, _answer_defines_function, _test_is_shared):
        for cell in lab.cells:
            if cell.role not in ("prose", "written", "note") and (problem := rule(cell)):
                raise LabError(lab.path, cell.line, problem)


def _check_pairs(lab: Lab) -> None:
    """Each function is answered once, then tested once; a written answer bears no function's name."""
    answered, tested = set[str](), set[str]()
    for cell in lab.cells:
        if cell.role in ("solution", "written", "test"):
            seen = tested if cell.role == "test" else answered
            if cell.function in seen:
                raise LabError(lab.path, cell.line, f"a second {cell.role} of {cell.function!r}")
            if cell.role == "test" and cell.function not in answered:
                raise LabError(lab.path, cell.line, f"this test of {cell.function!r} has no solution before it")
            seen.add(cell.function)
    for cell in lab.cells:
        if cell.role == "solution" and cell.function not in tested:
            raise LabError(lab.path, cell.line, f"the solution of {cell.function!r} has no test")


def _twins_run_alike(cell: Cell) -> str | None:
    """Apart from comments and texts, both languages' code is the same."""
    try:
        english, spanish = (_shape(cell.text[lang]) for lang in ("en", "es"))
    except SyntaxError as error:
        return f"not Python: {error.msg} (line {error.lineno} of the cell)"
    return None if english == spanish else "the lines marked #:en: and #:es: do not make the same code"


def _marks_are_in_place(cell: Cell) -> str | None:
    """BEGIN and END come in turn, solutions in a solution cell, hidden tests in a test cell."""
    for mark, home in ((SOLUTION, "solution"), (HIDDEN, "test")):
        marks = [line.strip() for line in cell.text["en"].splitlines() if mark in line]
        if marks and cell.role != home:
            return f"'{marks[0]}' belongs in a {home} cell, and this is a {cell.role} cell"
        if marks != [f"### BEGIN {mark}", f"### END {mark}"] * (len(marks) // 2):
            return f"unbalanced marks: '### BEGIN {mark}' and '### END {mark}' have to come in turn"
    if cell.role == "solution" and SOLUTION not in cell.text["en"]:
        return f"a solution cell has to hold '### BEGIN {SOLUTION}' and '### END {SOLUTION}'"
    return None


def _answer_defines_function(cell: Cell) -> str | None:
    """A solution cell defines the function that it is named after, and nothing else."""
    if cell.role != "solution":
        return None
    defined = [node.name for node in ast.parse(cell.text["en"]).body if isinstance(node, ast.FunctionDef)]
    return None if defined == [cell.function] else f"has to define {cell.function!r} alone, defines {defined}"


def _test_is_shared(cell: Cell) -> str | None:
    """A test cell is the same in both languages, since nbgrader keeps one, and hides what it says is hidden."""
    if cell.role != "test":
        return None
    if cell.text["en"] != cell.text["es"]:
        return "a test has no lines of one language: write en=… and es=… in the check"
    lines = [line.strip() for line in cell.text["en"].splitlines()]
    begun = [lines[at + 1] for at, line in enumerate(lines[:-1]) if line == f"### BEGIN {HIDDEN}"]
    return None if all(line == "call.hide()" for line in begun) else "hidden tests have to begin with 'call.hide()'"


def _shape(code: str) -> str:
    """The code's syntax tree with every text in it blanked."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)
