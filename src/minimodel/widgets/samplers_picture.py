"""Four samplers as a still picture: the elements that four_samplers.js makes, less what there is to press."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from minimodel.widgets.markup import element
from minimodel.widgets.picture import fixed
from minimodel.widgets.pipeline import Settings

LISTED = 4  # how many completions are written out

Completion = tuple[int, ...]


@dataclass(frozen=True)
class Tally:
    """What came out of one sampler: how often each completion, and what the judge says of it."""

    counts: Counter[Completion]
    rulings: Mapping[Completion, str]

    @property
    def done(self) -> int:
        """How many completions there are."""
        return self.counts.total()

    @property
    def distinct(self) -> int:
        """How many of them differ."""
        return len(self.counts)

    @property
    def right(self) -> int | None:
        """How many are right; None where no verb form is due, so that there is nothing to judge."""
        if {"not_due", "no_sentence"} & set(self.rulings.values()):
            return None
        return sum(count for completion, count in self.counts.items() if self.rulings[completion] == "right")


def picture(
    prompt: str,
    samplers: Mapping[str, tuple[Settings, Tally]],
    spell: Callable[[Sequence[int]], str],
    strings: Mapping[str, str],
) -> ET.Element:
    """Return the card: the prompt and a panel for each sampler."""
    panels = [_panel(name, settings, tally, spell, strings) for name, (settings, tally) in samplers.items()]
    return element(
        "div",
        {"class": "mm-card"},
        element("p", {"class": "mm-head"}, element("span", {}, strings["prompt"]), " ", element("b", {}, prompt)),
        element(
            "p",
            {"class": "mm-row mm-room", "aria-hidden": "true"},
            element("span", {"class": "mm-button"}, strings["new_seeds"]),
        ),
        element("div", {"class": "mm-panels"}, *panels),
    )


def _panel(
    name: str, settings: Settings, tally: Tally, spell: Callable[[Sequence[int]], str], strings: Mapping[str, str]
) -> ET.Element:
    return element(
        "section",
        {"class": "mm-panel", "data-sampler": name},
        element("p", {"class": "mm-caption"}, strings[f"sampler_{name}"]),
        element("p", {"class": "mm-knob-values"}, values_of(settings)),
        _meter("distinct", tally.distinct, tally.done, strings),
        _meter("right", tally.right, tally.done, strings),
        element("ol", {"role": "list"}, *_completions(tally, spell, strings)),
    )


def values_of(settings: Settings) -> str:
    """Return the knobs that are on.

    Examples:
        >>> values_of(Settings(tau=0.8, k=5))
        'τ = 0.8, k = 5'
    """
    few = "" if settings.k is None else f", k = {settings.k}"
    nucleus = "" if settings.p == 1 else f", p = {fixed(settings.p, 1)}"
    return f"τ = {fixed(settings.tau, 1)}{few}{nucleus}"


def _meter(name: str, count: int | None, done: int, strings: Mapping[str, str]) -> ET.Element:
    """A count in words and as a bar."""
    text = strings["no_count"] if count is None else strings["of_all"].format(count=count, all=done)
    share = 100 * (count or 0) / done
    bar = element("span", {"aria-hidden": "true"}, element("i", {"style": f"width:{fixed(share, 1)}%"}))
    return element(
        "p", {"class": f"mm-meter mm-{name}"}, element("span", {}, strings[name]), " ", element("b", {}, text), bar
    )


def _completions(
    tally: Tally, spell: Callable[[Sequence[int]], str], strings: Mapping[str, str]
) -> Iterator[ET.Element]:
    """The most frequent ones, the earlier first among equals, each with its count and its verdict."""
    for completion, count in tally.counts.most_common(LISTED):
        right = tally.rulings[completion] == "right"
        judged = element("span", {"class": "mm-unseen"}, f" ({strings[f'ruling_{tally.rulings[completion]}']})")
        times = element("b", {}, strings["times"].format(n=count))
        yield element("li", {"data-right": str(right).lower()}, times, " ", spell(completion), judged)
