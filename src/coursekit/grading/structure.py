"""The structure of a student's code, by which copies are found whatever their names, comments and layout.

Source: S. Schleimer, D. Wilkerson, A. Aiken, *Winnowing: local algorithms for document fingerprinting*, SIGMOD 2003,
on the nodes of the syntax tree in place of letters.
"""

import ast
import contextlib
import math
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

GRAM, WINDOW = 10, 4  # nodes to a gram; of this many grams in a row at least one is kept
ENOUGH, ALIKE = 25, 0.6  # fingerprints below which nothing can be said; how alike is worth a look
COMMON = 6  # students that share a fingerprint before it says nothing; in a large class, a fifth of them


def fingerprints(submitted: Mapping[str, Any], source: Mapping[str, Any]) -> list[int]:
    """Fingerprints of what the student wrote: answers and own cells, without what the lab gives."""
    given = {_text(cell) for cell in source["cells"]}
    own = [cell for cell in submitted["cells"] if _is_answer(cell) or _text(cell) not in given]
    kept = set[int]()
    for cell in own:
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("locked"):
            kept |= set(winnowed(_text(cell)))
    return sorted(kept)


def _is_answer(cell: Mapping[str, Any]) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("solution"))


def _text(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"])


def winnowed(code: str) -> Iterator[int]:
    r"""The fingerprints of some code.

    >>> one = "def f(logits):\n    best = max(logits)\n    return [x - best for x in logits if x < 1]"
    >>> other = "def f(z):  # mine\n  'Mine.'\n  m = max(z)\n\n  return [each - m for each in z if each < 1]"
    >>> set(winnowed(one)) == set(winnowed(other)) != set()
    True
    >>> list(winnowed("-" * 9000 + "1"))  # more than Python's parser has room for
    []
    """
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for statement in _bodies(ast.parse(code)):
            nodes = [_name(node) for node in ast.walk(statement)]
            grams = [zlib.crc32(" ".join(nodes[i : i + GRAM]).encode()) for i in range(len(nodes) - GRAM + 1)]
            yield from (min(grams[i : i + WINDOW]) for i in range(max(0, len(grams) - WINDOW + 1)))


def _bodies(tree: ast.Module) -> Iterator[ast.AST]:
    """Each function's body as one tree, its docstring left out: the stub gives the rest."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield ast.Module(body, [])
        else:
            yield node


def _name(node: ast.AST) -> str:
    """A node's kind; a constant's value and the attribute's name with it, for those are not renamed."""
    kind = type(node).__name__
    if isinstance(node, ast.Constant) and not isinstance(node.value, str):
        return f"{kind} {node.value!r}"
    return f"{kind} {node.attr}" if isinstance(node, ast.Attribute) else kind


def similar(class_: Mapping[str, list[int]]) -> list[tuple[str, str, float]]:
    """The pairs of students whose code is alike, most alike first, from 0 to 1.

    What many share says little: a fingerprint weighs the more the fewer have it, as words do in a search (tf-idf).
    """
    have = Counter(mark for marks in class_.values() for mark in set(marks))
    weight = {mark: math.log((len(class_) + 1) / count) for mark, count in have.items()}
    total = {student: sum(weight[mark] for mark in set(marks)) for student, marks in class_.items()}
    holders: dict[int, list[str]] = {}
    for student, marks in sorted(class_.items()):
        for mark in set(marks):
            if len(marks) >= ENOUGH and have[mark] <= max(COMMON, len(class_) // 5):
                holders.setdefault(mark, []).append(student)
    shared = Counter[tuple[str, str]]()
    for mark, students in holders.items():
        for pair in combinations(students, 2):
            shared[pair] += weight[mark]  # type: ignore[assignment]  # a Counter of floats
    alike = [(a, b, round(both / (total[a] + total[b] - both), 2)) for (a, b), both in shared.items()]
    return sorted((pair for pair in alike if pair[2] >= ALIKE), key=lambda pair: -pair[2])
