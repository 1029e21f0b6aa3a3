"""The verb reads Lighthouse's reports, repeats what is near the limit, and fails where points are missing.

Lighthouse itself is played by a script in the place of `npx`, which writes reports in its form and notes its calls.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from coursekit.__main__ import main
from coursekit.site.layout import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

PLAYED = """\
#!{python}
import json, sys, urllib.request
from pathlib import Path
page = urllib.request.urlopen(sys.argv[3]).read().decode()
calls = Path({calls!r})
plan = json.loads({plan!r})
turn = len([line for line in calls.read_text().splitlines() if sys.argv[3] in line]) if calls.exists() else 0
with calls.open("a") as notes:
    notes.write(" ".join(sys.argv[1:]) + "\\n")
name = sys.argv[3].split("/", 3)[3]
scores = {{"performance": 1, "accessibility": 1, "best-practices": 1, "seo": int('rel="canonical"' in page)}}
for category, values in plan.get(name, {{}}).items():
    scores[category] = values[min(turn, len(values) - 1)]
audit = {{"score": 0, "title": "Too slow"}}
found = [{{"id": "a", "weight": 1}}]
categories = {{key: {{"score": one, "auditRefs": found if one < 1 else []}} for key, one in scores.items()}}
report = {{"environment": {{"benchmarkIndex": 750}}, "audits": {{"a": audit}}, "categories": categories}}
path = next(one for one in sys.argv if one.startswith("--output-path=")).partition("=")[2]
Path(path + ".report.json").write_text(json.dumps(report))
"""
CHAPTERS = ["01-one", "02-two"]


@pytest.fixture
def play(tree, tmp_path, monkeypatch):
    """`play(plan)` runs the verb on a small site, with the scores of `plan`, by page, category and turn."""
    for page in CHAPTERS:
        tree.page(page, "")
    tree.page("glossary", "")
    layout = tree.finish()
    for language in LANGUAGES:
        for page in ["index", *CHAPTERS]:
            edition = f'<link rel="alternate" hreflang="en" href="../en/{page}.html">'
            tree.write(f"_build/work/{language}/html/{page}.html", edition)
    calls = tmp_path / "calls"

    def run(plan: dict[str, dict[str, list[float]]]) -> tuple[int, list[str]]:
        npx = tree.write("bin/npx", PLAYED.format(python=sys.executable, calls=str(calls), plan=json.dumps(plan)))
        npx.chmod(0o755)
        tree.write("bin/chromium", "").chmod(0o755)
        monkeypatch.setenv("PATH", f"{npx.parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.delenv("CHROME_PATH", raising=False)
        return main(["lighthouse", "--root", str(layout.root)]), calls.read_text("utf-8").splitlines()

    return run


def test_all_chapters_and_start_pages_are_looked_at_as_they_will_be_published(play, capsys) -> None:
    code, calls = play({})
    assert code == 0
    said = capsys.readouterr().out
    looked = [f"{language}/{page}.html" for language in LANGUAGES for page in ("index", *CHAPTERS)]
    assert [line.split()[0] for line in said.splitlines() if line.endswith(" 100")] == looked
    assert len(calls) == len(looked) + 1
    assert "lighthouse@12.8.2" in calls[0]
    assert "cpuSlowdownMultiplier=4.00" in calls[0]
    assert all("cpuSlowdownMultiplier=2.00" in call for call in calls[1:])


@pytest.mark.parametrize("category", ["accessibility", "best-practices", "seo"])
@pytest.mark.parametrize("page", ["en/index.html", "es/02-two.html"])
def test_a_point_missing_is_an_error_and_is_named(play, capsys, category: str, page: str) -> None:
    code, _ = play({page: {category: [0.99]}})
    assert code == 1
    assert f"    {category}: Too slow" in capsys.readouterr().out


@pytest.mark.parametrize(("speeds", "code"), [([0.8, 0.95, 0.9], 0), ([0.95, 0.8, 0.89], 1), ([0.7], 1)])
def test_of_three_speeds_near_the_limit_the_middle_one_counts(play, speeds: list[float], code: int) -> None:
    failed, calls = play({"es/01-one.html": {"performance": speeds}})
    assert failed == code
    assert len([call for call in calls if "es/01-one.html" in call]) == 3


def test_nothing_is_asked_of_the_start_page_s_speed(play) -> None:
    assert play({"en/index.html": {"performance": [0.1]}})[0] == 0


def test_without_npx_it_says_what_to_install(tree, monkeypatch, tmp_path: Path, capsys) -> None:
    layout = tree.finish()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["lighthouse", "--root", str(layout.root)]) == 1
    assert "install Node.js 18.16 or newer" in capsys.readouterr().err
