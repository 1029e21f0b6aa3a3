"""The arguments of the command line, made into settings."""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from minimodel.cli.catalogue import Texts, language_of_locale
from minimodel.cli.knobs import KNOBS
from minimodel.cli.settings import Settings
from minimodel.language import LANGUAGES, Language

GROUPS = {
    "group_drawing": ("temperature", "top_k", "top_p", "min_p", "repetition_penalty"),
    "group_length": ("max_tokens", "stop"),
    "group_repeating": ("seed", "n"),
    "group_output": ("stream", "show_probs", "json", "help"),
}
FLAGS = ("stream", "json", "help")


class Request(NamedTuple):
    """What was asked for: a prompt (None where there is none), the settings, and whether only for the help."""

    prompt: str | None
    settings: Settings
    help: bool
    lang_given: bool


def texts_for(arguments: Sequence[str]) -> Texts:
    """Return the texts of the language that ``arguments`` name, else that of the locale."""
    spread = [part for argument in arguments for part in argument.split("=", 1)]
    named = [after for option, after in pairwise(spread) if option == "--lang"]
    return Texts(next((lang for lang in LANGUAGES if lang in named), language_of_locale()))


def read_arguments(arguments: Sequence[str], texts: Texts) -> Request:
    """Return what ``arguments`` ask for.

    Raises:
        ValueError: one of them is unknown, lacks its value or has one that is refused; the message is one line.
    """
    try:
        options, unknown = parser(texts).parse_known_intermixed_args(list(_with_bare_values(arguments)))
    except argparse.ArgumentError as error:  # all values are strings to it, so that one is missing, or one too many
        name = "bad_flag" if error.message.startswith("ignored") else "needs_value"
        raise ValueError(texts(name, option=error.argument_name)) from None
    if unknown:
        raise ValueError(texts("unknown_option", option=unknown[0]))
    given = {name: value for name, value in vars(options).items() if value is not None}
    return _request(given, texts)


def _with_bare_values(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments; an option that may stand alone gets its value where no number follows, but the prompt."""
    bare = {f"--{knob.spelling}": knob.bare for knob in KNOBS.values() if knob.bare is not None}
    for argument, following in pairwise([*arguments, ""]):
        is_number = following.lstrip("+-").replace(".", "").isdigit()
        yield f"{argument}={bare[argument]}" if argument in bare and not is_number else argument


def _request(given: dict[str, Any], texts: Texts) -> Request:
    prompt, show_help = given.pop("prompt"), given.pop("help", False)
    if "json" in given and "stream" in given:
        raise ValueError(texts("json_and_stream"))
    fields = {name: _value(name, value, texts) for name, value in given.items()}
    return Request(" ".join(prompt) if prompt else None, Settings(**fields), show_help, "lang" in given)


def _value(name: str, given: Any, texts: Texts) -> Any:
    if name == "stop":
        return tuple(string for text in given for string in KNOBS["stop"].value(text, texts))
    return given if name in FLAGS else KNOBS[name].value(given, texts)


def parser(texts: Texts) -> argparse.ArgumentParser:
    """Return the parser, its help in the language of ``texts``."""
    made = argparse.ArgumentParser(
        usage=argparse.SUPPRESS,  # argparse can say "usage" in English only
        description=texts("description"),
        epilog=texts("examples"),
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=30),
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
    )
    prompt = made.add_argument_group(texts("group_prompt"))
    prompt.add_argument("prompt", nargs="*", metavar=texts("prompt_metavar"), help=texts("help_prompt"))
    _add(prompt, "lang", texts)
    for title, names in GROUPS.items():
        group = made.add_argument_group(texts(title))
        for name in names:
            _add(group, name, texts)
    return made


def _add(group: Any, name: str, texts: Texts) -> None:
    """Add an option; its value stays a string, for the knob to read."""
    described = texts(f"help_{name}", default=getattr(Settings, name, ""))
    if name in FLAGS:
        names = ("-h", "--help") if name == "help" else (f"--{name}",)
        group.add_argument(*names, action="store_const", const=True, help=described)
        return
    knob = KNOBS[name]
    more: dict[str, Any] = {"action": "append"} if name == "stop" else {}
    if knob.bare is not None:
        more = {"nargs": "?", "const": knob.bare}
    group.add_argument(f"--{knob.spelling}", metavar=knob.metavar, help=described, **more)


def default_language(request: Request, *, conversation: bool) -> Language:
    """Return the language to use: the one named; else English, so that a command does the same everywhere.

    Only a conversation, where nothing was said yet, opens in the language of the locale.
    """
    return language_of_locale() if conversation and not request.lang_given else request.settings.lang
