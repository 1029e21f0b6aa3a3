"""The command line: its verbs, and its errors in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from coursekit.__main__ import main


def test_without_a_verb_all_are_listed(capsys) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    for verb in ("build", "serve", "links", "stamp", "labs", "instructor-book", "lab", "check"):
        assert f"\n    {verb}" in listed


def test_an_unknown_language_is_named(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["build", "--lang", "fr"])
    assert "language is 'fr': expected one of 'en', 'es'" in capsys.readouterr().err


def test_a_mistake_is_said_in_one_line(tmp_path, capsys) -> None:
    (tmp_path / "book").mkdir()
    assert main(["build", "--root", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "_toc.yml does not exist" in error
    assert error.count("\n") == 1


def test_links_wants_a_site(tmp_path, capsys) -> None:
    assert main(["links", "--root", str(tmp_path)]) == 1
    assert "run `python -m coursekit build` first" in capsys.readouterr().err


def test_links_counts_and_fails(tmp_path, capsys) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text('<a href="gone.html">')
    assert main(["links", "--root", str(tmp_path)]) == 1
    assert "index.html: gone.html: there is no such file\n1 links checked, 1 bad" in capsys.readouterr().out


def test_the_module_runs_and_imports_nothing_heavy() -> None:
    code = "import sys; from coursekit.__main__ import main; main([]); print([m for m in sys.modules if m in HEAVY])"
    heavy = "HEAVY = {'sphinx', 'docutils', 'nbgrader', 'jupyter_book', 'torch', 'numpy', 'nbclient'};"
    run = subprocess.run([sys.executable, "-c", heavy + code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("[]\n")
