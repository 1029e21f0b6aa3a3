"""The strings that the site itself puts on a page, from one catalogue for both languages."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from coursekit.site.layout import check_language


@cache
def strings(language: str) -> dict[str, str]:
    """The catalogue of a language, by key.

    >>> strings("es")["check"]
    'Comprobar'
    """
    catalogue = tomllib.loads(Path(__file__).with_name("strings.toml").read_text("utf-8"))
    return dict(catalogue[check_language(language)])
