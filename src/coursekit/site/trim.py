"""Leave out of a built site what none of its pages uses: rules of style, icons, files for the theme's developers.

The theme brings Bootstrap and two thousand icons. A rule stays where each class and id that it asks for is named in
some page or script; the icons' font is cut to the characters that the rules left over print.
"""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sphinx.application import Sphinx

UNUSED = ("_static/locales", "_static/images", "_static/scripts/fontawesome.js", "_static/scripts/bootstrap.js",
          "_static/webpack-macros.html",
          "_static/sbt-webpack-macros.html", "_static/vendor/fontawesome/webfonts")  # fmt: skip
RESIZER = re.compile(r',"complete"===document\.readyState\?(\w+)\(\):window\.addEventListener\("load",\1\)')
FONTS = "vendor/fontawesome/webfonts"
ICONS = "fa-solid-900.ttf"
WORD = re.compile(r"[\w-]+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
BRACE = re.compile(r""" "(?:\\.|[^"])*" | '(?:\\.|[^'])*' | [{};] """, re.VERBOSE)
ASKED = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
INSIDE = re.compile(r"\([^()]*\)|\[[^\]]*\]")
PRIVATE = re.compile("[\ue000-\uf8ff]")
"""The icons that the theme writes as they are, in the values of its variables."""
PRINTED = re.compile(r'content:\s*"\\(f[0-9a-f]{3})"')


def rules(css: str) -> Iterator[tuple[str, str | None]]:
    """The statements of a style sheet: what comes before the brace and what is inside, None where there is no brace.

    >>> list(rules('@import "a";.b{c:d}@media print{.e{f:"}"}}'))
    [('@import "a"', None), ('.b', 'c:d'), ('@media print', '.e{f:"}"}')]
    """
    depth, start, opened = 0, 0, 0
    for match in BRACE.finditer(css):
        mark = match[0]
        if mark == "{":
            depth += 1
            opened = match.end() if depth == 1 else opened
        elif mark == "}":
            depth -= 1
            if depth == 0:
                yield css[start : opened - 1].strip(), css[opened : match.start()]
                start = match.end()
        elif mark == ";" and depth == 0:
            yield css[start : match.start()].strip(), None
            start = match.end()


def trimmed(css: str, used: Collection[str]) -> str:
    """A style sheet without the rules that ask for a class or an id that is not `used`; licences stay, at its head.

    >>> trimmed("a{b:c}.in,.out:hover{d:e}@media print{.out{f:g}}", {"in"})
    'a{b:c}.in{d:e}'
    """
    licences = dict.fromkeys(comment for comment in COMMENT.findall(css) if comment.startswith("/*!"))
    return "".join([*licences, *(_kept(head, body, used) for head, body in rules(COMMENT.sub("", css)))])


def _kept(head: str, body: str | None, used: Collection[str]) -> str:
    if body is None:
        return f"{head};"
    if head.startswith(("@media", "@supports")):
        inside = trimmed(body, used)
        return f"{head}{{{inside}}}" if inside else ""
    selectors = [head] if head.startswith("@") else [one for one in _selectors(head) if _can_match(one, used)]
    return f"{','.join(selectors)}{{{body}}}" if selectors else ""


def _selectors(head: str) -> list[str]:
    """The parts between the commas that no bracket holds."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", head)]


def _can_match(selector: str, used: Collection[str]) -> bool:
    while (shorter := INSIDE.sub("", selector)) != selector:  # what is in :not(…) need not be there
        selector = shorter
    return "\\" in selector or all(name in used for name in ASKED.findall(selector))


def used_words(folder: Path) -> set[str]:
    """Every word of the pages' tags and of the scripts: the classes and ids that an element may have are among them."""
    words: set[str] = set()
    for page in folder.rglob("*.html"):
        for tag in re.findall(r"<[a-zA-Z][^>]*>", page.read_text("utf-8")):
            words.update(WORD.findall(tag))
    for script in folder.glob("_static/**/*.js"):
        words.update(WORD.findall(script.read_text("utf-8")))
    return words


def subset_icons(source: Path, target: Path, characters: Collection[int]) -> None:
    """Write the font's glyphs for these characters as a WOFF file."""
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415 - slow to import, and needed once a build
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    logging.getLogger("fontTools").setLevel(logging.WARNING)  # its progress would stand among the build's warnings
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(Options(flavor="woff", layout_features=[], notdef_outline=True))
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(target)


def trim(folder: Path) -> None:
    """Trim a built language in place."""
    static = folder / "_static"
    fonts = static / FONTS
    icons = (fonts / ICONS).rename(static / ICONS) if (fonts / ICONS).is_file() else None
    for path in [*(folder / name for name in UNUSED), *static.rglob("*.map"), *static.rglob("*.LICENSE.txt")]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    used, printed = used_words(folder), set[int]()
    for sheet in sorted(static.rglob("*.css")):
        css = _with_one_font(trimmed(sheet.read_text("utf-8"), used))
        sheet.write_text(css, "utf-8")
        printed |= {int(code, 16) for code in PRINTED.findall(css)} | set(map(ord, PRIVATE.findall(css)))
    _without_resizer(static / "scripts" / "pydata-sphinx-theme.js")
    if icons:
        subset_icons(icons, static / "icons.woff", printed)
        icons.unlink()


def _without_resizer(script: Path) -> None:
    """Take from the theme's script its search for boxes that scroll, which lays out the whole page: scroll.js does it.

    Raises:
        ValueError: where the script is there and does no such thing, as another version of the theme may.
    """
    if script.is_file():
        text, found = RESIZER.subn("", script.read_text("utf-8"))
        if found != 1:
            raise ValueError(
                f"{script.name} calls {found} functions as it loads, not 1: look whether it is still the one"
            )
        script.write_text(text, "utf-8")


def _with_one_font(css: str) -> str:
    """The style sheet with one face of the icons' font, the solid one, in the file that `trim` writes."""
    faces = re.findall(r"@font-face\{[^}]*Font Awesome[^}]*\}", css)
    for face in faces:
        css = css.replace(face, re.sub(r"src:[^;}]*", "src:url(../icons.woff)", face) if "fa-solid" in face else "")
    return css


def finish(app: Sphinx, failure: Exception | None) -> None:
    """Trim what was built, unless it failed."""
    if failure is None:
        trim(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Connect to the end of the build."""
    app.connect("build-finished", finish, priority=900)
