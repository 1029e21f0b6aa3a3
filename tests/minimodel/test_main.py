"""The command line, as a shell and the programs around it see it."""

import json
import os
import select
import signal
import subprocess
import sys

import pytest

from minimodel import Grammar
from minimodel.__main__ import main

ENDLESS = ["Tomorrow she", "--temperature", "0", "--max-tokens", "1000000"]  # greedy never ends this one


def run(capsys, *arguments):
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out.strip(), captured.err.strip()


RUNNING = []


@pytest.fixture(autouse=True)
def nobody_left_behind():
    yield
    while RUNNING:
        RUNNING.pop().kill()


def started(*arguments, **variables):
    # PYTHONUNBUFFERED would hide a flush that is missing
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [sys.executable, "-m", "minimodel", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=inherited | variables,
    )  # fmt: skip
    RUNNING.append(process)
    return process


def ran(*arguments, typed="", **variables):
    """Standard output and error as UTF-8, and the status."""
    process = started(*arguments, **variables)
    out, err = process.communicate(typed.encode(), timeout=60)
    return out.decode(), err.decode(), process.returncode


def first_output(process):
    """What comes first, within some seconds."""
    ready, _, _ = select.select([process.stdout], [], [], 20)
    return os.read(process.stdout.fileno(), 1000) if ready else b""


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


def test_a_stop_string_ends_the_text_and_may_be_one_of_several(capsys):
    text = run(capsys, "Tomorrow she", "--temperature", "0", "--stop", "banana", "--stop", "eat")[1]
    assert text == "Tomorrow she will eat"


def test_n_texts_are_those_of_seeds_that_count_up(capsys):
    together = run(capsys, "She", "--seed", "4", "--n", "3")[1]
    assert together.splitlines() == [run(capsys, "She", "--seed", seed)[1] for seed in "456"]


def test_a_prompt_needs_no_quotes(capsys):
    assert run(capsys, "Tomorrow", "she", "--max-tokens", "0")[1] == "Tomorrow she"


def test_an_accent_typed_as_a_character_of_its_own_is_understood(capsys):
    assert run(capsys, "Man\u0303ana ella", "--lang", "es", "--max-tokens", "0")[1] == "Mañana ella"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Tomorrow banana"], "'banana' is not in the vocabulary"),
        (["She will wlak"], "nearest words are walk,"),
        (["Mañana ella"], "add --lang es"),
        (["Tomorrow she", "--lang=es"], "añade --lang en"),
        ([""], "prompt is empty"),
        (["She", "--top-p", "1.5"], "--top-p is 1.5: expected a number above 0 and at most 1"),
        (["She", "--top-p", "1.5", "--lang", "es"], "--top-p vale 1.5: se esperaba un número"),
        (["She", "--top-p", "nan"], "--top-p is nan"),
        (["She", "--min-p", "2"], "--min-p is 2"),
        (["She", "--top-k", "0"], "--top-k is 0"),
        (["She", "--top-k", "2.5"], "--top-k is 2.5"),
        (["She", "--temperature", "-1"], "--temperature is -1"),
        (["She", "--temperature", "warm"], "--temperature is warm"),
        (["She", "--repetition-penalty", "0"], "--repetition-penalty is 0"),
        (["She", "--max-tokens", "-1"], "--max-tokens is -1"),
        (["She", "--seed", "-1"], "--seed is -1"),
        (["She", "--n", "0"], "--n is 0"),
        (["She", "--stop", ""], "--stop is ''"),
        (["She", "--show-probs", "0"], "--show-probs is 0"),
        (["She", "--seed"], "--seed has no value"),
        (["She", "--json=yes"], "--json takes no value"),
        (["She", "--json", "--stream"], "--json and --stream"),
        (["She", "--temp", "1"], "--temp is not an option"),
        (["Demain elle", "--lang", "fr"], "--lang is fr: expected en or es"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, monkeypatch, arguments, said):
    monkeypatch.setenv("LC_ALL", "C")
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_errors_and_help_speak_the_language_of_the_locale_unless_one_is_named(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "es_MX.UTF-8")
    assert "no está en el vocabulario" in run(capsys, "banana")[2]
    assert "opciones" in run(capsys, "--help")[1]
    assert "options" in run(capsys, "--help", "--lang", "en")[1]
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "options" in run(capsys, "--help")[1]
    assert "opciones" in run(capsys, "--help", "--lang", "es")[1]


def test_the_locale_does_not_change_what_a_command_does(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "es_MX.UTF-8")
    assert run(capsys, "Tomorrow she", "--max-tokens", "0")[:2] == (0, "Tomorrow she")


def test_show_probs_takes_a_number_or_none(capsys):
    many = run(capsys, "--show-probs", "Tomorrow she will", "--max-tokens", "1")[1]
    few = run(capsys, "Tomorrow she will", "--show-probs", "2", "--max-tokens", "1")[1]
    assert len(many.splitlines()) > len(few.splitlines())
    assert "2 others" not in many
    assert all("▸" in text and "drawn" in text and "█" in text for text in (many, few))


# As a process ---------------------------------------------------------------------------------------------------------


def test_it_runs_as_a_module():
    assert ran("Tomorrow she", "--top-p", "0.9", "--seed", "7")[0].startswith("Tomorrow she will ")


def test_each_line_of_a_pipe_is_a_prompt_and_a_bad_one_does_not_stop_the_rest(monkeypatch):
    out, err, status = ran("--max-tokens", "0", typed="Tomorrow she\n\nbanana\nHe", LC_ALL="C")
    assert (out, status) == ("Tomorrow she\nHe\n", 2)
    assert err.startswith("minimodel: line 3: 'banana' is not")
    assert len(err.splitlines()) == 1


def test_a_pipe_gives_each_line_what_it_would_get_alone():
    out, _, status = ran("--seed", "3", typed="She\nHe\n")
    assert (out, status) == (ran("She", "--seed", "3")[0] + ran("He", "--seed", "3")[0], 0)


def test_a_pipe_answers_before_the_next_line_comes():
    process = started("--max-tokens", "1")
    process.stdin.write(b"Tomorrow she\n")
    process.stdin.flush()
    answered = first_output(process)
    process.communicate(timeout=60)
    assert answered.startswith(b"Tomorrow she")
    assert process.returncode == 0


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C"}])
def test_utf8_whatever_the_locale(locale):
    wanted = ("Mañana ella\n", "", 0)
    assert ran("Mañana ella", "--lang", "es", "--max-tokens", "0", **locale) == wanted
    assert ran("--lang", "es", "--max-tokens", "0", typed="mañana ella\n", **locale) == wanted
    assert ran("--lang", "es", "piña", **locale)[1].startswith("minimodel: 'piña' no está")


def test_no_colour_in_a_pipe():
    assert "\x1b" not in "".join(ran("She", "--show-probs", "--stream")[:2])


def test_a_stream_comes_word_by_word():
    process = started(*ENDLESS, "--stream")
    first = first_output(process)
    unfinished = process.poll() is None
    process.kill()
    process.communicate()
    assert first.startswith(b"Tomorrow she")
    assert unfinished


@pytest.mark.parametrize("how", [[], ["--stream"], ["--json"], ["--show-probs"]])
def test_ctrl_c_is_status_130_and_says_nothing(how):
    process = started(*ENDLESS, *how)
    if how in (["--stream"], ["--show-probs"]):
        assert first_output(process)
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
    assert not out or out.endswith(b"\n")


@pytest.mark.parametrize("how", [[], ["--stream"], ["--json"], ["--show-probs"]])
def test_a_reader_who_leaves_is_no_error(how):
    process = started("She", "--n", "1000000", *how)
    process.stdin.close()
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_json_can_be_repeated_from_what_it_says():
    lines = ran("Tomorrow she", "--json", "--n", "2", "--top-k", "5", "--temperature", "0.8")[0].splitlines()
    first, second = map(json.loads, lines)
    again = ran("Tomorrow she", "--json", "--seed", str(first["seed"]), "--top-k", "5", "--temperature", "0.8")[0]
    assert json.loads(again) == first
    assert second["seed"] == first["seed"] + 1


def test_fresh_seeds_differ():
    assert json.loads(ran("She", "--json")[0])["seed"] != json.loads(ran("She", "--json")[0])["seed"]


@pytest.mark.parametrize(
    ("arguments", "prompt"),
    [
        (["Tomorrow", "--show-probs", "she"], "Tomorrow she"),
        (["Tomorrow", "--seed", "1", "she"], "Tomorrow she"),
        (["--show-probs", "2", "Tomorrow", "she", "--max-tokens", "2", "will"], "Tomorrow she will"),
    ],
)
def test_the_words_of_a_prompt_keep_their_order_whatever_stands_between_them(capsys, arguments, prompt):
    main([*arguments, "--max-tokens", "1"])
    assert prompt in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(("redirection", "status"), [("<&-", 0), (">&-", 0), ("2>&-", 0), (">/dev/full", 74)])
def test_a_stream_that_is_closed_or_full_is_no_traceback(redirection, status):
    prompt = "" if redirection == "<&-" else "'Tomorrow she' --max-tokens 2"
    command = f"{sys.executable} -m minimodel {prompt} {redirection}"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert run.returncode == status
    assert run.stderr == ("minimodel: No space left on device\n" if status else "")
