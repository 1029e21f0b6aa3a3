"""How far a lab has come: handed in, graded, changed since, to be marked by hand, returned."""

from dataclasses import astuple, dataclass
from pathlib import Path

from coursekit.grading.course import Course, GradingError
from coursekit.grading.driver import Grading, Options
from coursekit.grading.record import Recorder


@dataclass(frozen=True)
class Standing:
    """The numbers of submissions.

    Attributes:
        handed_in: there are.
        graded: have a mark that is up to date.
        changed: are to be graded, or graded again.
        by_hand: have answers that a person has to mark.
        with_feedback: have a page of feedback.
    """

    handed_in: int = 0
    graded: int = 0
    changed: int = 0
    by_hand: int = 0
    with_feedback: int = 0

    @property
    def row(self) -> tuple[str, ...]:
        """The numbers, as they are shown."""
        return tuple(map(str, astuple(self)))


def standing(course: Course, lab: str) -> Standing:
    """How far a lab has come.

    Raises:
        GradingError: there is no such lab.
    """
    course.source(lab, "en")
    try:
        ways = [Grading(course, lab, Options(boxed=boxed)).look() for boxed in (True, False)]
    except GradingError:  # nobody has handed it in
        return Standing()
    states = max(([row.state for row in way] for way in ways), key=lambda states: states.count("done"))
    pages = Path(course.directory.format_path(course.directory.feedback_directory, "*", lab))
    returned = len(list(course.root.glob(f"{pages.relative_to(course.root)}/*.html")))
    done = states.count("done")
    return Standing(len(states), done, len(states) - done, waiting(course, lab), returned)


def waiting(course: Course, lab: str) -> int:
    """How many submissions have answers that a person has to mark."""
    with Recorder(course) as recorder:
        return sum(bool(each.needs_manual_grade) for each in recorder.submissions(lab).values())
