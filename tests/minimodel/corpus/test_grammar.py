"""The two grammars: what they say, how exactly they know it, how they judge."""

import copy
from collections import Counter

import numpy as np
import pytest

from minimodel import Grammar, Verdict
from minimodel.corpus.grammar import Cell

LANGS = pytest.mark.parametrize("lang", ["en", "es"])


def probs_after(lang, text):
    grammar = Grammar.load(lang)
    probs = grammar.next_word_probs(grammar.tokenizer.encode(text))
    return {grammar.tokenizer.words[i]: probs[i] for i in np.flatnonzero(probs)}


@LANGS
def test_64_words_the_first_of_which_ends_a_text(lang):
    words = Grammar.load(lang).tokenizer.words
    assert len(words) == len(set(words)) == 64
    assert words[0] == "<eos>"


@LANGS
def test_the_exact_distribution_is_a_distribution_after_every_word(lang):
    grammar = Grammar.load(lang)
    for row in grammar.sample_rows(np.random.default_rng(0), 5, 40):
        along = grammar.next_word_probs_along(row)
        np.testing.assert_allclose(along.sum(axis=1), 1)
        np.testing.assert_allclose(along[10], grammar.next_word_probs(row[:11].tolist()))


@LANGS
def test_samples_follow_it(lang):
    grammar = Grammar.load(lang)
    rows = grammar.sample_rows(np.random.default_rng(0), 30_000, 3)
    first = Counter(rows[:, 0].tolist())
    expected = grammar.next_word_probs([])
    for word, count in first.items():
        assert count / len(rows) == pytest.approx(expected[word], abs=0.01)


@pytest.mark.parametrize(
    ("lang", "prompt", "words"),
    [("en", "Tomorrow she", {"will"}), ("es", "Mañana ella", {"va"}), ("es", "Mañana ella va", {"a"})],
)
def test_a_time_word_settles_the_tense(lang, prompt, words):
    assert probs_after(lang, prompt).keys() == words


def test_an_open_tense_leaves_all_three():
    after = probs_after("en", "She")
    assert {"ate", "eats", "will"} <= after.keys()
    assert "eat" not in after


def test_the_tense_of_the_first_verb_holds_for_the_sentence_and_ends_with_it():
    assert probs_after("en", "She ate and then she").keys().isdisjoint({"eats", "will"})
    assert "will" in probs_after("en", "She ate. She")


def test_a_word_of_two_tenses_leaves_both_open():
    after = probs_after("en", "They read and they")
    assert {"ate", "eat"} <= after.keys()


def test_the_first_word_that_cannot_come_is_named():
    grammar = Grammar.load("en")
    with pytest.raises(ValueError, match="'eats' cannot follow 'Tomorrow she': the grammar has no such sentence"):
        grammar.next_word_probs(grammar.tokenizer.encode("Tomorrow she eats and"))


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("Tomorrow she will eat.", 5),
        ("Tomorrow she will swam. Now he eats", 3),
        ("Again she eats", 0),
        ("Now she eats. <eos> Now she eats. <eos> they eat <eos>", 12),
    ],
)
def test_the_words_before_a_slip_are_counted(text, length):
    grammar = Grammar.load("en")
    assert grammar.grammatical_length(grammar.tokenizer.encode(text)) == length


@LANGS
def test_up_to_a_slip_every_word_has_a_chance_and_there_it_has_none(lang):
    grammar, rng = Grammar.load(lang), np.random.default_rng(0)
    for page in grammar.sample_rows(rng, rows=40, length=20):
        page[12] = rng.integers(len(grammar.tokenizer.words))
        good = grammar.grammatical_length(page)
        assert good >= 12
        for place in range(1, good):
            assert grammar.next_word_probs(page[:place])[page[place]] > 0
        if good < len(page):
            assert grammar.next_word_probs(page[:good])[page[good]] == 0


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="language is 'de'"):
        Grammar.load("de")


@LANGS
def test_one_text_ends_where_it_ends(lang):
    grammar = Grammar.load(lang)
    text = grammar.sample(np.random.default_rng(0))
    assert text.index(0) == len(text) - 1
    assert grammar.next_word_probs(text).any()


@pytest.mark.parametrize(
    ("lang", "prompt", "completion", "verdict"),
    [
        ("en", "Tomorrow she", "will eat and", "right"),
        ("en", "Tomorrow she will", "eat", "right"),
        ("en", "Tomorrow she", "eats", "wrong tense"),
        ("en", "Tomorrow she", "eat", "wrong tense"),
        ("en", "She", "eat", "wrong person"),
        ("en", "They", "eats", "wrong person"),
        ("en", "They", "read", "right"),  # past and present alike
        ("en", "She", "read", "right"),  # the past; for the present "reads" would be due
        ("en", "Now she", "read", "wrong person"),
        ("en", "Tomorrow she", "will", "unfinished"),
        ("en", "Tomorrow she", "", "unfinished"),
        ("en", "Tomorrow she", "will she eat", "not a verb form"),
        ("en", "Tomorrow she", "and", "not a verb form"),
        ("en", "Tomorrow she", "will eats", "not a verb form"),
        ("en", "She ate. Tomorrow he", "will run", "right"),
        ("en", "She ate and he", "runs", "wrong tense"),
        ("es", "Mañana ella", "va a dormir", "right"),
        ("es", "Ayer él", "durmió", "right"),  # irregular: no ending would tell
        ("es", "Ayer él", "duerme", "wrong tense"),
        ("es", "Ayer él", "durmieron", "wrong person"),
        ("es", "Mañana ella", "va a", "unfinished"),
        ("es", "Mañana ella", "voy a comer", "wrong person"),
        ("es", "Mañana ella", "va comer", "not a verb form"),
    ],
)
def test_the_judge(lang, prompt, completion, verdict):
    grammar = Grammar.load(lang)
    encode = grammar.tokenizer.encode
    assert grammar.judge(encode(prompt), encode(completion)) is Verdict(verdict)


@LANGS
def test_the_judge_passes_what_the_grammar_makes(lang):
    grammar = Grammar.load(lang)
    subjects = grammar.subject_ids()
    for seed in range(100):
        text = grammar.sample(np.random.default_rng(seed))
        for place, token in enumerate(text):
            if token in subjects:
                assert grammar.judge(text[: place + 1], text[place + 1 :]) is Verdict.RIGHT


@pytest.mark.parametrize(("prompt", "said"), [("Tomorrow", "no verb form is due"), ("She she", "'she' cannot follow")])
def test_the_judge_refuses_a_prompt_that_asks_for_no_verb(prompt, said):
    grammar = Grammar.load("en")
    with pytest.raises(ValueError, match=said):
        grammar.judge(grammar.tokenizer.encode(prompt), [1])


@LANGS
def test_a_split_holds_out_what_can_still_be_put_together(lang):
    whole = Grammar.load(lang)
    part, held_out = whole.split(seed=1)
    assert held_out == whole.split(seed=1)[1] != whole.split(seed=2)[1]
    assert len(held_out) == int(0.05 * len(list(whole.cells())))
    rows = part.sample_rows(np.random.default_rng(0), 400, 64)
    said = set(rows.ravel().tolist())
    for cell in held_out:
        assert set(whole.tokenizer.encode(" ".join(whole.form(cell)))) <= said
    assert part.tokenizer.words == whole.tokenizer.words


def test_what_is_held_out_is_never_said_but_judged_right():
    whole = Grammar.load("en")
    part, held_out = whole.split()
    assert ("sing", "future", "2sg") in held_out
    prompt = whole.tokenizer.encode("Tomorrow you will")
    sing = whole.tokenizer.encode("sing")
    assert part.next_word_probs(prompt)[sing] == 0 < whole.next_word_probs(prompt)[sing]
    assert part.next_word_probs(prompt).sum() == pytest.approx(1)
    assert part.judge(prompt, sing) is Verdict.RIGHT


@pytest.mark.parametrize("share", [-0.1, 1.0, np.nan])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match=f"share is {share}"):
        Grammar.load("en").split(share=share)


@LANGS
def test_a_prompt_calls_for_one_tense_and_person(lang):
    grammar = Grammar.load(lang)
    for cell in grammar.cells():
        prompt = grammar.prompt_for(cell)
        assert {(owed.tense, owed.person) for owed in grammar._owed(grammar._belief(prompt))} == {cell[1:]}


def test_a_tense_that_no_time_word_calls_for_is_named():
    data = copy.deepcopy(Grammar.load("en")._data)
    for time in data["times"].values():
        time["past"] = 1
    with pytest.raises(ValueError, match="no time word goes with 'future' alone"):
        Grammar(data).prompt_for(Cell("sing", "future", "3sg"))


@LANGS
@pytest.mark.parametrize("share", [0.7, 0.8, 0.95])
def test_however_much_is_held_out_every_tense_and_person_has_a_verb_left(lang, share):
    for seed in range(20):
        part, held_out = Grammar.load(lang).split(seed=seed, share=share)
        assert held_out
        assert {cell[1:] for cell in part.cells()} == {cell[1:] for cell in set(part.cells()) - held_out}
        part.sample_rows(np.random.default_rng(seed), 2, 20)
