"""What a step could have said, against the transforms themselves."""

import numpy as np
import pytest

from minimodel import softmax
from minimodel.cli.choice import Choice
from minimodel.cli.settings import Settings


@pytest.fixture
def step(completed):
    return completed("Tomorrow she will", max_tokens=1, temperature=0.7, top_k=10, min_p=0.3).steps[0]


def test_probabilities_are_the_models_and_those_after_each_transform(step):
    candidates = Choice(step, 3).candidates()
    warped = softmax(step.strategy.warp(step.logits))
    for candidate in candidates:
        assert list(candidate.probs) == ["model", "temperature", "top-k", "min-p"]
        assert candidate.probs["model"] == pytest.approx(softmax(step.logits)[candidate.token])
        assert candidate.probs["min-p"] == pytest.approx(warped[candidate.token])


def test_everything_adds_up(step):
    choice = Choice(step, 3)
    for name, rest in choice.others().items():
        assert rest + sum(candidate.probs[name] for candidate in choice.candidates()) == pytest.approx(1, abs=1e-5)


def test_who_dropped_what(step):
    fates = [candidate.dropped_by for candidate in Choice(step, 64).candidates()]
    kept = int(np.isfinite(step.strategy.warp(step.logits)).sum())
    assert 1 <= kept < 10
    assert fates == [None] * kept + ["min-p"] * (10 - kept) + ["top-k"] * 54
    assert Choice(step, 4).others_dropped()["top-k"] == 54


def test_the_drawn_word_is_listed_however_improbable(completed):
    steps = completed("Tomorrow she will", seed=1, temperature=5.0).steps
    choices = [Choice(step, 1) for step in steps]
    assert any(len(choice.candidates()) == 2 for choice in choices)
    for choice, step in zip(choices, steps, strict=True):
        assert [candidate.token for candidate in choice.candidates() if candidate.drawn] == [step.token]


def test_what_a_penalty_brings_to_the_top_is_listed(completed):
    settings = {"max_tokens": 1, "repetition_penalty": 3.0}
    steps = [completed("She will eat and she will", seed, **settings).steps[0] for seed in range(20)]
    top = int(softmax(steps[0].strategy.warp(steps[0].logits)).argmax())
    assert top != int(steps[0].logits.argmax())
    assert any(step.token != top for step in steps)
    assert all(top in Choice(step, 1).listed for step in steps)


def test_too_improbable_to_count_is_not_dropped(completed):
    step = completed("Tomorrow she", max_tokens=1, temperature=Settings.temperature / 500).steps[0]
    choice = Choice(step, 64)
    assert any(candidate.probs["temperature"] == 0 for candidate in choice.candidates())
    assert all(candidate.dropped_by is None for candidate in choice.candidates())
