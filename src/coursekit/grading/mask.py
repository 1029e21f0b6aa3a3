"""The minimodel that a student's code finds in the sandbox: without what the lab asks the student to write.

Of each function that is asked for, the body is taken out and a refusal put in: the model, the grammar and all the rest
work as they are. Widgets are not drawn: nobody would see them move, and they show what the functions asked for give.
"""

import ast
import shutil
from collections.abc import Collection
from pathlib import Path

import minimodel
from coursekit.labs.own_work import OTHER_NAMES

PACKAGE = Path(minimodel.__file__).parent
_WIDGETS = '''"""Widgets are not drawn while a notebook is graded."""


class _NotDrawn:
    """Stands for any widget, and for anything of one."""

    def __call__(self, *_, **__):
        return self

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __repr__(self):
        return "(a widget, not drawn while grading)"


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return _NotDrawn()
'''


def write_masked(asked: Collection[str], folder: Path) -> None:
    """Write, into ``folder``, minimodel without the functions ``asked`` for."""
    taken = {name for each in asked for name in (each, *OTHER_NAMES.get(each, ()))} & set(minimodel.__all__)
    target = folder / "minimodel"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__", "widgets"))
    (target / "widgets").mkdir()
    (target / "widgets/__init__.py").write_text(_WIDGETS, encoding="utf-8")
    for module in {minimodel._MODULE[name] for name in taken}:
        home = target / f"{module.replace('.', '/')}.py"
        for path in [home] if home.exists() else (target / module.replace(".", "/")).glob("*.py"):
            path.write_text(without(path.read_text(encoding="utf-8"), taken), encoding="utf-8")


def without(code: str, names: Collection[str]) -> str:
    r"""The module with the bodies of these functions taken out.

    >>> print(without("def half(x):\n    return x / 2\n", {"half"}))
    def half(x):
        from coursekit.labs.own_work import Borrowed; raise Borrowed('half')
    """
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            refusal = f"from coursekit.labs.own_work import Borrowed; raise Borrowed({node.name!r})"
            lines[node.body[0].lineno - 1 : node.end_lineno] = [f"    {refusal}"]
    return "\n".join(lines)
