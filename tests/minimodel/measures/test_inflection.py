"""What a model makes of verb forms: all of it, where it knows the grammar, and nothing where it knows no word."""

import numpy as np
import pytest

from minimodel import Grammar, MiniGPT
from minimodel.measures.inflection import inflections

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


class Truth:
    """The grammar as a model."""

    eos_id, context_length = 0, 64

    def __init__(self, grammar):
        self.grammar, self.vocab_size = grammar, len(grammar.tokenizer.words)

    def __call__(self, token_ids):
        rows = []
        for end in range(1, len(token_ids) + 1):
            good = self.grammar.grammatical_length(token_ids[:end].tolist()) == end
            rows.append(self.grammar.next_word_probs(token_ids[:end]) if good else np.full(self.vocab_size, 1e-9))
        return np.log(np.maximum(rows, 1e-30))


class Uniform(Truth):
    def __call__(self, token_ids):
        return np.zeros((len(token_ids), self.vocab_size))


@LANGS
def test_who_knows_the_grammar_gives_the_right_form_everything(lang):
    grammar = Grammar.load(lang)
    cells = list(grammar.cells())
    found = inflections(Truth(grammar), grammar, cells)
    assert [form.form for form in found] == [" ".join(grammar.form(cell)) for cell in cells]
    assert all(form.right for form in found)
    np.testing.assert_allclose([form.share for form in found], 1, atol=1e-6)
    first = [
        grammar.next_word_probs(grammar.prompt_for(cell))[grammar.tokenizer.encode(grammar.form(cell)[0])[0]]
        for cell in cells
    ]
    assert all(0 < form.probability <= word + 1e-12 for form, word in zip(found, first, strict=True))
    one_word = [" " not in form.form for form in found]
    np.testing.assert_allclose(np.array(first)[one_word], np.array([form.probability for form in found])[one_word])


def test_who_knows_nothing_is_never_right_and_likes_short_forms():
    grammar = Grammar.load("en")
    found = inflections(Uniform(grammar), grammar, [cell for cell in grammar.cells() if cell.verb == "sing"])
    assert not any(form.right for form in found)  # others are as likely
    share = {form.form: form.share for form in found}
    assert share["sang"] == pytest.approx(64 * share["will sing"])
    assert share["sang"] + share["sing"] + share["sings"] + share["will sing"] == pytest.approx(1)


@LANGS
def test_the_model_that_we_ship_gets_every_form_right(lang):
    grammar = Grammar.load(lang)
    assert all(form.right and form.share > 0.9 for form in inflections(MiniGPT.load(lang), grammar, grammar.cells()))
