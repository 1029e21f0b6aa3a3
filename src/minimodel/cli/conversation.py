"""The conversation: a person types the beginning of a sentence, the model goes on; a line with "/" sets something."""

from collections.abc import Callable
from dataclasses import fields, replace

from minimodel.cli.answers import answers
from minimodel.cli.catalogue import Texts
from minimodel.cli.completion import Completion
from minimodel.cli.knobs import KNOBS, Knob
from minimodel.cli.line_editing import edit_lines
from minimodel.cli.settings import Settings
from minimodel.cli.terminal import Screen
from minimodel.cli.voice import Voice

OFF = ("off", "no")


class Conversation:
    """What is set, and what was said last.

    Args:
        settings: to begin with, and to come back to with ``/reset``.
        screen: where to write.
    """

    def __init__(self, settings: Settings, screen: Screen) -> None:
        self.settings = self._first = replace(settings, stream=True)
        self._screen, self._prompt = screen, ""
        self.over = False
        self._orders: dict[str, Callable[[], None]] = {
            "show": self._show,
            "words": self._words,
            "reset": self._reset,
            "help": self._help,
            "quit": self._quit,
        }

    @property
    def texts(self) -> Texts:
        """What to say, in the language set."""
        return Texts(self.settings.lang, prefix="/")

    @property
    def vocabulary(self) -> list[str]:
        """All that may be typed: the words of the language and the commands."""
        words = [word for word in Voice.load(self.settings.lang).tokenizer.words if word[0].isalpha()]
        return words + ["/" + name for name in (*(knob.spelling for knob in KNOBS.values()), *self._orders)]

    def hear(self, line: str) -> None:
        """Answer a line; Ctrl-C ends the answer only, and bad input is one line."""
        try:
            if line.startswith("/"):
                self._obey(line[1:])
            else:
                self._continue(line)
        except ValueError as error:
            self._screen.line(str(error))
        except KeyboardInterrupt:
            self._screen.line(self._screen.dim(self.texts("interrupted")))

    def _continue(self, line: str) -> None:
        """Continue a text; an empty line is the last one again."""
        self._prompt = line or self._prompt
        if not self._prompt:
            raise ValueError(self.texts("empty_prompt"))
        for completion in answers(self._prompt, self.settings, self._screen, self.texts):
            if not self.settings.json:
                self._screen.line(self._screen.dim(self._summary(completion)))

    def _summary(self, completion: Completion) -> str:
        """How the text came about: what to type to have it again, why it ended, whether its verb is right."""
        texts, verdict = self.texts, completion.verdict
        parts = [texts("summary_seed", seed=completion.seed), texts(f"reason_{completion.reason}")]
        if verdict:
            parts.append(texts(f"verdict_{verdict.value.replace(' ', '_')}"))
        return "  " + " · ".join(parts)

    def _obey(self, command: str) -> None:
        name, _, value = command.partition(" ")
        name, value = name.replace("-", "_"), value.strip()
        if name in self._orders:
            self._orders[name]()
        elif name in KNOBS:
            self._turn(KNOBS[name], value)
        else:
            raise ValueError(self.texts("unknown_command", command=command))

    def _turn(self, knob: Knob, value: str) -> None:
        """Set a knob, put it back to where it is by default, or only say how it stands."""
        value = value or knob.bare or ""
        if value.casefold() in OFF:
            self.settings = replace(self.settings, **{knob.name: getattr(Settings, knob.name)})
        elif value:
            self.settings = replace(self.settings, **{knob.name: knob.value(value, self.texts)})
        self._screen.line(self._state(knob))

    def _state(self, knob: Knob) -> str:
        value = getattr(self.settings, knob.name)
        if isinstance(value, tuple):
            value = ", ".join(map(repr, value))
        off = self.texts("fresh" if knob.name == "seed" else "off")
        return f"  {knob.spelling:20}{off if value in (None, '') else value}"

    def _show(self) -> None:
        for knob in KNOBS.values():
            self._screen.line(self._state(knob))

    def _words(self) -> None:
        self._screen.line(" ".join(Voice.load(self.settings.lang).tokenizer.words))

    def _reset(self) -> None:
        self.settings = self._first
        self._show()

    def _help(self) -> None:
        for knob in KNOBS.values():
            default = next(field.default for field in fields(Settings) if field.name == knob.name)
            described = self.texts(f"help_{knob.name}", default=default)
            self._screen.line(f"  {f'/{knob.spelling} {knob.metavar}':26}{described}")
        for name in self._orders:
            self._screen.line(f"  {'/' + name:26}{self.texts('order_' + name)}")
        self._screen.line(self.texts("help_notes"))

    def _quit(self) -> None:
        self.over = True


def converse(settings: Settings, screen: Screen, read: Callable[[str], str] = input) -> int:
    """Talk until ``/quit`` or the end of the input (status 0).

    Raises:
        KeyboardInterrupt: Ctrl-C with nothing under way.
    """
    conversation = Conversation(settings, screen)
    edit_lines(lambda: conversation.vocabulary)
    screen.line(conversation.texts("welcome"))
    while not conversation.over:
        try:
            conversation.hear(read(f"{conversation.settings.lang}> ").strip())
        except EOFError:
            screen.line()
            return 0
        except KeyboardInterrupt:
            screen.line()
            raise
    return 0
