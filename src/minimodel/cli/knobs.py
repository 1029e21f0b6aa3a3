"""The settings that take a value: how it is read, and which values are refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from minimodel.cli.catalogue import Texts
from minimodel.language import check_language
from minimodel.sampling.strategies import MinP, RepetitionPenalty, Temperature, TopK, TopP


@dataclass(frozen=True)
class Knob:
    """A setting, ``--top-k 5`` to a shell and ``/top-k 5`` in a conversation.

    Attributes:
        name: of the field of the settings, such as ``top_k``.
        metavar: stands for its value in the help.
        read: makes a value of what was typed, or raises ValueError.
        bare: what is meant by the option without a value, where that means something.
    """

    name: str
    metavar: str
    read: Callable[[str], Any]
    bare: str | None = None

    @property
    def spelling(self) -> str:
        """Its name as a person types it."""
        return self.name.replace("_", "-")

    def value(self, text: str, texts: Texts) -> Any:
        """Return the value that ``text`` stands for.

        Raises:
            ValueError: it stands for none that is allowed; the message says what is.
        """
        try:
            return self.read(text)
        except ValueError:
            expected = texts(f"expected_{self.name}")
            raise ValueError(texts("refused", name=self.spelling, value=text or "''", expected=expected)) from None


def _held_to(check: Callable[[Any], object], number: Callable[[str], Any]) -> Callable[[str], Any]:
    """A number that ``check`` does not refuse: the samplers know which values they take."""

    def read(text: str) -> Any:
        value = number(text)
        check(value)
        return value

    return read


def _at_least(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if int(text) < least:
            raise ValueError(text)
        return int(text)

    return read


def _string(text: str) -> tuple[str, ...]:
    if not text:
        raise ValueError(text)
    return (text,)


KNOBS = {
    knob.name: knob
    for knob in (
        Knob("lang", "LANG", check_language),
        Knob("temperature", "τ", _held_to(Temperature, float)),
        Knob("top_k", "K", _held_to(TopK, int)),
        Knob("top_p", "P", _held_to(TopP, float)),
        Knob("min_p", "P", _held_to(MinP, float)),
        Knob("repetition_penalty", "ρ", _held_to(RepetitionPenalty, float)),
        Knob("max_tokens", "N", _at_least(0)),
        Knob("stop", "S", _string),
        Knob("seed", "N", _at_least(0)),
        Knob("n", "N", _at_least(1)),
        Knob("show_probs", "N", _at_least(1), bare="5"),
    )
}
