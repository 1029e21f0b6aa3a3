"""Colour only where it can be seen."""

import io

import pytest

from minimodel.cli.terminal import Screen


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colour_on_a_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Screen(Terminal()).bold("a") == "\x1b[1ma\x1b[22m"
    assert Screen(Terminal()).dim("a") == "\x1b[2ma\x1b[22m"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_unless_it_is_not_wanted(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert Screen(Terminal()).bold("a") == "a"


def test_no_colour_elsewhere():
    assert Screen(io.StringIO()).dim("a") == "a"
