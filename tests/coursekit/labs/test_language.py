"""Texts with numbers are filled in as their language writes them."""

import pytest

from coursekit.grading.intake.repair import told
from coursekit.grading.messages import say
from coursekit.labs.language import fill_in


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [(0, "0", "0"), (-4096, "-4,096", "-4096"), (9999, "9,999", "9999"), (10_000, "10,000", "10\u202f000")],
)
def test_thousands_are_set_apart_as_the_language_does(number, english, spanish):
    assert fill_in("({number:,})", "en", {"number": number}) == f"({english})"
    assert fill_in("({number:,})", "es", {"number": number}) == f"({spanish})"


def test_other_numbers_and_commas_are_left_alone():
    values = {"seconds": 1234.56, "names": "Ana, Luis", "count": 12345}
    assert fill_in("{seconds:.1f}, {names}, {count}", "es", values) == "1234.6, Ana, Luis, 12345"


def test_what_grading_says_of_large_numbers_reads_well_in_both_languages():
    damaged = {"kind": "damaged", "cell": None, "at": 20_140, "saved": 23}
    assert "at character 20,140;" in told(damaged, "en")
    assert "en el carácter 20\u202f140;" in told(damaged, "es")
    files = {"path": "a.zip", "count": 1_200_000, "most": 1000}
    assert say("too_many_files", "es", **files).startswith("a.zip contiene 1\u202f200\u202f000 archivos")
