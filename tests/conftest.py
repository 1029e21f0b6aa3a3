"""What holds for all tests."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

# before NumPy is imported: the matrices are small, and more threads for one of them only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("course", deadline=None)  # a slow machine is no failure
settings.load_profile("course")

# A shell lets what it runs in the background ignore Ctrl-C, and so would everything that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run, since Playwright starts once; without it the tests are skipped, and say so."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("browser test not run: no Chromium on this machine (`make browser` installs Debian's)")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  most tests need none

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield launched
        launched.close()
