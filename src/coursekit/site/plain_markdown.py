"""MyST as Markdown that any notebook shows: its roles as text, its boxes as quotations, its questions as lists.

What a role or a listing stands for is known to the builder alone, which gives it as `Words`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from coursekit.site.quiz import split_options

if TYPE_CHECKING:
    from collections.abc import Callable

ROLE = re.compile(r"(?<!`)\{(?P<role>[a-z]+(?::[a-z]+)?)\}`(?P<text>[^`<]*?)\s*(?:<(?P<target>[^`>]+)>)?`")
LABEL = re.compile(r"\([\w-]+\)=\n")
NUMBERED = re.compile(r"^\$\$ \((?P<label>[\w-]+)\)$", re.MULTILINE)
BLOCK = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[a-z-]+)\} *(?P<argument>.*)\n(?P<body>(?:.*\n)*?)(?P=fence)$", re.MULTILINE
)
OPTION = re.compile(r"^:[a-z-]+:.*\n+", re.MULTILINE)


class Words(Protocol):
    """What a page's roles and listings say."""

    def role(self, role: str, target: str) -> str:
        """The text of a role that gives none of its own."""

    def listing(self) -> str:
        """The code of the page's next listing."""

    def word(self, key: str) -> str:
        """A word of the site's own, in the page's language."""


def plain_markdown(text: str, words: Words) -> str:
    """A stretch of a page without what only MyST knows."""
    text = BLOCK.sub(lambda block: _block(block, words), LABEL.sub("", text))
    text = NUMBERED.sub(lambda end: rf"\tag{{{words.role('eq', end['label']).strip('()')}}}" + "\n$$", text)
    return ROLE.sub(lambda role: _role(role, words), text)


def _role(match: re.Match[str], words: Words) -> str:
    shown = bool(match["target"]) or match["role"] == "term"
    return match["text"] if shown else words.role(match["role"], match["text"])


def _block(block: re.Match[str], words: Words) -> str:
    if block["name"] == "literalinclude":
        return f"```python\n{words.listing().rstrip()}\n```"
    body = OPTION.sub("", block["body"], count=0).strip("\n")
    return BLOCKS.get(block["name"], _unknown)(block["argument"], body, words)


def _box(title: str, body: str, _words: Words) -> str:
    r"""An admonition as a quotation.

    >>> _box("Note", "One.\n\nTwo.", None)
    '> **Note**\n>\n> One.\n>\n> Two.\n'
    """
    lines = [f"**{title}**", "", *body.splitlines()]
    return "".join(f"{f'> {line}'.rstrip()}\n" for line in lines)


def _quiz(_name: str, body: str, words: Words) -> str:
    question, answers = _question(body)
    folded = [f"<details><summary>{words.word('answers')}</summary>", "", *answers, "", "</details>"]
    return "\n".join([*question, "", *folded])


def _question(body: str) -> tuple[list[str], list[str]]:
    """The lines of a question with what can be chosen, and those of its answers."""
    text, _, explained = body.partition("\n---\n")
    question, options = split_options(text.splitlines())
    answers = [f"- {'✓' if one.right else '✗'} {one.label}: {' '.join(one.feedback)}" for one in options]
    return [*question, *(f"- {one.label}" for one in options)], answers or explained.splitlines()


def _unknown(_argument: str, body: str, _words: Words) -> str:
    return body


BLOCKS: dict[str, Callable[[str, str, Words], str]] = {"admonition": _box, "quiz": _quiz}
