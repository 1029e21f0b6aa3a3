"""grammar_judge.js gives the verdicts of the grammar's own judge, and knows what may come next."""

from collections import Counter

import numpy as np
import pytest

from minimodel import Grammar
from minimodel.widgets.playground import ruling

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def cases(lang, count):
    """A prompt, mostly one that stops where a verb form is due, and what may be right or wrong after it."""
    grammar, rng = Grammar.load(lang), np.random.default_rng(8)
    rows = grammar.sample_rows(rng, count, 24).tolist()
    subjects = grammar.subject_ids()
    forms = [[grammar.tokenizer.words.index(word) for word in form] for form, _ in grammar.forms.items()]
    for row in rows:
        ends = [at + 1 for at, token in enumerate(row) if token in subjects]
        end = int(rng.choice(ends)) + (rng.random() < 0.15) if rng.random() < 0.85 else int(rng.integers(1, 24))
        prompt, goes_on = row[:end], row[end : end + int(rng.integers(0, 5))]
        others = [forms[rng.integers(len(forms))], rng.integers(0, 64, rng.integers(0, 3)).tolist()]
        yield prompt, [goes_on, *others][rng.choice(3, p=[0.2, 0.6, 0.2])]
    for _ in range(20):
        yield rng.integers(0, 64, 4).tolist(), []


@LANGS
def test_the_verdict_is_the_grammars(run_page_model, lang):
    many = list(cases(lang, 500))
    got = run_page_model(lang, "return cases.map(([prompt, ids]) => model.grammar.judge(prompt, ids));", many)
    want = [ruling(lang, *case) for case in many]
    assert got == want
    seen = Counter(want)
    assert set(seen) == {
        "right", "wrong_tense", "wrong_person", "not_a_verb", "unfinished", "not_due", "no_sentence"
    }  # fmt: skip
    assert min(seen.values()) >= 5, seen


@LANGS
def test_the_words_that_may_come_are_the_grammars(run_page_model, lang):
    grammar = Grammar.load(lang)
    many = [row[: 1 + i % 20] for i, row in enumerate(grammar.sample_rows(np.random.default_rng(9), 80, 20).tolist())]
    for text, got in zip(many, run_page_model(lang, "return cases.map(model.grammar.wordsAfter);", many), strict=True):
        assert sorted(got) == np.flatnonzero(grammar.next_word_probs(text)).tolist(), text
    assert run_page_model(lang, "return model.grammar.wordsAfter(cases);", [2, 2]) == []
