"""The conversation, line by line, without a terminal."""

import io

import pytest

from minimodel.cli.conversation import Conversation, converse
from minimodel.cli.knobs import KNOBS
from minimodel.cli.settings import Settings
from minimodel.cli.terminal import Screen

VALUES = {
    "lang": ("es", "es"), "temperature": ("0.7", 0.7), "top_k": ("5", 5), "top_p": ("0.9", 0.9), "min_p": ("0.1", 0.1),
    "repetition_penalty": ("1.2", 1.2), "max_tokens": ("3", 3), "stop": ("and then", ("and then",)), "seed": ("0", 0),
    "n": ("2", 2), "show_probs": ("4", 4),
}  # fmt: skip


@pytest.fixture
def talk():
    """A conversation, and a function that says a line and returns the answer."""
    out = io.StringIO()
    conversation = Conversation(Settings(), Screen(out))

    def say(line):
        out.seek(0)
        out.truncate()
        conversation.hear(line)
        return out.getvalue()

    say.conversation = conversation
    return say


def test_every_knob_has_a_value_to_try():
    assert set(VALUES) == set(KNOBS)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("spelt", [lambda name: name, lambda name: name.replace("_", "-")])
def test_a_command_for_every_knob_and_off_undoes_it(talk, name, spelt):
    typed, value = VALUES[name]
    talk(f"/{spelt(name)} {typed}")
    assert getattr(talk.conversation.settings, name) == value
    talk(f"/{spelt(name)} off")
    assert getattr(talk.conversation.settings, name) == getattr(Settings(), name)


def test_a_knob_alone_says_how_it_stands(talk):
    talk("/temperature 0.7")
    assert talk("/temperature").split() == ["temperature", "0.7"]
    assert "off" in talk("/top-k")
    assert "new one" in talk("/seed")


def test_show_probs_alone_turns_them_on(talk):
    talk("/show-probs")
    assert "▸" in talk("She")


def test_a_beginning_is_continued_and_how_is_said(talk):
    talk("/seed 7")
    first = talk("Tomorrow she")
    assert first.startswith("Tomorrow she will ")
    assert "seed 7 · the text ended · the right verb form" in first
    assert talk("") == first  # enter alone: the same again


def test_several_continuations_each_say_their_seed(talk):
    talk("/seed 7")
    talk("/n 2")
    said = talk("She")
    assert said.index("seed 7") < said.rindex("She") < said.index("seed 8")


def test_settings_reach_the_text(talk):
    talk("/temperature 0")
    talk("/max-tokens 2")
    assert talk("Tomorrow she").startswith("Tomorrow she will eat\n")
    talk("/max-tokens off")
    talk("/stop eat")
    assert "ended by stop" in talk("Tomorrow she")


def test_lang_changes_the_model_and_the_words(talk):
    assert "/lang es" in talk("Mañana ella")
    assert talk("/lang es").split() == ["lang", "es"]
    assert "semilla" in talk("Mañana ella")
    assert "esta lista" in talk("/help")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/top-p 2", "/top-p is 2: expected"),
        ("/tempo 2", "/tempo 2 is not a command"),
        ("/", "/ is not a command"),
        ("banana", "'banana' is not in the vocabulary"),
        ("", "the prompt is empty"),
    ],
)
def test_bad_input_is_one_line_and_the_talk_goes_on(talk, line, said):
    before = talk.conversation.settings
    answer = talk(line)
    assert said in answer
    assert len(answer.splitlines()) == 1
    assert talk.conversation.settings == before
    assert not talk.conversation.over


def test_reset_goes_back_to_the_start(talk):
    before = talk.conversation.settings
    talk("/temperature 0.2")
    talk("/lang es")
    talk("/reset")
    assert talk.conversation.settings == before


def test_show_and_help_name_everything(talk):
    shown, helped = talk("/show"), talk("/help")
    for knob in KNOBS.values():
        assert knob.spelling in shown
        assert f"/{knob.spelling} " in helped
    for order in ("/show", "/words", "/reset", "/help", "/quit"):
        assert order in helped


def test_words_lists_the_vocabulary(talk):
    assert "tomorrow" in talk("/words").split()


def reader(*lines):
    """Stands for the keyboard; an exception is raised in place of a line."""
    coming = iter(lines)

    def read(_):
        line = next(coming)
        if isinstance(line, type):
            raise line
        return line

    return read


@pytest.mark.parametrize("ending", ["/quit", EOFError])
def test_ways_to_leave(ending):
    assert converse(Settings(), Screen(io.StringIO()), reader("She", ending, "unheard")) == 0


def test_ctrl_c_with_nothing_under_way_leaves_too():
    with pytest.raises(KeyboardInterrupt):
        converse(Settings(), Screen(io.StringIO()), reader("She", KeyboardInterrupt, "unheard"))
