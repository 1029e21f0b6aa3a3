"""A completion as a JSON object."""

import json
from typing import Any

from minimodel.cli.choice import Candidate, Choice
from minimodel.cli.completion import Completion
from minimodel.decoding.loop import Step

DIGITS = 6


def record(completion: Completion) -> str:
    """Return one line of JSON: all that is needed to repeat the completion, and what came of it.

    ``text`` holds prompt and completion; ``tokens`` and ``words`` only what was drawn, the end of text included.
    """
    verdict = completion.verdict
    fields: dict[str, Any] = {
        "prompt": completion.prompt_text,
        "text": completion.text,
        "tokens": completion.tokens,
        "words": completion.words,
        "reason": completion.reason,
        "seed": completion.seed,
        "settings": completion.settings.of_sampling(),
        "verdict": verdict.value if verdict else None,
    }
    if top := completion.settings.show_probs:
        fields["steps"] = [_step(step, top, completion.voice.tokenizer.words) for step in completion.steps]
    return json.dumps(fields, ensure_ascii=False)


def _step(step: Step, top: int, words: tuple[str, ...]) -> dict[str, Any]:
    choice = Choice(step, top)
    return {
        "token": step.token,
        "word": words[step.token],
        "candidates": [_candidate(candidate, words) for candidate in choice.candidates()],
        "others": _rounded(choice.others()),
        "others_dropped": choice.others_dropped(),
    }


def _candidate(candidate: Candidate, words: tuple[str, ...]) -> dict[str, Any]:
    return {
        "token": candidate.token,
        "word": words[candidate.token],
        "probs": _rounded(candidate.probs),
        "dropped_by": candidate.dropped_by,
        "drawn": candidate.drawn,
    }


def _rounded(probs: dict[str, float]) -> dict[str, float]:
    return {name: round(prob, DIGITS) for name, prob in probs.items()}
