"""Build one language's pages with Jupyter Book, strictly: `python -m coursekit.site.language ROOT LANG`.

Each language has a process of its own, because Sphinx and docutils keep global state, and so that both run at once.
Sphinx's progress goes to standard output; its warnings, one a line, to `warnings.txt`, apart from what kernels print.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from coursekit.site.config import book_config, book_toc, merged
from coursekit.site.fingerprint import code_fingerprint
from coursekit.site.layout import Layout, check_language
from coursekit.site.stage import stage


def build_language(layout: Layout, language: str) -> bool:
    """Write a language's HTML and parsed pages afresh; only the outputs of unchanged cells are reused.

    Reading every page again costs seconds and makes the result sound: Sphinx's own incremental build repeats neither
    the warnings of pages that it skips nor the search for what they refer to.

    Returns:
        Whether there was no error and no warning.
    """
    # jsonschema would compile a grammar of web addresses, which takes seconds; without it, it leaves them unchecked
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from jupyter_book.sphinx import build_sphinx  # noqa: PLC0415 - takes a second to import

    source, work = stage(layout, language), layout.work(language)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    os.environ["BOOK_LANG"] = language  # kernels inherit it, so cells and widgets speak the page's language
    with (work / "warnings.txt").open("w", encoding="utf-8") as warnings, contextlib.redirect_stderr(warnings):
        status = build_sphinx(
            source,
            layout.html(language),
            noconfig=True,
            path_config=_write(work / "config.yml", _config(layout, language)),
            confoverrides={
                "external_toc_path": _write(work / "toc.yml", book_toc(layout, language)).as_posix(),
                "latex_individualpages": False,
            },
            doctreedir=layout.doctrees(language),
            warningiserror=True,
            keep_going=True,
        )
    return bool(status == 0)


def _config(layout: Layout, language: str) -> dict[str, Any]:
    """The book's configuration, its cache keyed on what myst-nb's own key leaves out."""
    cache = layout.cache(language) / code_fingerprint(layout)[:16]
    for old in set(layout.cache(language).glob("*")) - {cache}:
        shutil.rmtree(old)
    cache.mkdir(parents=True, exist_ok=True)
    locale = Path(shutil.copytree(Path(__file__).with_name("locale"), layout.work(language) / "locale"))
    ours = {"course_root": str(layout.root), "locale_dirs": [str(locale)]}  # Sphinx compiles catalogues where they lie
    return merged(book_config(layout, language), {"execute": {"cache": str(cache)}, "sphinx": {"config": ours}})


def _write(path: Path, content: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    return path


if __name__ == "__main__":
    gc.set_threshold(200_000, 50, 100)  # parsed pages are large and live long: to search them for garbage takes a tenth
    sys.exit(not build_language(Layout(Path(sys.argv[1])), check_language(sys.argv[2])))
