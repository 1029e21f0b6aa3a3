"""A student's sampler at work on one step of the model, beside the right one: numbers for a picture in the feedback.

Taken when the marks are settled, by one more call through the same channel.
"""

from typing import Any

import numpy as np

import minimodel
from coursekit.grading.scoring import Student
from minimodel.language import Language, check_language

PROMPT: dict[Language, str] = {"en": "Tomorrow she will", "es": "Mañana ella va a"}
KNOBS: dict[str, float] = {"apply_temperature": 0.5, "top_k_filter": 3, "top_p_filter": 0.8, "min_p_filter": 0.3}
WORDS = 8


def portrait(name: str, student: Student, lang: str) -> dict[str, Any] | None:
    """The probabilities that a student's transform and the right one leave to the likeliest words.

    None where the function has no knob to turn, or gives no logits.
    """
    if name not in KNOBS or name not in student.found or student.failure:
        return None
    prompt = PROMPT[check_language(lang)]
    model, tokenizer = minimodel.MiniGPT.load(lang), minimodel.Grammar.load(lang).tokenizer
    logits = model(np.array(tokenizer.encode(prompt)))[-1]
    top = np.argsort(-logits)[:WORDS]
    right = minimodel.softmax(getattr(minimodel, name)(logits, KNOBS[name]))
    try:
        own = minimodel.softmax(np.asarray(student.names[name](logits.copy(), KNOBS[name]), dtype=float))
        yours = [round(float(share), 4) for share in own[top]]
    except BaseException:  # noqa: BLE001  whatever the student's function does
        return None
    words = [tokenizer.words[i] for i in top]
    call = f"{name}(logits, {KNOBS[name]:g})"
    shares = {"yours": yours, "right": [round(float(share), 4) for share in right[top]]}
    return {"call": call, "prompt": prompt, "words": words} | shares
