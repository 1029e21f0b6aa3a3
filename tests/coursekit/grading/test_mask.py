"""The minimodel of the sandbox: without what a lab asks for, and with all the rest."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.grading.mask import write_masked

ASKED = ("log_softmax", "entropy", "distinct", "generate")


def python(folder: Path, code: str) -> str:
    paths = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(Path(__file__).parents[3] / 'src')!r}]\n"
    done = subprocess.run([sys.executable, "-I", "-c", paths + code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masked")
    write_masked(ASKED, folder)
    return folder


@pytest.mark.parametrize(
    "call",
    [
        "log_softmax([0.0])",
        "entropy([1.0])",
        "distinct([[1]])",
        "type_token_ratio([1])",
        "sample(None, [1], max_tokens=1, seed=1, strategy=None)",
        "perplexity([1.0])",
    ],
)
def test_what_is_asked_for_refuses_by_whatever_way_it_is_reached(folder: Path, call: str) -> None:
    name = {"perplexity([1.0])": "entropy"}.get(call, call.split("(", maxsplit=1)[0])
    assert f"Borrowed: {name}" in python(folder, f"import minimodel; minimodel.{call}")


def test_its_source_is_not_there_either(folder: Path) -> None:
    tree = ast.parse((folder / "minimodel/measures/information.py").read_text(encoding="utf-8"))
    entropy = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "entropy")
    assert "raise Borrowed" in ast.unparse(entropy.body)
    assert len(ast.unparse(entropy.body).splitlines()) == 2


def test_the_rest_works(folder: Path) -> None:
    code = "from minimodel import MiniGPT, softmax\nprint(MiniGPT.load('en').vocab_size, softmax([0.0, 0.0]))"
    assert python(folder, code) == "64 [0.5 0.5]\n"


def test_widgets_are_named_and_not_drawn(folder: Path) -> None:
    code = (
        "from minimodel.widgets import explore, FourSamplers; print(explore(abs), FourSamplers.for_prompts('en').tau)"
    )
    assert python(folder, code) == "(a widget, not drawn while grading) (a widget, not drawn while grading)\n"
