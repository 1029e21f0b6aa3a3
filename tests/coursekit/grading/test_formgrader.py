"""The formgrader, nbgrader's own, in a real browser: autograde, a written answer marked by hand, feedback.

What a student wrote runs nowhere. Slow: it starts a Jupyter server.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[3]
LAB, STUDENT, HAND, COMMENT = "03-diversity-vs-accuracy", "ada", 1.0, "Say which curve you mean."


def script(place: str) -> str:
    """JavaScript that tells where it was, and asks Jupyter for the instructor's files."""
    return f"document.title+=' OWNED by {place}'; fetch('/api/contents')"


HOSTILE = f"""
from IPython.display import display, HTML, Javascript, Markdown, SVG
display(HTML("<script>{script("html")}</script><img src=x onerror=\\"{script("an image in html")}\\">"))
display(Javascript("{script("javascript")}"))
display(Markdown("<script>{script("markdown")}</script>"))
display({{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload=\\"{script("svg")}\\"></svg>"}}, raw=True)
print("<script>{script("text")}</script>")
"""
EXTENSION = {"ServerApp": {"jpserver_extensions": {"nbgrader.server_extensions.formgrader": True}}}

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with one submission: solved, and with scripts in whatever can hold them."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copytree(ROOT / f"solutions/en/{LAB}", tmp_path / f"solutions/en/{LAB}")
    notebook = json.loads((tmp_path / f"solutions/en/{LAB}/{LAB}.ipynb").read_text(encoding="utf-8"))
    prose = {"cell_type": "markdown", "id": "prose", "metadata": {}}
    prose["source"] = f'<script>{script("prose")}</script><img src=x onerror="{script("an image in prose")}">'
    code = {
        "cell_type": "code",
        "id": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": HOSTILE,
    }
    notebook["cells"][:0] = [prose, code]
    folder = tmp_path / f"grading/submitted/{STUDENT}/{LAB}"
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    subprocess.run(["nbgrader", "generate_assignment", LAB], cwd=tmp_path, env=environment(), check=True)
    return tmp_path


def environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COURSE_LANG": "en"}


@contextmanager
def serving(course: Path) -> Iterator[str]:
    """The formgrader's address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (course / "jupyter_server_config.json").write_text(json.dumps(EXTENSION), encoding="utf-8")
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--no-browser"]
    if os.getuid() == 0:
        options.append("--allow-root")
    log = (course / "server.log").open("w", encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", *options], cwd=course, env=environment(), stdout=log, stderr=log
    )
    try:
        for _ in range(120):
            with suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/status").close()
                break
            assert server.poll() is None, (course / "server.log").read_text(encoding="utf-8")
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/formgrader"
    finally:
        server.terminate()
        server.wait()
        log.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(60_000)
    yield page
    page.close()


def written(course: Path) -> tuple[str, str, float]:
    """The address of the submission's page, the grade id of its written answer, and the points that tests gave."""
    with Gradebook(f"sqlite:///{course}/grading/gradebook.db") as book:
        notebook = book.find_submission(LAB, STUDENT).notebooks[0]
        by_hand = next(grade for grade in notebook.grades if grade.cell.cell_type == "markdown")
        return notebook.id, by_hand.name, notebook.score


def marked(course: Path, name: str) -> tuple[float | None, str | None]:
    """The points and the comment that the written answer was given."""
    with Gradebook(f"sqlite:///{course}/grading/gradebook.db") as book:
        grade = book.find_grade(name, LAB, LAB, STUDENT)
        return grade.manual_score, book.find_comment(name, LAB, LAB, STUDENT).comment


def wait_for(page: Page, told: str) -> None:
    """Wait for the formgrader's own words, and close its dialog."""
    page.get_by_text(told).wait_for()
    page.get_by_role("button", name="OK").click()


def test_autograde_a_mark_by_hand_and_feedback_in_the_browser(course: Path, page: Page) -> None:
    asked, titles = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    with serving(course) as formgrader:
        page.goto(f"{formgrader}/manage_submissions/{LAB}")
        row = page.locator("tbody tr", has_text=STUDENT)
        row.locator(".autograde a").click()
        wait_for(page, f"Successfully autograded '{LAB}' for student '{STUDENT}'")
        address, name, automatic = written(course)
        assert automatic > 0
        row.get_by_text(f"{automatic:g} /").wait_for()

        page.goto(f"{formgrader}/submissions/{address}")
        # what is typed before it has loaded the marks, the formgrader forgets
        page.wait_for_function("formgrader.grades?.loaded && formgrader.comments?.loaded")
        page.locator(f"input.score#{name}").fill(f"{HAND:g}")
        page.locator(f"textarea#{name}-comment").fill(COMMENT)
        page.locator(f"textarea#{name}-comment").blur()
        page.wait_for_function("document.querySelectorAll('.comment-saved').length > 0")
        deadline = time.monotonic() + 20
        while marked(course, name) != (HAND, COMMENT):
            assert time.monotonic() < deadline, marked(course, name)
            time.sleep(0.2)
        titles.append(page.title())
        assert "fetch(" in page.locator("body").inner_text()  # it is there, to be read

        page.goto(f"{formgrader}/manage_submissions/{LAB}")
        row.locator(".generate-feedback a").click()
        wait_for(page, f"Successfully generated feedback for '{LAB}' for student '{STUDENT}'")
        feedback = course / f"grading/feedback/{STUDENT}/{LAB}/{LAB}.html"
        page.goto(feedback.as_uri())
        titles.append(page.title())
        assert COMMENT in page.locator("body").inner_text()
    assert [title for title in titles if "OWNED" in title] == []
    assert not [url for url in asked if "/api/contents" in url]
