"""The pinned environment can be installed by whom the course says: everybody who has a Python that it names."""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]


def test_every_pinned_package_takes_the_oldest_python_that_the_course_takes() -> None:
    """Debian 12's own is 3.11.2."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    [oldest] = re.findall(r">=([\d.]+)", asked)
    names = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    wanted = {name: metadata(name).get("Requires-Python") or "" for name in names}
    assert len(wanted) > 100
    assert {name: python for name, python in wanted.items() if f"{oldest}.0" not in SpecifierSet(python)} == {}
