"""The table of pictures names the cell that draws each and the cells of its data, as the code itself says."""

from __future__ import annotations

import re

import pytest

from coursekit.site.build import build
from coursekit.site.provenance import data_cells

COLOPHON = """\
(sec-colophon)=
# Colophon

:::{pictures}
:::
"""
CHAPTER = """\
(sec-one)=
# One

```{code-cell} python3
import json
data = [3, 1, 2]
```

```{code-cell} python3
:tags: [remove-cell]
more = sorted(data)
```

```{code-cell} python3
---
mystnb:
  figure:
    name: fig-one
    caption: |
      A figure.
---
from IPython.display import SVG
SVG(f'<svg xmlns="http://www.w3.org/2000/svg" width="{sum(data)}" height="{more[0]}"></svg>')
```
"""


@pytest.mark.parametrize(
    ("codes", "cells"),
    [
        (["a = 1", "b = 2", "a + b"], [1, 2]),
        (["a = 1", "a = 2", "print(a)"], [2]),
        (["import a", "a.b()"], []),
        (["def f():\n    x = 1", "x = 2", "f()"], [1]),
        (["x = 1", "def f():\n    x = 2\n    return x", "print(x)"], [1]),
        (["a, (b, *c) = 1, (2, 3)", "c"], [1]),
        (["a = 1", "a = 5\nprint(a)"], []),
        (["%matplotlib inline\na = 1", "for i in a: print(i)"], [1]),
    ],
)
def test_the_last_cells_to_give_a_value_are_named(codes: list[str], cells: list[int]) -> None:
    assert data_cells(codes, len(codes)) == cells


def test_the_table_leads_to_the_figure_and_to_its_cells(running_tree) -> None:
    running_tree.page("colophon", COLOPHON)
    running_tree.page("one", CHAPTER, cells=True)
    layout = running_tree.finish()
    said: list[str] = []
    assert build(layout.root, ["en"], say=said.append), "\n".join(said)
    page = (layout.site / "en" / "one.html").read_text("utf-8")
    table = (layout.site / "en" / "colophon.html").read_text("utf-8").partition("<tbody>")[2].partition("</tbody>")[0]
    assert re.findall(r'href="([^"]*)"', table) == [
        "one.html",
        "one.html#fig-one",
        "one.html#cell-3",
        "one.html#cell-1",
    ]
    assert re.sub(r"<[^>]+>", " ", table).split() == ["One", "Fig.", "1", "[3]", "[1]", "[2]"]
    assert {"fig-one", "cell-1", "cell-3"} <= set(re.findall(r'id="([^"]+)"', page))
    assert 'id="cell-2"' not in page
