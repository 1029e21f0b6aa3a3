"""What every browser test starts from: the built site on localhost, and a page of it in the browser of all tests."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import pytest

from coursekit.site.serve import serving
from minimodel.widgets import static_script, static_style

from .waking import wake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Traffic:
    """What the pages of a test asked for, and what went wrong in them."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Record a page's requests, failed answers, console errors and exceptions."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("response", lambda answer: self._note(answer.status >= 400, f"{answer.status} {answer.url}"))
        page.on("requestfailed", lambda request: self.errors.append(f"failed {request.url}"))
        page.on("console", lambda message: self._note(message.type == "error", message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def outside(self, site: str) -> list[str]:
        """The requests that left the site."""
        return [url for url in self.requests if not url.startswith((site, "data:", "blob:"))]

    def _note(self, bad: bool, text: str) -> None:
        if bad:
            self.errors.append(text)


class OpenPage(Protocol):
    """Open a page of the site, and wait until all that moves in it does."""

    def __call__(
        self,
        path: str,
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        *,
        javascript: bool = True,
        touch: bool = False,
        locale: str = "en-GB",
        awake: bool = True,
    ) -> Page: ...


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the built book, without a final slash; builds whatever is missing or stale first."""
    build = subprocess.run(
        [sys.executable, "-m", "coursekit", "build"], cwd=ROOT, text=True, capture_output=True, check=False
    )
    if build.returncode:
        pytest.fail(f"the book does not build:\n{build.stdout}\n{build.stderr}", pytrace=False)
    with serving(ROOT / "site", port=0) as address:
        yield address.rstrip("/")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages of a test of widgets lie, with what they load."""
    made = tmp_path_factory.mktemp("pages")
    (made / "widgets.css").write_text(static_style(), encoding="utf-8")
    (made / "widgets.js").write_text(static_script(), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of that folder, served."""
    with serving(folder) as base:
        yield base


@pytest.fixture
def traffic() -> Traffic:
    """What the pages that `open_page` opens in this test ask for: `traffic.requests`, `traffic.errors`."""
    return Traffic()


@pytest.fixture
def open_page(browser: Browser, site: str, traffic: Traffic) -> Iterator[OpenPage]:
    """`open_page("en/01-temperature.html", width=375, scheme="dark")` → a loaded Playwright page.

    A path is relative to the site; an address with a scheme is opened as it is.
    """
    contexts = []

    def open_one(
        path: str,
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        *,
        javascript: bool = True,
        touch: bool = False,
        locale: str = "en-GB",
        awake: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=javascript,
            has_touch=touch,
            locale=locale,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        traffic.watch(page)
        page.goto(path if "://" in path else f"{site}/{path.lstrip('/')}", wait_until="load")
        if javascript and awake:
            wake(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
