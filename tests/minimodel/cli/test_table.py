"""The table of a step: aligned, complete, in both languages."""

import pytest

from minimodel.cli.catalogue import Texts
from minimodel.cli.table import bar, step_table, title


def lines(completion, top, lang):
    return list(step_table(completion.steps[0], completion.voice.tokenizer.words, top, Texts(lang)))


def test_bars_are_as_long_as_the_probability_to_an_eighth():
    assert (bar(0), bar(1, 4), bar(0.25, 4), bar(1 / 32, 4), bar(1 / 1000, 4)) == ("", "████", "█", "▏", "")


@pytest.mark.parametrize(("lang", "prompt"), [("en", "Tomorrow she will"), ("es", "Mañana ella va a")])
def test_columns_line_up_and_fit_a_terminal(completed, lang, prompt):
    completion = completed(prompt, lang=lang, temperature=0.7, top_k=4, top_p=0.8, max_tokens=1)
    heading, *rows = lines(completion, 6, lang)
    places = {row.index("%") for row in rows}
    assert len(rows) == 7
    assert len(places) == 1
    assert all(len(row) <= 80 for row in rows)
    assert heading.index("top-p") > heading.index("top-k")


def test_the_drawn_word_and_the_dropped_ones_are_marked(completed):
    rows = lines(completed("Tomorrow she will", temperature=0.0, max_tokens=1), 3, "en")
    assert [row.startswith("▸") for row in rows] == [False, True, False, False, False]
    assert rows[1].endswith(" drawn")
    assert rows[2].endswith("dropped: temperature")
    assert rows[4].endswith("dropped: 61 temperature")
    assert "—" in rows[2]


def test_without_transforms_there_is_the_models_distribution_alone(completed):
    rows = lines(completed("Tomorrow she will", max_tokens=1), 3, "en")
    assert all(row.count("%") == 1 for row in rows[1:])
    assert rows[0].split() == ["model"]


def test_a_long_text_is_cut_at_its_beginning():
    text = " ".join(["word"] * 50) + " end"
    assert title(3, text, Texts("en")).startswith("3. …")
    assert title(3, text, Texts("en")).endswith(" end …")
    assert title(1, "She", Texts("en")) == "1. She …"
