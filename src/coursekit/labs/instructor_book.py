"""The instructors' book: every lab solved and run, its hidden tests shown, with teaching notes. It is never published.

It is built like the course's own book, on the same style and configuration, from a course of its own that is written
for it in ``_build/instructors``; the pages end up in ``_build/instructors/site``.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat.v4 import new_markdown_cell

from coursekit.labs.notebooks import instructor_notebook
from coursekit.labs.rules import check_lab
from coursekit.labs.source import Lab, read_lab
from coursekit.site.build import build
from coursekit.site.config import merged, read_yaml
from coursekit.site.layout import Layout
from minimodel.language import LANGUAGES

TITLES = {"en": "Solutions and teaching notes", "es": "Soluciones y notas docentes"}
START = {
    "en": "The labs of the course, solved and run, with the tests that students do not see and notes for teaching. "
    "**Not for students:** this book lies in `_build/instructors`, which is in no release and on no site.",
    "es": "Los laboratorios del curso, resueltos y ejecutados, con las pruebas que los estudiantes no ven y notas para "
    "dar la clase. **No es para estudiantes:** este libro está en `_build/instructors`, que no se publica en ningún sitio.",
}
NOTE = {"en": "Teaching note", "es": "Nota docente"}


def build_instructor_book(root: Path, say: Callable[[str], None] = print) -> bool:
    """Build it from the lab sources under ``root``, in both languages; whether all went well.

    Raises:
        LabError: a source breaks a rule.
    """
    layout = Layout(root / "_build" / "instructors")
    write_course(root, layout)
    built = all([build(layout.root, [lang], say) for lang in LANGUAGES])
    if built:
        say(f"Open {layout.site.relative_to(root)}/index.html")
    return built


def write_course(root: Path, layout: Layout) -> None:
    """Write the course that the instructors' book is built from: a page a lab, and the style of the course's own.

    Raises:
        LabError: a source breaks a rule.
    """
    labs = [read_lab(path) for path in sorted((root / "solutions").glob("*.md"))]
    for lab in labs:
        check_lab(lab)
    for name in ("book", "src"):
        shutil.rmtree(layout.root / name, ignore_errors=True)
    for name in ("book/_static", "book/_templates", "src"):  # outputs are kept for as long as src is the same
        shutil.copytree(root / name, layout.root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("book/references.bib", "requirements.txt"):
        shutil.copy(root / name, layout.root / name)
    _write(layout.root / "_config.yml", merged(read_yaml(root / "_config.yml"), {"title": TITLES["en"]}))
    parts = [{"caption": "Labs", "chapters": [{"file": lab.name} for lab in labs]}]
    _write(layout.root / "_toc.yml", {"format": "jb-book", "root": "index", "parts": parts})
    for lang in LANGUAGES:
        _write_pages(root, layout.sources(lang), labs, lang)


def solved_page(lab: Lab, lang: str) -> str:
    """The text of a notebook: the instructor's, with the teaching notes in their places."""
    page = nbformat.reads(instructor_notebook(lab, lang), as_version=4)
    for place, cell in enumerate(lab.cells):
        if cell.role == "note":
            page.cells.insert(place, new_markdown_cell(f":::::{{admonition}} {NOTE[lang]}\n{cell.text[lang]}\n:::::"))
    return str(nbformat.writes(page))


def _write_pages(root: Path, folder: Path, labs: list[Lab], lang: str) -> None:
    folder.mkdir()
    (folder / "index.md").write_text(f"# {TITLES[lang]}\n\n{START[lang]}\n", encoding="utf-8")
    for lab in labs:
        (folder / f"{lab.name}.ipynb").write_text(solved_page(lab, lang), encoding="utf-8")
    if lang != LANGUAGES[0]:
        own = merged(read_yaml(root / "book" / lang / "_lang.yml"), {"config": {"title": TITLES[lang]}})
        _write(folder / "_lang.yml", own)


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")
