"""The widgets' JavaScript and CSS, joined for the two places that cannot import: anywidget and the static page.

A widget is a plain ES module that imports its siblings. anywidget loads a widget from a blob, where ``./sampling.js``
leads nowhere, and a page opened from disk may load no module at all. So the siblings are copied in here: a few lines
instead of a bundler, because the modules keep to a few forms, and anything else is an error.
"""

import re
from importlib.resources import files

WIDGETS = (
    "distribution_explorer",
    "nucleus_explorer",
    "decode_stepper",
    "four_samplers",
    "cost_explorer",
    "tradeoff_explorer",
)

_IMPORT = re.compile(r'^import \{ [\w, ]+ \} from "\./(?P<sibling>\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function\*? |const |class )", re.MULTILINE)
_RENDER = "export default { render };\n"
_UNKNOWN = re.compile(r"^(?:import|export)\b.*|^(?!\s*/?\*).*\bimport\(.*", re.MULTILINE)  # but not in a comment
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


def esm(widget: str) -> str:
    """Return the widget as one ES module that imports nothing: what anywidget takes as ``_esm``."""
    return _joined([*_siblings(f"{widget}.js"), f"{widget}.js"]) + _RENDER


def style(widget: str) -> str:
    """Return the widget's CSS, with what all widgets share: what anywidget takes as ``_css``."""
    return "".join(map(_read, _styles(widget)))


def static_script() -> str:
    """Return all widgets and their host as one classic script, for a page with no server and no kernel behind it."""
    shared = list(dict.fromkeys(sibling for widget in WIDGETS for sibling in _siblings(f"{widget}.js")))
    made = [f"{widget}: (() => {{\n{_joined([f'{widget}.js'])}return {{ render }};\n}})()," for widget in WIDGETS]
    return "\n".join(['(() => {\n"use strict";', _joined([*shared, "host.js"]), "start({", *made, "});\n})();\n"])


def static_style() -> str:
    """Return the CSS of all widgets, for the static page."""
    return "".join(map(_read, dict.fromkeys(name for widget in WIDGETS for name in _styles(widget))))


def _styles(widget: str) -> list[str]:
    """The style sheets of a widget: what all share, what comes with a module that it imports, its own."""
    shared = ["playground.css"] if "page_model.js" in _siblings(f"{widget}.js") else []
    return ["card.css", *shared, f"{widget}.css"]


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _siblings(module: str) -> list[str]:
    """The modules that ``module`` imports, each after those that it imports itself."""
    found: list[str] = []
    for match in _IMPORT.finditer(_read(module)):
        sibling = match["sibling"]
        found += [*_siblings(sibling), sibling]
    return list(dict.fromkeys(found))


def _joined(modules: list[str]) -> str:
    """The modules' text in one scope.

    Raises:
        ValueError: two of them declare the same name.
    """
    texts = [_read(module) for module in modules]
    names = [name for text in texts for name in _DECLARED.findall(text)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{', '.join(modules)} declare {', '.join(twice)} more than once: rename one, to join them")
    return "".join(_bare(module, text) for module, text in zip(modules, texts, strict=True))


def _bare(module: str, text: str) -> str:
    """A module's text without its imports and exports.

    Raises:
        ValueError: it imports or exports in a form that is not known here.
    """
    bare = _EXPORT.sub("", _IMPORT.sub("", text).replace(_RENDER, ""))
    unknown = _UNKNOWN.search(bare)
    if unknown:
        raise ValueError(
            f'{module}: cannot join {unknown[0].strip()!r}; known are `import {{ a }} from "./sibling.js";`, '
            f"`export function`, `export const`, `export class` and `{_RENDER.strip()}`"
        )
    return bare
