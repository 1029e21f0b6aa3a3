"""The conversation on a terminal of its own, as a person has it."""

import os
import pty
import select
import signal
import sys
import time

import pytest

CTRL_C, CTRL_D, UP = b"\x03", b"\x04", b"\x1b[A"
PATIENCE = 30


class Person:
    """Somebody at a terminal that runs ``python -m minimodel``."""

    def __init__(self, *arguments, **variables):
        env = os.environ | {"TERM": "xterm", "LC_ALL": "C.UTF-8"} | variables
        self._child, self._terminal = pty.fork()
        if not self._child:
            os.execve(sys.executable, [sys.executable, "-m", "minimodel", *arguments], env)  # never returns
        self._seen, self._status = b"", None

    def types(self, keys):
        os.write(self._terminal, keys if isinstance(keys, bytes) else keys.encode() + b"\n")

    def sees(self, text):
        """Wait for ``text``; return all that came up to and with it."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self._seen:
            assert self._reads(end), f"no {text!r} in {self._seen.decode(errors='replace')!r}"
        before, found, self._seen = self._seen.partition(text.encode())
        return (before + found).decode()

    def leaves(self):
        """Return the status, and the rest of what was written."""
        end = time.monotonic() + PATIENCE
        while self._reads(end):
            pass
        self._status = os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])
        return self._status, self._seen.decode()

    def _reads(self, end):
        """Wait for output until ``end``; return whether there was any before the program left."""
        if not select.select([self._terminal], [], [], max(0, end - time.monotonic()))[0]:
            os.kill(self._child, signal.SIGKILL)
            return False
        try:
            self._seen += (new := os.read(self._terminal, 4096))
        except OSError:  # how a terminal says that nobody is at the other end
            return False
        return bool(new)

    def close(self):
        if self._status is None:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        os.close(self._terminal)


@pytest.fixture
def person():
    people = []

    def sit_down(*arguments, **variables):
        people.append(Person(*arguments, **variables))
        return people[-1]

    yield sit_down
    for somebody in people:
        somebody.close()


def test_a_talk_from_hello_to_quit(person):
    at = person()
    assert "/help" in at.sees("en> ")
    at.types("/seed 7")
    at.sees("en> ")
    at.types("Tomorrow she")
    said = at.sees("en> ")
    assert "Tomorrow she\x1b[22m will" in said
    assert "seed 7" in said
    at.types("/quit")
    status, rest = at.leaves()
    assert status == 0
    assert "Traceback" not in rest


def test_ctrl_c_ends_the_text_and_at_the_prompt_the_talk(person):
    at = person("--temperature", "0", "--max-tokens", "1000000")
    at.sees("en> ")
    at.types("Tomorrow she")
    at.sees("will")
    at.types(CTRL_C)
    at.sees("interrupted")
    at.sees("en> ")
    at.types("/max-tokens 1")
    at.sees("en> ")
    at.types("Tomorrow she")
    at.sees("cut off")
    at.sees("en> ")
    time.sleep(0.5)  # readline misses a signal between its prompt and its wait; nobody types that fast
    at.types(CTRL_C)
    status, rest = at.leaves()
    assert status == 130
    assert "Traceback" not in rest


def test_ctrl_d_leaves(person):
    at = person()
    at.sees("en> ")
    at.types(CTRL_D)
    assert at.leaves()[0] == 0


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_spanish_is_typed_and_answered_whatever_the_locale(person, locale):
    at = person("--lang", "es", LC_ALL=locale)
    at.sees("es> ")
    at.types("mañana ella")
    at.sees("Mañana ella\x1b[22m va")
    at.sees("semilla")


def test_the_locale_chooses_the_language_of_a_talk(person):
    at = person(LC_ALL="es_MX.UTF-8")
    assert "Escribe" in at.sees("es> ")


def test_history_comes_back_with_the_arrow(person):
    at = person("--max-tokens", "0")
    at.sees("en> ")
    at.types("Tomorrow she")
    at.sees("unfinished")
    at.sees("en> ")
    at.types(UP + b"\n")
    at.sees("unfinished")


def test_tab_completes(person):
    at = person("--max-tokens", "0")
    at.sees("en> ")
    at.types(b"Tom\tsh\t\n")
    at.sees("Tomorrow she \r\n")
    at.sees("unfinished")


def test_a_prompt_in_the_arguments_is_answered_without_a_talk(person):
    at = person("Tomorrow she", "--max-tokens", "1", "--stream")
    status, rest = at.leaves()
    assert status == 0
    assert "will" in rest
    assert "en> " not in rest


def test_a_terminal_has_colour_unless_it_is_not_wanted(person):
    assert "\x1b[2m" in person("She").leaves()[1]
    assert "\x1b" not in person("She", NO_COLOR="1").leaves()[1]
