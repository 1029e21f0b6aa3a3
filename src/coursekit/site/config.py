"""One configuration and one table of contents for both languages, localised by `book/<lang>/_lang.yml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from coursekit.site.layout import Layout


class ConfigError(ValueError):
    """The configuration asks for something that is not there; the message says what to write where."""


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        ConfigError: naming a file that is missing or is not a mapping.
    """
    if not path.is_file():
        raise ConfigError(f"{path} does not exist")
    content = yaml.safe_load(path.read_text("utf-8"))
    if not isinstance(content, dict):
        raise ConfigError(f"{path} should hold keys and values, not {type(content).__name__}")
    return content


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the values of `over` laid over it, mapping by mapping.

    >>> merged({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}})
    {'a': {'b': 1, 'c': 3}}
    """
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def book_config(layout: Layout, language: str) -> dict[str, Any]:
    """Jupyter Book's configuration for one language, with paths as the staged sources need them."""
    config = merged(read_yaml(layout.root / "_config.yml"), _localisation(layout, language).get("config", {}))
    # sphinxcontrib-bibtex reads paths from the sources' folder, which lies two folders below the root
    config["bibtex_bibfiles"] = [f"../../{path}" for path in config.get("bibtex_bibfiles", [])]
    return merged(config, {"sphinx": {"config": {"language": language}}})


def book_toc(layout: Layout, language: str) -> dict[str, Any]:
    """The table of contents, its captions and titles in `language`.

    Raises:
        ConfigError: for a caption without a translation.
    """
    toc = read_yaml(layout.root / "_toc.yml")
    if language == LANGUAGES[0]:
        return toc
    path = layout.sources(language) / "_lang.yml"
    localised = _translated(toc, _localisation(layout, language).get("toc", {}), path)
    assert isinstance(localised, dict)
    return localised


def pages(toc: Mapping[str, Any]) -> list[str]:
    """Names of the pages that a table of contents lists, in its order.

    >>> pages({"root": "index", "parts": [{"caption": "C", "chapters": [{"file": "a"}, {"file": "b"}]}]})
    ['index', 'a', 'b']
    """
    return list(_pages(toc))


def _pages(entry: object) -> Iterator[str]:
    if isinstance(entry, list):
        for item in entry:
            yield from _pages(item)
    elif isinstance(entry, dict):
        for key, value in entry.items():
            if key in ("root", "file"):
                yield value
            else:
                yield from _pages(value)


def _localisation(layout: Layout, language: str) -> dict[str, Any]:
    return {} if language == LANGUAGES[0] else read_yaml(layout.sources(language) / "_lang.yml")


def _translated(entry: Any, words: Mapping[str, str], source: Path) -> Any:
    if isinstance(entry, list):
        return [_translated(item, words, source) for item in entry]
    if not isinstance(entry, dict):
        return entry
    return {
        key: _word(value, words, source) if key in ("caption", "title") else _translated(value, words, source)
        for key, value in entry.items()
    }


def _word(word: str, words: Mapping[str, str], source: Path) -> str:
    if word not in words:
        raise ConfigError(f"_toc.yml says {word!r}, which {source} does not translate: add it there under `toc:`")
    return words[word]
