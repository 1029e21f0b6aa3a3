"""Continue a text on the command line: ``python -m minimodel "Tomorrow she" --top-p 0.9 --seed 7``."""

import os
import sys
from collections.abc import Sequence

INTERRUPTED, BROKEN_PIPE = 130, 141  # 128 + the number of the signal, as a shell has it
INPUT_OR_OUTPUT = 74  # EX_IOERR of sysexits.h


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    That is 0; 2 for bad input; 74 where writing fails; 130 after Ctrl-C; 141 with no one to read.
    """
    try:
        from minimodel.cli.command import run  # noqa: PLC0415 - takes a tenth of a second, in which Ctrl-C may come

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # as of `| head -1`
        _write_no_more()
        return BROKEN_PIPE
    except OSError as error:  # as of a full disk
        _write_no_more()
        print(f"minimodel: {error.strerror or error}", file=sys.stderr)
        return INPUT_OR_OUTPUT


def _write_no_more() -> None:
    """Let what Python itself flushes on leaving go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
