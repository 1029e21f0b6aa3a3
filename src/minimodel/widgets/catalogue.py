"""The widgets' texts, in both languages, from one file."""

import tomllib
from functools import cache
from importlib.resources import files

from minimodel.language import check_language


def strings(widget: str, lang: str) -> dict[str, str]:
    """Return the texts of ``widget`` in ``lang`` by name, those that all widgets share included.

    Raises:
        ValueError: the language is not one of the course's.
        KeyError: there is no such widget in ``strings.toml``.

    Examples:
        >>> strings("distribution_explorer", "es")["reset"]
        'Reiniciar'
    """
    language = check_language(lang)
    texts = _catalogue()["shared"] | _catalogue()[widget]
    return {name: text[language] for name, text in texts.items()}


@cache
def _catalogue() -> dict[str, dict[str, dict[str, str]]]:
    """``strings.toml``: widget → name → language → text."""
    return tomllib.loads(files(__package__).joinpath("strings.toml").read_text(encoding="utf-8"))
