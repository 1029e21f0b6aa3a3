"""Where each part of the book lives, and the two languages it is written in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - a dataclass's field

LANGUAGES = ("en", "es")
"""The language that is written first, then the one checked against it."""

NAMES = {"en": "English", "es": "Español"}

REVIEWED = "_reviewed.json"
"""The file, beside the chapters of the second language, that says which text of the first each was checked against."""


def check_language(language: str) -> str:
    """Return `language` if the book is written in it.

    Raises:
        ValueError: naming the unknown language and those that exist.

    >>> check_language("es")
    'es'
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: the book is written in {' and '.join(LANGUAGES)}")
    return language


def other_language(language: str) -> str:
    """The twin of `language`.

    >>> other_language("en")
    'es'
    """
    return LANGUAGES[1 - LANGUAGES.index(check_language(language))]


@dataclass(frozen=True)
class Layout:
    """Paths of the course under its root folder.

    `staged` lies as deep below the root as `sources`, so that a chapter's `../../src/…` means the same in both.
    """

    root: Path

    @property
    def site(self) -> Path:
        """The folder that can be put on any web server."""
        return self.root / "site"

    @property
    def products(self) -> Path:
        """Everything a build leaves behind besides the site."""
        return self.root / "_build"

    def sources(self, language: str) -> Path:
        """A language's chapters."""
        return self.root / "book" / language

    def labs(self, language: str) -> Path:
        """A language's student notebooks, `<lab>/<lab>.ipynb`."""
        return self.root / "labs" / language

    def staged(self, language: str) -> Path:
        """The chapters and the labs of a language, brought together for Sphinx."""
        return self.products / language

    def work(self, language: str) -> Path:
        """Configuration, log, parsed pages and HTML of a language's build."""
        return self.products / "work" / language

    def html(self, language: str) -> Path:
        """The pages as Sphinx writes them."""
        return self.work(language) / "html"

    def doctrees(self, language: str) -> Path:
        """The parsed pages."""
        return self.work(language) / "doctrees"

    def cache(self, language: str) -> Path:
        """Outputs of executed cells; one cache a language, because its key knows only the code."""
        return self.products / "cache" / language

    def real_path(self, text: str) -> str:
        """Name the files a person edits where `text` names their staged copies.

        >>> Layout(Path("/c")).real_path("/c/_build/es/01-temperature.md:7: oops")
        'book/es/01-temperature.md:7: oops'
        >>> Layout(Path("/c")).real_path("/c/_build/en/labs/01-sweep.ipynb: oops")
        'labs/en/01-sweep/01-sweep.ipynb: oops'
        """
        for language in LANGUAGES:
            staged = self.staged(language).as_posix()
            for lab in _labs_named(text, f"{staged}/labs/"):
                text = text.replace(f"{staged}/labs/{lab}.ipynb", f"labs/{language}/{lab}/{lab}.ipynb")
            text = text.replace(f"{staged}/", f"book/{language}/")
        return text.replace(f"{self.root.as_posix()}/", "")


def _labs_named(text: str, folder: str) -> list[str]:
    return [rest.split(".ipynb")[0] for rest in text.split(folder)[1:] if ".ipynb" in rest]
