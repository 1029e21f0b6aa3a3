"""The command line, as a person would use it."""

import subprocess
import sys

import pytest

from minimodel import Grammar
from minimodel.__main__ import main


def run(capsys, *arguments):
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out.strip(), captured.err.strip()


@pytest.mark.parametrize(("lang", "prompt"), [("en", "Tomorrow she"), ("es", "Mañana ella")])
def test_continues_a_prompt_with_words(capsys, lang, prompt):
    grammar = Grammar.load(lang)
    for seed in range(20):
        status, text, _ = run(capsys, prompt, "--lang", lang, "--top-p", "0.9", "--seed", str(seed))
        assert status == 0
        assert text.startswith(prompt + " ")
        assert grammar.next_word_probs(grammar.tokenizer.encode(text)).any()  # a sentence of the grammar, not noise


def test_the_seed_decides(capsys):
    texts = [run(capsys, "She", "--seed", seed)[1] for seed in ("1", "1", "2")]
    assert texts[0] == texts[1] != texts[2]


def test_temperature_0_is_greedy_and_takes_the_other_options(capsys):
    texts = {run(capsys, "She", "--temperature", "0", "--top-k", "3", "--min-p", "0.1", "--seed", s)[1] for s in "123"}
    assert len(texts) == 1


def test_a_penalty_breaks_the_loop_that_greedy_runs_into(capsys):
    plain = run(capsys, "Tomorrow she", "--temperature", "0")[1]
    penalised = run(capsys, "Tomorrow she", "--temperature", "0", "--repetition-penalty", "1.5")[1]
    assert plain.count("eat") > 2 > penalised.count("eat")


def test_max_tokens(capsys):
    assert run(capsys, "Tomorrow she", "--max-tokens", "0")[1] == "Tomorrow she"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Tomorrow banana"], "'banana' is not in the vocabulary"),
        (["Mañana ella"], "add --lang es"),
        ([""], "prompt is empty"),
        (["She", "--top-p", "1.5"], "p is 1.5"),
        (["She", "--top-k", "0"], "k is 0"),
        (["She", "--temperature", "-1"], "temperature is -1.0"),
        (["She", "--max-tokens", "-1"], "max_tokens is -1"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, said):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_an_unknown_language_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["Demain elle", "--lang", "fr"])
    assert "'fr'" in capsys.readouterr().err


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "minimodel", "Tomorrow she", "--top-p", "0.9", "--seed", "7"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.startswith("Tomorrow she will ")
