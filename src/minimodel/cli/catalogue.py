"""What the command line says, in both languages, from one file."""

import os
import tomllib
from functools import cache
from importlib.resources import files

from minimodel.language import LANGUAGES, Language, check_language


class Texts:
    """The texts of a language, by name.

    Args:
        lang: "en" or "es".
        prefix: how the person writes a setting: ``--lang es`` to a shell, ``/lang es`` in a conversation.

    Raises:
        ValueError: the language is unknown.

    Examples:
        >>> Texts("es")("drawn")
        'elegida'
    """

    def __init__(self, lang: str, prefix: str = "--") -> None:
        self.lang, self.prefix = check_language(lang), prefix

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the text ``name`` with its blanks filled in."""
        return _catalogue()[name][self.lang].format(prefix=self.prefix, **values)


def language_of_locale() -> Language:
    """Return the language that the environment asks for, English where the course does not have it."""
    names = (os.environ.get(variable) for variable in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    return next((lang for lang in LANGUAGES if locale.startswith(lang)), "en")


@cache
def _catalogue() -> dict[str, dict[str, str]]:
    """``strings.toml``: name → language → text."""
    return tomllib.loads(files(__package__).joinpath("strings.toml").read_text(encoding="utf-8"))
