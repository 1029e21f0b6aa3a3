"""Reduce Python code to what two languages must share: everything but comments and strings."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LAYOUT = {tokenize.INDENT: "{", tokenize.DEDENT: "}"}
DROPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}


def masked_lines(code: str) -> list[tuple[int, str]]:
    r"""The statements of `code`, comments dropped and strings emptied, each with the number of its first line from 0.

    Code that is not Python comes back line by line as it is.

    >>> masked_lines("x = 1  # one\nprint('hola', x)")
    [(0, 'x = 1'), (1, "print ( '' , x )")]
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, IndentationError):
        return [(number, line.strip()) for number, line in enumerate(code.splitlines()) if line.strip()]
    return _statements(token for token in tokens if token.type not in DROPPED)


def _statements(tokens: Iterable[tokenize.TokenInfo]) -> list[tuple[int, str]]:
    statements: list[tuple[int, str]] = []
    words: list[str] = []
    first = 0
    for token in tokens:
        if token.type == tokenize.NEWLINE:
            statements.append((first, " ".join(words)))
            words = []
            continue
        first = first if words else token.start[0] - 1
        words.append("''" if token.type == tokenize.STRING else LAYOUT.get(token.type, token.string))
    return statements
