"""The bibliography in the book's language: pybtex writes "In", "and" and "Volume" in English only.

A style of pybtex is a tree of templates whose leaves are its words; the Spanish one is the same tree with other leaves.
What an entry itself says, its title above all, is never a leaf, and stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import pybtex.plugin
from pybtex.style.formatting.alpha import Style
from pybtex.style.template import Node
from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

if TYPE_CHECKING:
    from collections.abc import Callable

    from pybtex.database import Entry, Person
    from sphinx.application import Sphinx

NAME = "course_es"
WORDS = {
    "In": "En", "in": "en", "of": "de", " and ": " y ", ", and ": " y ", "editor": "ed.", "editors": "eds.",
    "Volume": "Volumen", "volume": "volumen", "Number": "Número", "number": "número", "chapter": "capítulo",
    "pages": "páginas", "edition": "edición", "PhD thesis": "Tesis doctoral", "Master's thesis": "Tesis de máster",
    "Technical Report": "Informe técnico", "others": "otros",
}  # fmt: skip


def in_spanish(template: Any) -> Any:
    """A template with the style's own words in Spanish.

    >>> from pybtex.style.template import join, words
    >>> print(in_spanish(words["In", join(sep=", and ")["one", "two"]]).format())
    En one y two
    """
    if not isinstance(template, Node):
        return WORDS.get(template, template) if isinstance(template, str) else template
    same = template._clone()  # pybtex's own way to vary a template
    same.args = [in_spanish(one) for one in template.args]
    same.kwargs = {key: in_spanish(one) for key, one in template.kwargs.items()}
    same.children = [in_spanish(one) for one in template.children]
    return same


class SpanishStyle(Style):  # type: ignore[misc]  # pybtex has no types
    """pybtex's "alpha" in Spanish."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = self.name_style.format
        self.format_name = lambda person, abbr=False: names(_others(person), abbr)


def _others(person: Person) -> Person:
    """The last of the authors where BibTeX's own "and others" stands for the rest."""
    return pybtex.database.Person(WORDS["others"]) if str(person) == "others" else person


def _translated(name: str) -> Callable[[SpanishStyle, Entry], Node]:
    return lambda style, entry: in_spanish(getattr(super(SpanishStyle, style), name)(entry))


for _name in dir(Style):
    if _name.startswith("get_") and _name.endswith("_template"):
        setattr(SpanishStyle, _name, _translated(_name))


def _persons() -> PersonStyle:
    return PersonStyle(sep2=" y ", last_sep=" y ")


@dataclass
class SpanishReferences(AuthorYearReferenceStyle):
    """Citations by author and year: "Stahlberg y Byrne [2019]"."""

    person: PersonStyle = field(default_factory=_persons)


def setup(_app: Sphinx) -> None:
    """Register both styles under the name that `book/es/_lang.yml` gives."""
    pybtex.plugin.register_plugin("pybtex.style.formatting", NAME, SpanishStyle)
    register_plugin("sphinxcontrib.bibtex.style.referencing", NAME, SpanishReferences)
    # looked up for every citation, among all that is installed: a tenth of a second each
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
