"""Started as root: let go of root first, then become bubblewrap.

Root's limits do not hold (RLIMIT_NPROC has no effect on user 0, whatever a namespace calls it), so the sandbox is built
by user nobody. What it shows of this machine may lie where nobody cannot go, so it is first mounted, read-only and for
this process alone, under a folder that nobody can reach.

Run as ``python -I as_nobody.py STAGE PATH … -- COMMAND …``.
"""

import ctypes
import os
import sys
from pathlib import Path

NOBODY = 65534
_NEW_MOUNTS, _RECURSIVE_PRIVATE, _RECURSIVE_BIND = 0x20000, 0x4000 | 0x40000, 0x1000 | 0x4000
_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Stage the paths, become nobody, and execute the command."""
    stage, *paths = sys.argv[1 : sys.argv.index("--")]
    command = sys.argv[sys.argv.index("--") + 1 :]
    _check(_libc.unshare(_NEW_MOUNTS), "unshare")
    _mount("none", "/", None, _RECURSIVE_PRIVATE)
    _mount("tmpfs", stage, "tmpfs", 0)
    Path(stage).chmod(0o755)
    for path in paths:
        staged = Path(stage + path)
        staged.mkdir(parents=True)
        _mount(path, str(staged), None, _RECURSIVE_BIND)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execv(command[0], command)  # noqa: S606  no shell is meant


def _mount(source: str, target: str, kind: str | None, flags: int) -> None:
    options = b"mode=755" if kind == "tmpfs" else None
    arguments = source.encode(), target.encode(), kind and kind.encode(), ctypes.c_ulong(flags), options
    _check(_libc.mount(*arguments), f"mount {target}")


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main()
