"""Diversity against accuracy: a sampler's measured curve; pick a temperature and read what was written at it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from minimodel.corpus.grammar import Grammar
from minimodel.corpus.judge import Verdict
from minimodel.decoding.batch import row_seed
from minimodel.measures import accuracy, distinct
from minimodel.measures.bands import Band
from minimodel.measures.diversity_accuracy import Tradeoff
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.embedded import EmbeddedWidget
from minimodel.widgets.markup import element
from minimodel.widgets.picture import fixed

LISTED = 12  # different completions to show of a prompt at a temperature
PROMPTS = 8  # prompts to choose from: more would make a heavy page


class TradeoffExplorer(EmbeddedWidget):
    """The curve that `minimodel.measures.diversity_accuracy.tradeoff` measured, the texts behind it, and the truth.

    The truth is the grammar's own: as many completions of each prompt, drawn from its exact distribution.

    Args:
        curve: what was measured, on prompts that the grammar's judge can judge.
        lang: "en" or "es", of the labels and of the grammar.
        at: the point to start with, counted from 0.

    Raises:
        ValueError: the language or the point is not there, or the grammar cannot make a prompt.
    """

    NAME = "tradeoff_explorer"
    SHARED: ClassVar = ("points", "truth", "n", "prompts", "texts", "at", "prompt")
    _esm = esm(NAME)
    _css = style(NAME)
    points: t.List[dict[str, Any]] = t.List().tag(sync=True)
    truth = t.Dict().tag(sync=True)
    n = t.Int().tag(sync=True)
    prompts: t.List[str] = t.List().tag(sync=True)
    texts: t.List[list[dict[str, Any]]] = t.List().tag(sync=True)
    at = t.Int().tag(sync=True)
    prompt = t.Int(0).tag(sync=True)

    def __init__(self, curve: Tradeoff, *, lang: str = "en", at: int = 0) -> None:
        if not 0 <= at < len(curve.taus):
            raise ValueError(f"at is {at}: expected 0 to {len(curve.taus) - 1}, a point of the curve")
        grammar = Grammar.load(lang)
        chosen = curve.prompts[:PROMPTS]
        texts = [
            [_listed(grammar, prompt, written) for prompt, written in zip(chosen, point, strict=False)]
            for point in curve.completions
        ]
        prompts = [grammar.tokenizer.decode(prompt) for prompt in chosen]
        points, truth = _points(curve), grammar_truth(grammar, curve)
        super().__init__(lang, points=points, truth=truth, n=curve.n, prompts=prompts, texts=texts, at=at)

    def picture(self) -> ET.Element:
        """Return all points as a table, and the completions of the first prompt at the chosen one."""
        heads = [
            element("th", {"scope": "col"}, self.strings[name]) for name in ("temperature", "diversity", "accuracy")
        ]
        rows = [
            element("tr", {}, *(element("td", {}, text) for text in (fixed(one["tau"], 2), *_ranges(one))))
            for one in self.points
        ]
        table = element("table", {"class": "mm-table"}, element("tr", {}, *heads), *rows)
        here = self.texts[self.at][self.prompt]
        lines = [f"{count} × {text} {'✓' if right else '✗'}" for text, count, right in here["shown"]]
        listed = element("ul", {}, *(element("li", {}, line) for line in lines))
        heading = element("p", {}, f"{self.strings['prompt']} {self.prompts[self.prompt]} …")
        return element(
            "div", {"class": "mm-card"}, self._plot(), table, element("p", {}, self._sentence()), heading, listed
        )

    def _plot(self) -> ET.Element:
        """The points and the truth; their bands are in the table."""
        places = [(one["diversity"][0], one["accuracy"][0], "mm-dot") for one in self.points]
        places.append((self.truth["diversity"], self.truth["accuracy"], "mm-truth"))
        dots = [
            element("i", {"class": name, "style": f"left:{100 * x:.2f}%;bottom:{100 * y:.2f}%"})
            for x, y, name in places
        ]
        key = element("p", {"class": "mm-key"}, self.strings["axes"].format(n=self.n))
        area = element("div", {"class": "mm-field-of-points", "aria-hidden": "true"}, *dots)
        return element("div", {"class": "mm-scatter"}, area, key)

    def _sentence(self) -> str:
        """The chosen point in words."""
        one = self.points[self.at]
        numbers = {"tau": one["tau"], **{f"true_{name}": value for name, value in self.truth.items()}}
        for name in ("diversity", "accuracy"):
            numbers |= dict(zip((name, f"{name}_low", f"{name}_high"), one[name], strict=True))
        return str(self.strings["point"].format(**{name: fixed(number, 2) for name, number in numbers.items()}))


def grammar_truth(grammar: Grammar, curve: Tradeoff) -> dict[str, float]:
    """Return the diversity and accuracy of completions from the grammar, as many and as long as those of ``curve``."""
    longest = max(len(text) for point in curve.completions for texts in point for text in texts)
    known: dict[tuple[int, ...], NDArray[np.float64]] = {}
    drawn = [
        [_drawn(grammar, prompt, longest, np.random.default_rng(row_seed(place, j)), known) for j in range(curve.n)]
        for place, prompt in enumerate(curve.prompts)
    ]
    right = [
        accuracy([prompt] * curve.n, texts, grammar.judge) for prompt, texts in zip(curve.prompts, drawn, strict=True)
    ]
    return {"diversity": float(np.mean([distinct(texts) for texts in drawn])), "accuracy": float(np.mean(right))}


def _drawn(
    grammar: Grammar,
    prompt: Sequence[int],
    longest: int,
    rng: np.random.Generator,
    known: dict[tuple[int, ...], NDArray[np.float64]],
) -> list[int]:
    """One completion of a prompt; ``known`` remembers the distribution after each text."""
    text = list(prompt)
    while len(text) < len(prompt) + longest:
        place = tuple(text)
        if place not in known:
            known[place] = grammar.next_word_probs(text).cumsum()
        text.append(int(np.searchsorted(known[place], rng.random() * known[place][-1], side="right")))
        if text[-1] == grammar.tokenizer.eos_id:
            break
    return text[len(prompt) :]


def _points(curve: Tradeoff) -> list[dict[str, Any]]:
    def limits(band: Band, i: int) -> list[float]:
        return [float(band.mean[i]), float(band.low[i]), float(band.high[i])]

    return [
        {"tau": float(tau), "diversity": limits(curve.diversity, i), "accuracy": limits(curve.accuracy, i)}
        for i, tau in enumerate(curve.taus)
    ]


def _listed(grammar: Grammar, prompt: Sequence[int], completions: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Different completions, the most frequent first, each with its number and whether it is right."""
    counted = Counter(tuple(text) for text in completions).most_common()
    shown = [
        (
            grammar.tokenizer.decode(text, sentence_start=False),
            count,
            grammar.judge(prompt, text) is Verdict.RIGHT,
        )
        for text, count in counted[:LISTED]
    ]
    return {"shown": [list(one) for one in shown], "more": len(counted) - len(shown)}


def _ranges(point: dict[str, Any]) -> list[str]:
    """Each measure of a point with its band."""
    return [
        f"{fixed(mean, 2)} ({fixed(low, 2)}–{fixed(high, 2)})"
        for mean, low, high in (point["diversity"], point["accuracy"])
    ]
