"""Hold the two languages together: the same pages, sections, formulas, references, figures, quizzes and code.

Each language has a tree of its own, free to word a thought as it likes. What must not differ is compared on the parsed
pages, so that a formula changed in one language alone stops the build and is named with its file and line.
"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from coursekit.site.config import book_toc, pages
from coursekit.site.hidden_cells import hidden_cells
from coursekit.site.layout import LANGUAGES
from coursekit.site.outline import Fact, Section, read_outline
from coursekit.site.stage import page_source

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from coursekit.site.layout import Layout

ORDERED = {"displayed formula", "line of code", "code cell", "block of code", "quiz", "figure", "table", "box"}
"""What comes in the same order in both; within a sentence, each language has an order of its own."""


def compare_languages(layout: Layout) -> list[str]:
    """Everything in which the built languages differ, one message each, with the files and lines."""
    listed = pages(book_toc(layout, LANGUAGES[0]))
    return [problem for page in listed for problem in _Pair(layout, page).problems()]


class _Pair:
    """A page in both languages."""

    def __init__(self, layout: Layout, page: str) -> None:
        self.page = page
        files = [page_source(layout, language, page) for language in LANGUAGES]
        self.sources = [file.relative_to(layout.root).as_posix() if file else page for file in files]
        parsed = [layout.doctrees(language) / f"{page}.doctree" for language in LANGUAGES]
        self.outlines = [
            [*read_outline(doctree), *([hidden_cells(file)] if file else [])]
            for doctree, file in zip(parsed, files, strict=True)
        ]

    def problems(self) -> Iterator[str]:
        """What differs in the sections' order, then in each section that both have."""
        yield from self._unlabelled()
        first, second = self.outlines
        places = ([(section.anchor, section.level) for section in outline] for outline in self.outlines)
        for tag, a, b, c, d in _opcodes(*places):
            if tag != "equal":
                yield self._report("sections differ", [_section_facts(first[a:b]), _section_facts(second[c:d])])
                continue
            for here, there in zip(first[a:b], second[c:d], strict=True):
                yield from self._facts(here, there)

    def _unlabelled(self) -> Iterator[str]:
        if self.page.startswith("labs/"):  # notebooks show labels as text
            return
        for source, outline in zip(self.sources, self.outlines, strict=True):
            for section in outline:
                if not section.labelled:
                    yield f"{source}:{section.line}: section without a label: write (sec-…)= above its title"

    def _facts(self, here: Section, there: Section) -> Iterator[str]:
        kinds = dict.fromkeys(fact.kind for fact in here.facts + there.facts)
        for kind in kinds:
            sides = [[fact for fact in section.facts if fact.kind == kind] for section in (here, there)]
            extra = _ordered(*sides) if kind in ORDERED else _unordered(*sides)
            if any(extra):
                counts = f"{len(sides[0])} in {LANGUAGES[0]}, {len(sides[1])} in {LANGUAGES[1]}"
                yield self._report(f"section {here.anchor}: {kind} ({counts})", extra, (here.line, there.line))

    def _report(self, what: str, extra: list[list[Fact]], lines: tuple[int, int] = (1, 1)) -> str:
        """One difference: what it is, and on each side what the other lacks."""
        report = [f"{self.page}, {what}"]
        for language, source, facts, line in zip(LANGUAGES, self.sources, extra, lines, strict=True):
            shown = facts or [Fact("", "—", line)]
            report += [f"    {language}  {source}:{fact.line or line}  {fact.value or 'one more'}" for fact in shown]
        return "\n".join(report)


def _section_facts(sections: list[Section]) -> list[Fact]:
    return [Fact("section", f"{section.anchor} (level {section.level})", section.line) for section in sections]


def _ordered(here: list[Fact], there: list[Fact]) -> list[list[Fact]]:
    """What each side has that the other has not at that place."""
    extra: list[list[Fact]] = [[], []]
    for tag, a, b, c, d in _opcodes([fact.value for fact in here], [fact.value for fact in there]):
        if tag != "equal":
            extra[0] += here[a:b]
            extra[1] += there[c:d]
    return extra


def _opcodes(here: Sequence[Hashable], there: Sequence[Hashable]) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, here, there, autojunk=False).get_opcodes()


def _unordered(here: list[Fact], there: list[Fact]) -> list[list[Fact]]:
    """What each side has more of than the other."""
    return [_surplus(here, there), _surplus(there, here)]


def _surplus(here: list[Fact], there: list[Fact]) -> list[Fact]:
    left = Counter(fact.value for fact in there)
    surplus = []
    for fact in here:
        left[fact.value] -= 1
        if left[fact.value] < 0:
            surplus.append(fact)
    return surplus
