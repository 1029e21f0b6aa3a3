"""Line editing, history and completion with Tab, where Python comes with readline."""

from collections.abc import Callable


def edit_lines(vocabulary: Callable[[], list[str]]) -> None:
    """Let ``input`` edit lines; Tab completes the words that ``vocabulary`` gives. Without readline do nothing."""
    try:
        import readline  # noqa: PLC0415 - not on every system, and only a conversation needs it
    except ImportError:
        return
    readline.parse_and_bind("tab: complete")
    readline.set_completer_delims(" ")
    readline.set_completer(lambda text, number: completion(text, number, vocabulary()))


def completion(text: str, number: int, vocabulary: list[str]) -> str | None:
    """Return the word number ``number`` of those that begin with ``text``, in any case; None when there are no more.

    Examples:
        >>> completion("tom", 0, ["she", "tomorrow"])
        'tomorrow '
    """
    matches = [text + word[len(text) :] + " " for word in vocabulary if word.casefold().startswith(text.casefold())]
    return matches[number] if number < len(matches) else None
