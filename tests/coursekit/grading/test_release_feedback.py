"""Feedback goes back through nbgrader's exchange, by nbgrader's own commands."""

from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import notebook_hash
from traitlets.config import Config

from coursekit.grading.feedback import write_feedback
from coursekit.grading.intake.tidy import tidy

from .class_ import LAB, grade, hand_in, new_course
from .lab import notebook

SECRET = "5ec3e7" * 10  # what nbgrader puts beside a submission, and keeps with the student's own copy


def test_nbgrader_releases_each_page_under_the_secret_of_its_student(tmp_path):
    course = new_course(tmp_path / "course")
    for student in ("ada", "by-mail"):
        hand_in(course, student, notebook())
    came = tmp_path / f"course/grading/submitted/ada/{LAB}"
    (came / "submission_secret.txt").write_text(SECRET)
    (came / "timestamp.txt").write_text("2026-11-21 10:00:00 UTC")
    tidy(came, LAB, {lang: course.source(LAB, lang) for lang in ("en", "es")}, tmp_path / "aside")
    grade(course)
    assert write_feedback(course, LAB) == {}

    config = Config(course.config)
    config.Exchange.root = str(tmp_path / "exchange")
    (tmp_path / "exchange" / course.directory.course_id / "feedback").mkdir(parents=True)
    directory = CourseDirectory(config=config, assignment_id=LAB)
    ExchangeReleaseFeedback(coursedir=directory, authenticator=Authenticator(config=config), config=config).start()

    pages = list((tmp_path / "exchange").rglob("*.html"))
    assert len(pages) == 2
    adas = next(page for page in pages if page.stem == notebook_hash(secret=SECRET, notebook_id=LAB))
    written = course.root / f"grading/feedback/ada/{LAB}/{LAB}.html"
    assert adas.read_text("utf-8") == written.read_text("utf-8")
