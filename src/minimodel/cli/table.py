"""A step's distribution as text: a table with bars, before and after the transforms."""

from collections.abc import Iterator

from minimodel.cli.catalogue import Texts
from minimodel.cli.choice import Candidate, Choice
from minimodel.decoding.loop import Step

BAR, PERCENT = 14, 7
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
SHOWN = 60  # characters of the text so far


def step_table(step: Step, words: tuple[str, ...], top: int, texts: Texts) -> Iterator[str]:
    """Yield the lines of the table: a heading, the top words and the one drawn, and all others together."""
    choice = Choice(step, top)
    others = texts("others", count=len(words) - len(choice.listed))
    width = max(len(name) for name in (others, *(words[token] for token in choice.listed)))
    yield _heading(choice, width, texts)
    for candidate in choice.candidates():
        mark, name = "▸" if candidate.drawn else " ", words[candidate.token]
        columns = _columns(candidate.probs, texts, gone=candidate.dropped_by is not None)
        yield _line(mark, name, width, columns, _note(candidate, texts))
    if len(words) > len(choice.listed):
        rest = choice.others()
        columns = _columns(rest, texts, gone=not list(rest.values())[-1])
        yield _line(" ", others, width, columns, _note_on_others(choice, texts))


def title(number: int, text: str, texts: Texts) -> str:
    """Return the line above a table: which step it is, and the end of the text so far."""
    return texts("step", number=number, text=text if len(text) <= SHOWN else "…" + text[1 - SHOWN :])


def bar(prob: float, width: int = BAR) -> str:
    """Return a bar that is ``width`` characters long for probability 1, to an eighth of a character.

    Examples:
        >>> bar(0.5, 5)
        '██▌'
    """
    whole, eighths = divmod(round(prob * width * 8), 8)
    return "█" * whole + EIGHTHS[eighths]


def _heading(choice: Choice, width: int, texts: Texts) -> str:
    model, *transforms = (_named(name, texts) for name in choice.names)
    first, second = (f"{'':{PERCENT}} {heading}" for heading in (f"{model:{BAR}}", " → ".join(transforms)))
    return f"  {'':{width}} {first} {second}".rstrip()


def _columns(probs: dict[str, float], texts: Texts, *, gone: bool) -> str:
    """The model's probability and, where there are transforms, the one after all of them (a dash if ``gone``)."""
    first, *others = probs.values()
    columns = [_column(texts("percent", number=f"{100 * first:.1f}"), first)]
    if others:
        columns.append(_column("—" if gone else texts("percent", number=f"{100 * others[-1]:.1f}"), others[-1]))
    return " ".join(columns)


def _column(percent: str, prob: float) -> str:
    return f"{percent:>{PERCENT}} {bar(prob):{BAR}}"


def _line(mark: str, name: str, width: int, columns: str, note: str) -> str:
    return f"{mark} {name:{width}} {columns} {note}".rstrip()


def _note(candidate: Candidate, texts: Texts) -> str:
    if candidate.drawn:
        return texts("drawn")
    return texts("dropped", by=_named(candidate.dropped_by, texts)) if candidate.dropped_by else ""


def _note_on_others(choice: Choice, texts: Texts) -> str:
    counts = [f"{count} {_named(name, texts)}" for name, count in choice.others_dropped().items()]
    return texts("others_dropped", by=" · ".join(counts)) if counts else ""


def _named(transform: str, texts: Texts) -> str:
    return texts(f"transform_{transform.replace(' ', '_').replace('-', '_')}")
