"""The listings of the book are cut out of the source; what is typed above them must belong to it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from coursekit.site.layout import LANGUAGES

ROOT = Path(__file__).resolve().parents[3]
LISTING = re.compile(r"```\{literalinclude\} (?P<file>\S+)\n:pyobject: (?P<name>\S+)\n(?P<options>(?::.*\n)+)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_typed_over_a_listing_names_what_the_function_takes(language):
    """In the function's order; types, defaults and what a lesson has no use for may be left out."""
    heads = 0
    for page in sorted((ROOT / "book" / language).glob("*.md")):
        for listing in LISTING.finditer(page.read_text("utf-8")):
            if not (head := re.search(r':prepend: "(.*)"', listing["options"])):
                continue
            tree = ast.parse((page.parent / listing["file"]).read_text("utf-8"))
            functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            [whole] = [node for node in functions if node.name == listing["name"].split(".")[-1]]
            [typed] = ast.parse(head[1] + " ...").body
            names = [[arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)] for node in (typed, whole)]
            assert typed.name == whole.name
            assert [name for name in names[1] if name in names[0]] == names[0], page.name
            heads += 1
    assert heads > 5
