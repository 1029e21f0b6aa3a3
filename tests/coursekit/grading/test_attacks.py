"""Every attack and every accident in attacks.toml, against the grader."""

import json
import socket
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coursekit.grading.execute import execute
from coursekit.grading.limits import Limits

from .lab import marks, notebook

ATTACKS = tomllib.loads((Path(__file__).parent / "attacks.toml").read_text(encoding="utf-8"))["attack"]
CELLS = ("first", "half", "twice", "calls", "last")
QUICK = Limits(cell_seconds=2, call_seconds=2, run_seconds=30, test_seconds=4)


CASES = [pytest.param(each, id=each["id"], marks=[pytest.mark.slow] if each.get("slow") else []) for each in ATTACKS]


@pytest.fixture(scope="session")
def listening() -> Iterator[int]:
    """The port of a service on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A file of the instructor's, untouched afterwards."""
    path = tmp_path / "gradebook.db"
    path.write_text("TOP-SECRET", encoding="utf-8")
    yield path
    assert path.read_text(encoding="utf-8") == "TOP-SECRET"


def texts(graded: Mapping[str, Any]) -> str:
    """All that the student could get to see."""
    return "\n".join(json.dumps(cell.get("outputs", [])) for cell in graded["cells"])


def graded(attack: Mapping[str, Any], secret: Path, port: int) -> dict[str, Any]:
    cells = {
        name: attack[name].replace("@SECRET@", str(secret)).replace("@PORT@", str(port))
        for name in CELLS
        if name in attack
    }
    return json.loads(execute(notebook(), notebook(**cells), replace(QUICK, cell_seconds=attack.get("seconds", 2))))


@pytest.mark.parametrize("attack", CASES)
def test_attack(attack: Mapping[str, Any], secret: Path, listening: int) -> None:
    result = graded(attack, secret, listening)
    items, shown = result["metadata"]["coursekit"]["items"], texts(result)
    assert marks(result).items() >= attack["marks"].items(), items
    for name, kind in attack.get("kinds", {}).items():
        assert items[f"test_{name}"]["kind"] == kind
    for name, hint in attack.get("hint", {}).items():
        assert hint in items[f"test_{name}"]["hint"]
    assert not [text for text in attack.get("hides", ()) if text in shown]
    plain = shown.encode().decode("unicode_escape")
    assert not [text for text in attack.get("shows", ()) if text not in plain], plain
    assert [event["event"] for event in result["metadata"]["coursekit"]["events"]] == attack.get("events", [])
    assert len(json.dumps(result, ensure_ascii=False).encode()) < 10 * 2**20  # and can be written to a file
