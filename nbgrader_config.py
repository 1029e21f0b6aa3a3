"""nbgrader for this course: `nbgrader …` works on the English notebooks, `COURSE_LANG=es nbgrader …` on the Spanish.

Both languages are one assignment: the same notebook names, grade ids, points and tests, one gradebook. They differ only
in where the notebooks are and in the course id under which they are released and collected.

COURSE_LANG       en (where it is not set) or es
COURSE_NAME       the course's name in the exchange, before its "-en" or "-es"
COURSE_EXCHANGE   the exchange's folder; nbgrader's default where it is not set
COURSE_GRADEBOOK  the gradebook, as postgresql://user:password@host/database; grading/gradebook.db where it is not set
"""

import os
from pathlib import Path

from coursekit.grading.gradebook import gradebook_url
from coursekit.labs.stubs import CODE_STUBS, TEXT_STUB

c = get_config()  # noqa: F821  nbgrader provides it

LANGUAGE = os.environ.get("COURSE_LANG", "en")
if LANGUAGE not in CODE_STUBS:
    raise SystemExit(f"COURSE_LANG is {LANGUAGE!r}: expected one of {', '.join(CODE_STUBS)}")

ROOT = Path(__file__).resolve().parent

# What is where. solutions/ and labs/ are derived from solutions/<lab>.md by `make labs`.
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.course_id = f"{os.environ.get('COURSE_NAME', 'inference-and-sampling')}-{LANGUAGE}"
c.CourseDirectory.source_directory = f"solutions/{LANGUAGE}"
c.CourseDirectory.release_directory = f"labs/{LANGUAGE}"
c.CourseDirectory.submitted_directory = "grading/submitted"
c.CourseDirectory.autograded_directory = "grading/autograded"
c.CourseDirectory.feedback_directory = "grading/feedback"
c.CourseDirectory.db_url = gradebook_url(os.environ.get("COURSE_GRADEBOOK"), ROOT / "grading")
c.CourseDirectory.ignore.extend(["*.md", "*.new", ".DS_Store"])  # nbgrader copies whatever else lies beside a notebook
c.CourseDirectory.ignore.extend(["*.csv", "*.png"])  # what a run of a lab leaves there
(ROOT / "grading").mkdir(exist_ok=True)  # SQLite makes the file, not its folder

if "COURSE_EXCHANGE" in os.environ:
    c.Exchange.root = os.environ["COURSE_EXCHANGE"]

# The student's notebook.
c.ClearSolutions.code_stub = {"python": CODE_STUBS[LANGUAGE]}
c.ClearSolutions.text_stub = TEXT_STUB

# Grading. A lab takes under 20 s; no single cell needs a minute, even on a slow machine.
c.Execute.timeout = 60
c.Execute.shutdown_kernel = "immediate"

# What was handed in is made gradable as it is collected and as it is read; nothing stops the class.
c.ExchangeFactory.collect = "coursekit.grading.intake.exchange.CarefulCollect"
c.Autograde.exporter_class = "coursekit.grading.intake.exporter.GradableExporter"

# Student code runs in a sandbox and the tests outside its process; the rest is nbgrader's own list.
c.Autograde.autograde_preprocessors = [
    "coursekit.grading.preprocessor.SplitExecute",
    "coursekit.grading.safe.Defuse",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Feedback in the student's language, offline, without hidden tests; nothing of a student's runs in it, or in the
# formgrader.
c.GenerateFeedback.exporter_class = "coursekit.grading.feedback.FeedbackExporter"
c.GenerateFeedback.preprocessors = ["coursekit.grading.safe.HideHidden", "coursekit.grading.safe.Marks"]
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {"markdown2html": "coursekit.grading.safe.prose"}  # the formgrader takes it as it comes
