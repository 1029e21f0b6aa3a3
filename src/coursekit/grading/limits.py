"""What a submission may use. More than any honest lab needs, and little enough that a class is graded in time."""

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """The limits of one submission.

    Attributes:
        cell_seconds: for one cell of the notebook.
        run_seconds: for all cells together.
        call_seconds: for one call of a student's function by a test.
        test_seconds: for all calls of one test cell together.
        restarts: how often the notebook is run again without a cell that took the process down.
        grace_seconds: between asking a cell to stop and ending the process that it runs in.
        process_bytes: address space of one process.
        total_bytes: memory of all processes together.
        disk_bytes: of the folder that cells may write in, and of any one file.
        processes: how many may run at once, threads counted.
        output_bytes: kept of one cell's text output.
        notebook_bytes: kept of all outputs together, pictures included.
    """

    cell_seconds: float = 30
    run_seconds: float = 120
    call_seconds: float = 5
    test_seconds: float = 20
    restarts: int = 3
    grace_seconds: float = 1
    process_bytes: int = 3072 * MIB
    total_bytes: int = 2048 * MIB
    disk_bytes: int = 64 * MIB
    processes: int = 64
    output_bytes: int = 100_000
    notebook_bytes: int = 8 * MIB
