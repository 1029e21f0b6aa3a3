"""What a notebook reads: a list of the files that it opens and the modules that it imports, kept in a file."""

import os
import sys
from pathlib import Path
from typing import Any


def record(log: str) -> None:
    """From now on write into ``log`` each path that this process asks to read, a line each.

    An import of ``tools`` counts as ``tools.py``. What is asked for and not there is on the list too.
    """
    seen, lines = set[str](), Path(log).open("w", encoding="utf-8")  # noqa: SIM115  open until the process ends

    def hook(event: str, args: tuple[Any, ...]) -> None:
        name = f"{args[0]}.py" if event == "import" else args[0] if event == "open" and _is_reading(*args) else None
        if isinstance(name, str) and name not in seen:
            seen.add(name)
            print(name, file=lines, flush=True)

    sys.addaudithook(hook)


def left_behind(asked: list[str], beside: Path, clean: Path) -> list[str]:
    """Which of the files ``asked`` for lie ``beside`` the notebook or in the student's home, but not where it is graded.

    Args:
        asked: paths, as the notebook gave them.
        beside: the notebook's own folder.
        clean: where it was run, with nothing else in it to begin with.
    """
    return [name for name in asked if _is_left_behind(Path(name), beside, clean)]


def _is_left_behind(path: Path, beside: Path, clean: Path) -> bool:
    if not path.is_absolute():
        return (beside / path).is_file() and not (clean / path).exists()
    if not path.is_file() or path.is_relative_to(clean):
        return False
    return path.is_relative_to(beside) or _is_personal(path)


def _is_personal(path: Path) -> bool:
    """Whether a file lies in the home folder, and neither among programs nor in a hidden folder, such as a cache."""
    if not path.is_relative_to(Path.home()) or any(entry and path.is_relative_to(entry) for entry in sys.path):
        return False
    return not any(part.startswith(".") for part in path.relative_to(Path.home()).parts)


def _is_reading(_: object, mode: str | None, flags: int) -> bool:
    return "r" in mode if mode else flags & os.O_ACCMODE == os.O_RDONLY
