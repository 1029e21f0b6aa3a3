"""The nucleus explorer: probabilities from the likeliest down, their running sum, and a line at p to drag."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
import traitlets as t

from minimodel.widgets.bundle import esm, style
from minimodel.widgets.embedded import EmbeddedWidget
from minimodel.widgets.markup import element
from minimodel.widgets.picture import fixed

MOST = 16  # tokens that there is room for

PRESETS = {
    "confident": (0.02, 0.81, 0.06, 0.03, 0.01, 0.04, 0.02, 0.01),
    "long_tail": (0.07, 0.05, 0.14, 0.06, 0.11, 0.05, 0.09, 0.08, 0.05, 0.07, 0.04, 0.06, 0.04, 0.03, 0.03, 0.03),
}
"""A step at which one token is nearly certain, and one at which many are possible."""


ROUNDING = 1e-9  # so much of a sum is no reason to keep one more: .14 + .11 + .09 is a hair below .34


class Cut(NamedTuple):
    """Where top-p and top-k cut a distribution.

    Attributes:
        order: token ids, likeliest first, equals by lowest id.
        mass: the probability of the first 1, 2, … of them.
        nucleus: how many top-p keeps.
        top: how many top-k keeps.
    """

    order: list[int]
    mass: list[float]
    nucleus: int
    top: int


def cut(probs: Sequence[float], p: float, k: int) -> Cut:
    """Return where top-p and top-k cut probabilities, shape ``(V,)``, that are given as numbers and not as logits.

    Examples:
        >>> cut([0.25, 0.5, 0.25], 0.75, 1)
        Cut(order=[1, 0, 2], mass=[0.5, 0.75, 1.0], nucleus=2, top=1)
    """
    order = np.argsort(-np.asarray(probs), kind="stable")
    mass = np.cumsum(np.asarray(probs)[order])
    reached = np.flatnonzero(mass >= p - ROUNDING)
    nucleus = int(reached[0]) + 1 if p < 1 and reached.size else len(probs)
    return Cut(order.tolist(), mass.tolist(), nucleus, min(k, len(probs)))


class NucleusExplorer(EmbeddedWidget):
    """Top-p and top-k on a confident and a long-tailed distribution, or on the reader's own numbers.

    Args:
        lang: "en" or "es".
        choice: "confident", "long_tail" or "own", to start with.
        p: the mass that top-p keeps, from 0.01 to 1.
        k: how many tokens top-k keeps, from 1 to 16.

    Raises:
        ValueError: the language, the choice, ``p`` or ``k`` is not one of these.

    Examples:
        >>> NucleusExplorer(lang="es", p=0.8).p
        0.8
    """

    NAME = "nucleus_explorer"
    SHARED: ClassVar = ("presets", "choice", "own", "p", "k")
    _esm = esm(NAME)
    _css = style(NAME)
    presets = t.Dict().tag(sync=True)
    choice = t.Unicode().tag(sync=True)
    own = t.Unicode("0.15 0.3 0.3 0.25").tag(sync=True)
    p = t.Float().tag(sync=True)
    k = t.Int().tag(sync=True)

    def __init__(self, *, lang: str = "en", choice: str = "confident", p: float = 0.9, k: int = 4) -> None:
        presets = {name: list(probs) for name, probs in PRESETS.items()}
        super().__init__(lang, presets=presets, choice=choice, p=p, k=k)

    @t.validate("choice")
    def _check_choice(self, proposal: dict[str, Any]) -> str:
        choice: str = proposal["value"]
        if choice not in {*PRESETS, "own"}:
            raise ValueError(f"choice is {choice!r}: expected {', '.join(map(repr, PRESETS))} or 'own'")
        return choice

    @t.validate("p")
    def _check_p(self, proposal: dict[str, Any]) -> float:
        p: float = proposal["value"]
        if not 0.01 <= p <= 1:  # noqa: PLR2004 - where the line ends
            raise ValueError(f"p is {p}: expected 0.01 to 1, where the line ends")
        return p

    @t.validate("k")
    def _check_k(self, proposal: dict[str, Any]) -> int:
        k: int = proposal["value"]
        if not 1 <= k <= MOST:
            raise ValueError(f"k is {k}: expected 1 to {MOST}, where the slider ends")
        return k

    def picture(self) -> ET.Element:
        """Return the plot and its sentences; where the reader's own numbers are chosen, of the first preset."""
        probs = PRESETS.get(self.choice, PRESETS["confident"])
        made = cut(probs, self.p, self.k)
        columns = [self._column(place, probs, made) for place in range(len(probs))]
        line = element("div", {"class": "mm-p-line", "style": f"bottom:{100 * self.p:.2f}%"})
        line.append(element("b", {}, f"p = {self.p:.2f}"))
        plot = element(
            "div", {"class": "mm-plot"}, element("ol", {"class": "mm-columns", "role": "list"}, *columns), line
        )
        key = element("p", {"class": "mm-key"}, self.strings["key"])
        sentences = [element("p", {}, text) for text in self._sentences(made)]
        parts = (element("div", {"class": "mm-nucleus"}, plot, key), element("div", {"class": "mm-said"}, *sentences))
        return element("div", {"class": "mm-card"}, *parts)

    def _column(self, place: int, probs: Sequence[float], made: Cut) -> ET.Element:
        token = made.order[place]
        prob, total = probs[token], made.mass[place]
        words = self.strings["column"].format(id=token, prob=fixed(prob, 3), sum=fixed(total, 3))
        kept = [(place < many) for many in (made.nucleus, made.top)]
        marks = [element("span", {"class": "mm-yes" if yes else "mm-no"}, "✓" if yes else "·") for yes in kept]
        return element(
            "li",
            {},
            element("span", {"class": "mm-unseen"}, words),
            element("i", {"class": "mm-in" if kept[0] else "mm-out", "style": f"height:{100 * prob:.2f}%"}),
            element("i", {"class": "mm-sum", "style": f"bottom:{100 * (total - prob):.2f}%;height:{100 * prob:.2f}%"}),
            element("span", {"class": "mm-marks", "aria-hidden": "true"}, element("b", {}, str(token)), *marks),
        )

    def _sentences(self, made: Cut) -> list[str]:
        """Both cuts in words."""
        n, size = made.nucleus, len(made.order)
        values = {"p": f"{self.p:.2f}", "n": n, "size": size, "mass": fixed(made.mass[n - 1], 3)}
        before = fixed(made.mass[n - 2] if n > 1 else 0.0, 3)
        text = self.strings["keeps_all" if n == size else "nucleus"]
        top = {"k": self.k, "n": made.top, "size": size, "mass": fixed(made.mass[made.top - 1], 3)}
        return [text.format(**values, last=made.order[n - 1], before=before), self.strings["top"].format(**top)]
