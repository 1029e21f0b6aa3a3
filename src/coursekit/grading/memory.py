"""How much memory a process and all its descendants use.

The kernel's own limit is for one process; what holds for many together are control groups, which not every host lets
an ordinary user have. So the grader looks, twenty times a second.
"""

from collections.abc import Iterator
from pathlib import Path

PAGE = 4096


def memory_of_tree(root: int, enough: int) -> int:
    """Return the bytes in use by ``root``'s descendants, what they share counted once where it comes to ``enough``."""
    family = list(descendants(root))
    resident = sum(map(_resident, family))
    return resident if resident <= enough else sum(map(_proportional, family))


def descendants(root: int) -> Iterator[int]:
    """The processes below ``root``, nearest first."""
    try:
        texts = [path.read_text(encoding="ascii") for path in Path(f"/proc/{root}/task").glob("*/children")]
    except OSError:
        return  # it has just ended
    for child in (int(word) for text in texts for word in text.split()):
        yield child
        yield from descendants(child)


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _proportional(process: int) -> int:
    """Memory with what is shared divided among those who share it, or all of it where that is not told."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return _resident(process)
