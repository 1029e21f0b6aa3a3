"""The languages that the course is written in."""

from typing import Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "es"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def check_language(lang: str) -> Language:
    """Return ``lang`` if the course has it.

    Raises:
        ValueError: it does not.

    Examples:
        >>> check_language("es")
        'es'
    """
    for known in LANGUAGES:
        if lang == known:
            return known
    raise ValueError(f"language is {lang!r}: expected one of {', '.join(map(repr, LANGUAGES))}")
