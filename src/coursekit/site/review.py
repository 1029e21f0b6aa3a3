"""Remember which English text each Spanish section was checked against, so that an edit of one cannot pass unseen.

`book/es/_reviewed.json` holds a digest of the English section for each page and label. A section whose English has
changed since fails the build until somebody has looked and says so: `python -m coursekit stamp`.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from coursekit.site.config import book_toc, pages
from coursekit.site.layout import LANGUAGES, REVIEWED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from coursekit.site.layout import Layout

FENCE = re.compile(r"\s*(`{3,}|~{3,})")
HEADING = re.compile(r"#{1,6} ")
LABEL = re.compile(r"\((?P<label>[\w-]+)\)=\s*")


class Text(NamedTuple):
    """A labelled section's own text: the line of its title, and its digest, which ignores white space."""

    line: int
    digest: str


def section_texts(source: str) -> dict[str, Text]:
    r"""The labelled sections of a Markdown page, by label, each without its subsections.

    >>> list(section_texts("(sec-a)=\n# A\n\ntext\n\n(sec-b)=\n## B\n"))
    ['sec-a', 'sec-b']
    """
    lines = source.splitlines()
    heads = list(_headings(lines))
    ends = [line for line, _ in heads[1:]] + [len(lines)]
    return {
        label: Text(line + 1, _digest(lines[line:end])) for (line, label), end in zip(heads, ends, strict=True) if label
    }


def _headings(lines: Sequence[str]) -> Iterable[tuple[int, str | None]]:
    fence = label = None
    for number, line in enumerate(lines):
        if mark := FENCE.match(line):
            fence = None if fence and line.strip().startswith(fence) else fence or mark[1]
        elif fence is None and HEADING.match(line):
            yield number, label
        if line.strip():
            label = match["label"] if (match := LABEL.fullmatch(line)) else None


def _digest(lines: Iterable[str]) -> str:
    words = " ".join(line for line in lines if not LABEL.fullmatch(line)).split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


def stale_sections(layout: Layout) -> list[str]:
    """What to do about the sections whose English is not the one that the Spanish was checked against, if any."""
    recorded = _recorded(layout)
    stale = [
        f"    {_name(layout, page)}:{text.line}  {page}#{label}"
        for page, label, text in _sections(layout)
        if recorded.get(page, {}).get(label) != text.digest
    ]
    if not stale:
        return []
    todo = "Compare each with its Spanish, then run `python -m coursekit stamp PAGE#LABEL …`, or without names for all."
    return ["\n".join(["English sections that have changed since their Spanish was checked:", *stale, todo])]


def renew(layout: Layout, names: Sequence[str] = ()) -> list[str]:
    """Record the English text as it is now for the sections named `page#label`, or for all that are stale.

    Returns:
        The sections whose record has changed.

    Raises:
        ValueError: for a name that no section has.
    """
    current = {f"{page}#{label}": text.digest for page, label, text in _sections(layout)}
    recorded = {f"{page}#{label}": old for page, labels in _recorded(layout).items() for label, old in labels.items()}
    if unknown := [name for name in names if name not in current]:
        raise ValueError(f"no section is called {unknown[0]!r}; write page#label, such as {next(iter(current), '…')}")
    chosen = {name: current[name] for name in names or current}
    kept = {name: old for name, old in recorded.items() if name in current}
    _write(layout, kept | chosen)
    return [name for name, new in chosen.items() if recorded.get(name) != new]


def _sections(layout: Layout) -> Iterable[tuple[str, str, Text]]:
    for page in pages(book_toc(layout, LANGUAGES[0])):
        path = layout.sources(LANGUAGES[0]) / f"{page}.md"
        if path.is_file():
            yield from ((page, label, text) for label, text in section_texts(path.read_text("utf-8")).items())


def _recorded(layout: Layout) -> dict[str, dict[str, str]]:
    path = _file(layout)
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def _write(layout: Layout, digests: dict[str, str]) -> None:
    nested: dict[str, dict[str, str]] = {}
    for name, digest in digests.items():
        page, _, label = name.partition("#")
        nested.setdefault(page, {})[label] = digest
    _file(layout).write_text(json.dumps(nested, indent=1, sort_keys=True) + "\n", "utf-8")


def _file(layout: Layout) -> Path:
    return layout.sources(LANGUAGES[1]) / REVIEWED


def _name(layout: Layout, page: str) -> str:
    return (layout.sources(LANGUAGES[0]) / f"{page}.md").relative_to(layout.root).as_posix()
