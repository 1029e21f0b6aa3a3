"""Build the whole site: both languages at once, then what holds them together.

A language whose sources, code and configuration are those of its last good build is left alone; so are the checks.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from filelock import FileLock

from coursekit.site.failures import describe
from coursekit.site.fingerprint import digest, language_fingerprint
from coursekit.site.layout import LANGUAGES, NAMES, REVIEWED, Layout
from coursekit.site.progress import tell
from coursekit.site.publishing import book_address
from coursekit.site.stage import check_pages, stage_shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

STAMP = "good-build"
"""The file in a language's work folder that holds the fingerprint of what it was built from."""


def build(root: Path, languages: Sequence[str] = LANGUAGES, say: Callable[[str], None] = print) -> bool:
    """Bring `site/` up to date in `languages`, and check it.

    Returns:
        Whether everything is good; what is not has been said, naming files and lines.

    Raises:
        ConfigError: where a page or a translated caption is missing, or `BOOK_URL` is no address.
    """
    layout, start, address = Layout(root.resolve()), time.perf_counter(), book_address()
    layout.products.mkdir(exist_ok=True)
    with FileLock(layout.products / "lock"):  # two builds of one folder would spoil each other's files
        marks = {language: language_fingerprint(layout, language) for language in languages}
        stale = [language for language in languages if _stamp(layout, language) != marks[language]]
        if stale and not _build_languages(layout, stale, say):
            say("The book was not built: site/ is as it was before.")
            return False
        for language in stale:
            (layout.work(language) / STAMP).write_text(marks[language], "utf-8")
        good = _finish(layout, languages, "".join(marks.values()), address, say)
    if good:
        say(f"{'Built' if stale else 'Up to date:'} site/index.html ({time.perf_counter() - start:.1f} s)")
    return good


def _stamp(layout: Layout, language: str) -> str | None:
    path = layout.work(language) / STAMP
    return path.read_text("utf-8") if path.is_file() else None


def _build_languages(layout: Layout, languages: Sequence[str], say: Callable[[str], None]) -> bool:
    """Build each language in a process of its own, all at the same time."""
    for language in languages:
        check_pages(layout, language)
    stage_shared(layout)
    say(f"Building {' and '.join(NAMES[language] for language in languages)}:")
    runs = {language: _start(layout, language, say) for language in languages}
    try:
        _read_ahead(layout, {language: process for language, (process, _) in runs.items()})
        failed = [language for language, (process, thread) in runs.items() if _ended(process, thread)]
    finally:
        for process, _ in runs.values():
            process.kill()
    for language in failed:
        say(describe(layout, language, _log(layout, language)))
    return not failed


def _read_ahead(layout: Layout, processes: Mapping[str, subprocess.Popen[str]]) -> None:
    """While the languages are being built, do what the checks would need time for."""
    from coursekit.site.ahead import read_ahead  # noqa: PLC0415 - docutils

    read_ahead(layout, lambda language: language in processes and processes[language].poll() is None)


def _start(layout: Layout, language: str, say: Callable[[str], None]) -> tuple[subprocess.Popen[str], threading.Thread]:
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "coursekit.site.language", str(layout.root), language],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    log = _log(layout, language)
    thread = threading.Thread(target=tell, args=(process.stdout, log, lambda line: say(f"  {language}  {line}")))
    thread.start()
    return process, thread


def _log(layout: Layout, language: str) -> Path:
    return layout.products / f"{language}.log"


def _ended(process: subprocess.Popen[str], thread: threading.Thread) -> int:
    thread.join()
    return process.wait()


def _finish(layout: Layout, languages: Sequence[str], marks: str, address: str, say: Callable[[str], None]) -> bool:
    """Compare the languages, put the site together and walk its links, unless all that was done for this very build."""
    both = set(languages) == set(LANGUAGES)
    done = layout.products / "checked"
    mark = digest(layout.root, [layout.sources(LANGUAGES[1]) / REVIEWED], extra=marks + address)
    if both and (layout.site / "index.html").is_file() and done.is_file() and done.read_text("utf-8") == mark:
        return True
    if both and not _agree(layout, say):
        return False
    say("  Putting the site together and following its links")
    if not _assemble(layout, address, say):
        return False
    if both:
        done.write_text(mark, "utf-8")
    return True


def _agree(layout: Layout, say: Callable[[str], None]) -> bool:
    from coursekit.site.parity import compare_languages  # noqa: PLC0415 - docutils, for nothing when nothing changed
    from coursekit.site.review import stale_sections  # noqa: PLC0415
    from coursekit.site.strays import stray_sentences  # noqa: PLC0415

    say("  Comparing the two languages")
    problems = [*compare_languages(layout), *stray_sentences(layout), *stale_sections(layout)]
    if problems:
        say("\nEnglish and Spanish differ:\n" + "\n".join(problems))
    return not problems


def _assemble(layout: Layout, address: str, say: Callable[[str], None]) -> bool:
    from coursekit.site.assemble import assemble  # noqa: PLC0415
    from coursekit.site.links import check_links  # noqa: PLC0415

    assemble(layout, layout.site, address)
    _, problems = check_links(layout.site)
    if problems:
        say("\nLinks that lead nowhere:\n" + "\n".join(map(str, problems)))
    return not problems
