"""The walk over the built pages finds every link that leads nowhere, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from coursekit.site.links import check_links

if TYPE_CHECKING:
    from pathlib import Path

TWO = '<h1 id="here">Two</h1><a name="old">x</a>'
GOOD = [
    '<a href="two.html">',
    '<a href="two.html#here">',
    '<a href="two.html#old">',
    '<a href="#top">',
    '<a href="sub/">',
    '<a href="two.html?q=1#here">',
    '<a href="spaced%20name.html">',
    '<a href="https://example.org/x">',
    '<a href="mailto:a@b.org">',
    '<a href="../es/not-built.html">',
    '<link rel="alternate" hreflang="en" href="two.html">',
    '<img src="data:image/png;base64,AAAA">',
]
BAD = {
    '<a href="gone.html">': "there is no such file",
    '<a href="two.html#gone">': "there is no such anchor on that page",
    '<a href="#gone">': "there is no such anchor on that page",
    '<a href="../../secret.html">': "leads out of the site's folder",
    '<img src="gone.png">': "there is no such file",
    '<script src="https://cdn.jsdelivr.net/npm/x.js"></script>': "is loaded from another site",
    '<script src="//unpkg.com/x.js"></script>': "is loaded from another site",
    '<link rel="stylesheet" href="https://fonts.example.org/a.css">': "is loaded from another site",
    '<iframe src="https://example.org"></iframe>': "is loaded from another site",
    '<script type="application/vnd.jupyter.widget-view+json">{}</script>': "a widget without HTML of its own",
}


def problems(site: Path, element: str) -> list[str]:
    folder = site / "en"
    (folder / "sub").mkdir(parents=True)
    for name, text in (("two", TWO), ("spaced name", ""), ("sub/index", ""), ("one", f'<p id="top">{element}')):
        (folder / f"{name}.html").write_text(text)
    return [str(problem) for problem in check_links(site)[1]]


@pytest.mark.parametrize("element", GOOD)
def test_a_good_link_passes(tmp_path: Path, element: str) -> None:
    assert problems(tmp_path / "site", element) == []


@pytest.mark.parametrize("element", BAD)
def test_a_bad_link_is_named_with_its_page(tmp_path: Path, element: str) -> None:
    (problem,) = problems(tmp_path / "site", element)
    assert problem.startswith("en/one.html: ")
    assert BAD[element] in problem


def test_every_link_is_counted(tmp_path: Path) -> None:
    problems(tmp_path, '<a href="two.html"><a href="two.html#here"><img src="two.html">')
    assert check_links(tmp_path)[0] == 3
