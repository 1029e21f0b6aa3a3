"""Continue a text on the command line: ``python -m minimodel "Tomorrow she" --top-p 0.9 --seed 7``."""

import os
import sys
from collections.abc import Sequence

INTERRUPTED, BROKEN_PIPE = 130, 141  # 128 + the number of the signal, as a shell has it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status: 0, 2 for bad input, 130 after Ctrl-C, 141 with no one to read."""
    try:
        from minimodel.cli.command import run  # noqa: PLC0415 - takes a tenth of a second, in which Ctrl-C may come

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # as of `| head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python itself flushes on leaving
        return BROKEN_PIPE


if __name__ == "__main__":
    sys.exit(main())
