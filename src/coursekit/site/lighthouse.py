"""Hold the site against Google's Lighthouse: `make lighthouse` prints its four scores of the pages that readers open.

The site is looked at as it will be published: at a known address, compressed. Lighthouse plays a phone on a slow line,
four times slower than a good desktop; a machine that is slower than one to begin with is slowed down less, as
https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md asks for.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.site.assemble import assemble
from coursekit.site.config import book_toc, pages
from coursekit.site.layout import LANGUAGES
from coursekit.site.serve import serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from coursekit.site.layout import Layout

VERSION = "12.8.2"
LEAST = {"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}
"""What a chapter must reach; of the start page's performance nothing is asked."""
NEAR = 10
"""A page whose performance is not this far above the least is measured twice more, and the middle one counts."""
GOOD = 0.9
"""Lighthouse paints a score from here on green."""
SLOWDOWN, DESKTOP = 4.0, 1500.0
"""Lighthouse's own slowdown, and the benchmark index of the machines that it is meant for."""


FLAGS = "--headless=new --no-sandbox --disable-gpu"
"""Chromium has no sandbox of its own as root or in a container; the pages are ours."""


class Result(NamedTuple):
    """Lighthouse's scores of a page, 0 to 100 by category, the audits that cost points, the machine's speed."""

    page: str
    scores: dict[str, int]
    found: list[str]
    machine: float

    @property
    def missed(self) -> list[str]:
        """The categories in which the page has too few points."""
        asked = [name for name in LEAST if name != "performance" or not self.page.endswith("index.html")]
        return [name for name in asked if self.scores[name] < LEAST[name]]


def result(page: str, report: dict[str, Any]) -> Result:
    """What matters of Lighthouse's report on a page.

    >>> audits = {"a": {"score": 0.5, "title": "Slow", "displayValue": "3 s"}, "b": {"score": None, "title": "Other"}}
    >>> refs = [{"id": "a", "weight": 10}, {"id": "b", "weight": 0}]
    >>> speed = {"performance": {"score": 0.875, "auditRefs": refs}}
    >>> result("p", {"categories": speed, "audits": audits, "environment": {"benchmarkIndex": 1000}}).found
    ['performance: Slow (3 s)']
    """
    scores = {name: round(100 * category["score"]) for name, category in report["categories"].items()}
    found = [
        f"{name}: {audit['title']} ({audit.get('displayValue', 'no')})"
        for name, category in report["categories"].items()
        for audit in (report["audits"][one["id"]] for one in category["auditRefs"] if one["weight"])
        if audit["score"] is not None and audit["score"] < GOOD
    ]
    return Result(page, scores, found, float(report["environment"]["benchmarkIndex"]))


@dataclass(frozen=True)
class Run:
    """How Lighthouse is called: its command line, the site's address, the folder of its reports, the slowdown."""

    command: tuple[str, ...]
    environment: dict[str, str]
    address: str
    reports: Path
    slowdown: float = SLOWDOWN

    def of(self, page: str) -> Result:
        """Look at a page once.

        Raises:
            ValueError: with what Lighthouse said, where it could not.
        """
        report = self.reports / page.removesuffix(".html").replace("/", "-")
        options = ["--output=json", "--output=html", f"--output-path={report}", "--quiet", "--chrome-flags=" + FLAGS]
        speed = f"--throttling.cpuSlowdownMultiplier={self.slowdown:.2f}"
        call = [*self.command, self.address + page, *options, speed]
        done = subprocess.run(call, env=self.environment, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise ValueError(f"Lighthouse could not look at {page}:\n{done.stderr.strip()[-2000:]}")
        return result(page, json.loads(report.with_name(f"{report.name}.report.json").read_text("utf-8")))

    def middle(self, page: str) -> Result:
        """Look at a page, twice more where its performance is near or below what it must be."""
        first = self.of(page)
        if first.scores["performance"] >= LEAST["performance"] + NEAR or page.endswith("index.html"):
            return first
        return sorted([first, self.of(page), self.of(page)], key=lambda one: one.scores["performance"])[1]


def lighthouse(layout: Layout, say: Callable[[str], None] = print) -> bool:
    """Look at the start page and the chapters in both languages; say the scores and what costs points.

    Returns:
        Whether every page has the points that it must have.

    Raises:
        FileNotFoundError: where `npx` or a Chromium is missing, saying what to install.
    """
    command, environment = _npx(), {**os.environ, "CHROME_PATH": _browser()}
    reports = layout.products / "lighthouse"
    reports.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address:
        assemble(layout, Path(folder), address)
        run = _calibrated(Run(command, environment, address, reports), say)
        results = [_told(run.middle(page), say) for page in looked_at(layout)]
    say(f"What it found, page by page: {reports.relative_to(layout.root)}/*.report.html")
    return not any(one.missed for one in results)


def _calibrated(run: Run, say: Callable[[str], None]) -> Run:
    """The run with the slowdown that fits this machine, as a first look at the start page finds it."""
    index = run.of(f"{LANGUAGES[0]}/index.html").machine
    slowdown = min(SLOWDOWN, max(1.0, SLOWDOWN * index / DESKTOP))
    say(f"This machine's benchmark index is {index:.0f}: slowed down {slowdown:.1f} times to play a phone.")
    say(f"{'':<28}{'performance':>12}{'accessibility':>15}{'best practices':>16}{'SEO':>5}")
    return Run(run.command, run.environment, run.address, run.reports, slowdown)


def _told(one: Result, say: Callable[[str], None]) -> Result:
    points = [one.scores[name] for name in LEAST]
    say(f"{one.page:<28}{points[0]:>12}{points[1]:>15}{points[2]:>16}{points[3]:>5}")
    for found in one.found if one.missed else []:
        say(f"    {found}")
    return one


def looked_at(layout: Layout) -> list[str]:
    """The start page and the chapters, whose names begin with their number, in every language."""
    listed = [page for page in pages(book_toc(layout, LANGUAGES[0])) if page == "index" or page[0].isdigit()]
    return [f"{language}/{page}.html" for language in LANGUAGES for page in listed]


def _npx() -> tuple[str, ...]:
    npx = shutil.which("npx")
    if npx is None:
        raise FileNotFoundError(
            "there is no npx here, which fetches Lighthouse: install Node.js 18.16 or newer with npm"
        )
    return npx, "--yes", f"lighthouse@{VERSION}"


def _browser() -> str:
    known = (os.environ.get("CHROME_PATH", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in known if name and (path := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError("there is no Chromium here, which Lighthouse drives: install it (`make browser`)")
    return found
