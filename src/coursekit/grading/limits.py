"""What a submission may use. More than any honest lab needs, and little enough that a class is graded in time."""

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """The limits of one submission.

    Attributes:
        cell_seconds: for one cell of the notebook, of which it may compute half; see `for_a_cell`.
        run_seconds: for all cells together.
        call_seconds: for one call of a student's function by a test.
        test_seconds: for all calls of one test cell together.
        restarts: how often the notebook is run again without a cell that took the process down.
        task_seconds: for all of it, after which the process that grades it is ended.
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
    task_seconds: float = 900
    grace_seconds: float = 5
    process_bytes: int = 3072 * MIB
    total_bytes: int = 2048 * MIB
    disk_bytes: int = 64 * MIB
    processes: int = 64
    output_bytes: int = 100_000
    notebook_bytes: int = 8 * MIB

    def for_a_cell(self, late: int, *, known: bool = False) -> tuple[float, float]:
        """Seconds that a cell may take, and seconds of the processor's time, once ``late`` cells took too long.

        After one that never ends, others rarely end: each leaves the next a third, down to the time of a call. That
        is also what a cell gets that is ``known`` to take too long, from an earlier run.

        >>> [Limits().for_a_cell(late) for late in range(4)]
        [(30.0, 15.0), (10.0, 5), (5, 5), (5, 5)]
        >>> Limits().for_a_cell(0, known=True)
        (5, 5)
        """
        seconds = self.call_seconds if known else max(self.call_seconds, self.cell_seconds / 3**late)
        return seconds, max(self.call_seconds, seconds / 2)
