"""What a student reads when their function answers, and when it does not."""

import numpy as np
import pytest

from minimodel.widgets.answer import answer, encoded
from minimodel.widgets.catalogue import strings

LOGITS = np.array([2.0, 1.0, -np.inf])
TEXTS = {lang: strings("answer", lang) for lang in ("en", "es")}


def halves_too_few(logits, tau):
    return logits[:2] / tau


def spoils(logits, tau):
    logits /= tau
    return logits


def fails_deep_inside(logits, tau):
    def scale(by):
        raise KeyError(by)

    return scale("tau")


def interrupts(logits, tau):
    raise KeyboardInterrupt


def unwritten(logits, tau):
    raise NotImplementedError


def test_a_right_function_gives_its_logits():
    assert answer(lambda logits, tau: logits / tau, LOGITS, 0.5, TEXTS["en"]) == {"logits": [4.0, 2.0, None]}
    assert answer(lambda logits, tau: [1, 2, 3], LOGITS, 0.5, TEXTS["en"]) == {"logits": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize(
    ("transform", "text", "also"),
    [
        (unwritten, "unwritten", ""),
        (lambda logits, tau: None, "nothing", "None"),
        (lambda logits, tau: "warm", "not_numbers", "str"),
        (halves_too_few, "shape", "(2,)"),
        (lambda logits, tau: tau, "shape", "()"),
        (lambda logits, tau: logits * np.nan, "no_distribution", "NaN"),
        (lambda logits, tau: logits - np.inf, "no_distribution", "-inf"),
        (spoils, "mutated", ""),
        (lambda logits, tau: 1 / 0, "raised_at", "ZeroDivisionError"),
        (fails_deep_inside, "raised_at", 'return scale("tau")'),
        (np.linalg.inv, "raised", "TypeError"),
    ],
)
def test_what_went_wrong_is_said_in_the_students_language(lang, transform, text, also):
    with np.errstate(invalid="ignore"):
        said = answer(transform, LOGITS, 0.5, TEXTS[lang])["problem"]
    assert said.startswith(TEXTS[lang][text].split("{")[0])
    assert also in said
    assert "{" not in said


def test_the_kernel_can_be_interrupted():
    with pytest.raises(KeyboardInterrupt):
        answer(interrupts, LOGITS, 0.5, TEXTS["en"])


def test_no_mistake_lasts():
    logits = LOGITS.copy()
    answer(spoils, logits, 0.5, TEXTS["en"])
    np.testing.assert_array_equal(logits, LOGITS)


def test_encoded_is_json():
    assert encoded(np.array([1.5, -np.inf], dtype=np.float32)) == [1.5, None]
