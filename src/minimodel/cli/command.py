"""One run of the command line: a prompt from the arguments, prompts from a pipe, or a conversation."""

import sys
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from minimodel.cli.answers import answers
from minimodel.cli.arguments import Request, default_language, parser, read_arguments, texts_for
from minimodel.cli.catalogue import Texts
from minimodel.cli.conversation import converse
from minimodel.cli.settings import Settings
from minimodel.cli.terminal import Screen, command_line, speak_utf8

BAD_INPUT = 2


def run(arguments: Sequence[str] | None = None) -> int:
    """Do what ``arguments`` (those of the process, if None) ask for; return the exit status."""
    speak_utf8()
    given = command_line() if arguments is None else list(arguments)
    texts, screen = texts_for(given), Screen(sys.stdout)
    try:
        return _serve(read_arguments(given, texts), screen, texts)
    except ValueError as error:
        return complain(str(error))


def _serve(request: Request, screen: Screen, texts: Texts) -> int:
    if request.help:
        screen.put(parser(texts).format_help())
        return 0
    conversation = request.prompt is None and sys.stdin.isatty() and screen.is_terminal
    settings = replace(request.settings, lang=default_language(request, conversation=conversation))
    if conversation:
        return converse(settings, screen)
    if request.prompt is None:
        return answer_lines(sys.stdin, settings, screen, texts)
    _write(request.prompt, settings, screen, texts)
    return 0


def answer_lines(lines: Iterable[str], settings: Settings, screen: Screen, texts: Texts) -> int:
    """Continue each line that is not blank; go on after a bad one. Return the exit status."""
    status = 0
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                _write(line.strip(), settings, screen, texts)
        except ValueError as error:
            status = complain(texts("line", number=number, error=error))
    return status


def complain(message: str) -> int:
    """Write an error and return the exit status that goes with it."""
    print(f"minimodel: {message}", file=sys.stderr)
    return BAD_INPUT


def _write(prompt: str, settings: Settings, screen: Screen, texts: Texts) -> None:
    deque(answers(prompt, settings, screen, texts), maxlen=0)
