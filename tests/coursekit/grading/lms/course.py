"""A course folder with one lab, and archives as learning management systems hand them out."""

import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[4]
LAB = "00-greedy"
BLANK = (ROOT / f"labs/en/{LAB}/{LAB}.ipynb").read_bytes()


def course(base: Path) -> Path:
    """A course with the one lab, and no students yet."""
    root = base / "course"
    root.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for lang in ("en", "es"):
        shutil.copytree(ROOT / f"solutions/{lang}/{LAB}", root / f"solutions/{lang}/{LAB}")
    shutil.copy(ROOT / f"solutions/{LAB}.md", root / "solutions")
    return root


def work(mark: str) -> bytes:
    """A submission that can be told from the others."""
    nb = json.loads(BLANK)
    nb["cells"].append({"cell_type": "markdown", "id": "mine", "metadata": {}, "source": mark})
    return json.dumps(nb).encode()


def archive(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return path
