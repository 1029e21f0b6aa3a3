"""One grading in a process of its own: as `python -m coursekit grade`, with the rows as JSON in place of a table.

python -m benchmarks.driver ROOT LAB WORKERS
"""

import json
import resource
import sys
import time
from dataclasses import asdict
from pathlib import Path

from coursekit.grading.course import Course
from coursekit.grading.driver import Grading, Options, Row

EVERY = 30  # seconds between two lines of progress


def main(root: str, lab: str, workers: str) -> None:
    """Grade, tell of it on stderr now and then, and print the rows and this process's largest memory."""
    grading = Grading(Course(Path(root)), lab, Options(workers=int(workers)))
    done, told = 0, time.monotonic()

    def tell(_: Row) -> None:
        nonlocal done, told
        done += 1
        if time.monotonic() > told + EVERY:
            told = time.monotonic()
            print(f"  {done} of {len(grading.folders)}, {_peak():.0f} MB", file=sys.stderr, flush=True)

    rows = [asdict(row) | {"points": row.points, "out_of": row.out_of} for row in grading.run(tell)]
    json.dump({"rows": rows, "peak_mb": _peak()}, sys.stdout)


def _peak() -> float:
    """The most memory that this process has had, in MB; that of its children is not in it."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
