"""The distribution explorer as a still picture: the elements that distribution_explorer.js makes, less the sliders.

Without the course's style sheet (in a notebook on GitHub, say) it still reads as a list of words and percentages.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from minimodel.widgets.markup import element
from minimodel.widgets.outcome import Outcome

BARS = 20  # how many words get a bar of their own; the rest share one
NOTCH = 0.001  # the least growth of a kept bar that can be seen


@dataclass(frozen=True)
class Scene:
    """What to draw: one prompt's distribution at one setting of the knobs."""

    prompt: str
    words: Sequence[str]
    logits: NDArray[np.float64]
    outcome: Outcome
    tau: float
    k: int | None
    p: float
    note: str


def picture(scene: Scene, strings: Mapping[str, str]) -> ET.Element:
    """Return the card: prompt, settings, bars and numbers."""
    prompt = element("b", {}, f"{scene.prompt} …")
    return element(
        "div",
        {"class": "mm-card"},
        element("p", {"class": "mm-head"}, element("span", {}, strings["prompt"]), " ", prompt),
        element("div", {"class": "mm-knobs"}, *_settings(scene, strings)),
        element("p", {"class": "mm-notice"}, scene.note),
        element("div", {"class": "mm-chart"}, *_chart(scene, strings)),
        element("ul", {"class": "mm-facts", "role": "list"}, *_facts(scene, strings)),
    )


def percent(prob: float, strings: Mapping[str, str]) -> str:
    """Return a probability for people: never "0.0%" for what can happen, nor "100%" for what need not.

    Examples:
        >>> [percent(prob, {"percent": "{n}%"}) for prob in (0, 1e-9, 0.0625, 1 - 1e-9, 1)]
        ['0%', '<0.1%', '6.3%', '>99.9%', '100%']
    """
    number = fixed(100 * prob, 1)
    if prob <= 0 or prob >= 1:
        number = "0" if prob <= 0 else "100"
    elif number in {"0.0", "100.0"}:
        number = "<0.1" if number == "0.0" else ">99.9"
    return strings["percent"].format(n=number)


def fixed(number: float, decimals: int) -> str:
    """Return ``number`` with this many decimals, halves rounded up, as the live widget has it."""
    scale = 10**decimals
    return f"{math.floor(number * scale + 0.5) / scale:.{decimals}f}"


def _settings(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    size = len(scene.words)
    k = strings["all"].format(size=size) if scene.k is None or scene.k >= size else str(scene.k)
    values = {"temperature": f"{scene.tau:.2f}", "top_k": k, "top_p": f"{scene.p:.2f}"}
    return [
        element("p", {"class": "mm-knob"}, element("span", {}, strings[name]), " ", element("b", {}, value))
        for name, value in values.items()
    ]


def _chart(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    caption = strings["caption"].format(prompt=scene.prompt)
    ticks = [element("span", {}, strings["percent"].format(n=tick)) for tick in (0, 50, 100)]
    keys = [
        element("li", {}, element("i", {"class": f"mm-{name}"}), strings[f"legend_{name.replace('-', '_')}"])
        for name in ("kept", "top-k", "top-p", "was")
    ]
    return [
        element("p", {"class": "mm-caption"}, caption),
        element("div", {"class": "mm-axis", "aria-hidden": "true"}, *ticks),
        element("ol", {"class": "mm-bars", "role": "list", "aria-label": caption}, *_rows(scene, strings)),
        element("ul", {"class": "mm-legend", "role": "list", "aria-hidden": "true"}, *keys),
    ]


def _rows(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    """The most probable words in the order of their logits, then all the others in one row."""
    order = [int(i) for i in np.argsort(-scene.logits, kind="stable")]
    groups = [*([i] for i in order[:BARS]), order[BARS:]]
    return [_row(scene, ids, strings) for ids in groups if ids]


def _row(scene: Scene, ids: Sequence[int], strings: Mapping[str, str]) -> ET.Element:
    fate = row_fate(scene.outcome, ids)
    dropped = fate in {"top-k", "top-p", "both"}
    mass = scene.outcome.mass("top-k", ids) + scene.outcome.mass("top-p", ids) if dropped else scene.outcome.share(ids)
    share = percent(mass, strings)
    why = [element("span", {"class": "mm-unseen"}, f"{strings['dropped_by']} ")] if dropped else []
    tag = element("span", {"class": "mm-fate"}, *why, strings[f"fate_{fate.replace('-', '_')}"])
    word = scene.words[ids[0]] if len(ids) == 1 else strings["others"].format(n=len(ids))
    return element(
        "li",
        {"data-id": str(ids[0]) if len(ids) == 1 else "others", "data-fate": fate},
        element("span", {"class": "mm-word"}, word),
        " ",
        element("span", {"class": "mm-value"}, element("del", {}, share) if dropped else share),
        " ",
        element("span", {"class": "mm-track"}, *_segments(scene.outcome, ids), tag),
    )


def _segments(outcome: Outcome, ids: Sequence[int]) -> list[ET.Element]:
    """A row's bar: what is kept, what each filter took away, and a notch where the kept part ended before the cut."""
    after, before = outcome.share(ids), outcome.mass("kept", ids)
    masses = {"kept": after, "top-k": outcome.mass("top-k", ids), "top-p": outcome.mass("top-p", ids)}
    bars = [element("i", {"class": f"mm-{name}", "style": f"width:{_css(mass)}"}) for name, mass in masses.items()]
    if after - before >= NOTCH:
        bars.append(element("i", {"class": "mm-was", "style": f"left:{_css(before)}"}))
    return bars


def _css(mass: float) -> str:
    return f"{100 * mass:.4f}%"


def row_fate(outcome: Outcome, ids: Sequence[int]) -> str:
    """Return what became of these words together: their one fate, or "partly" kept, or dropped by "both" filters."""
    fates: set[str] = {outcome.fates[i] for i in ids}
    if len(fates) > 1:
        fates.discard("masked")  # an impossible word among others is no news
    if len(fates) == 1:
        return fates.pop()
    return "partly" if "kept" in fates else "both"


def _facts(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    """The same four numbers as under the live bars."""
    outcome = scene.outcome
    top = int(outcome.after.argmax())
    bits, nats = (fixed(outcome.entropy / unit, 2) for unit in (math.log(2), 1))
    figures = {
        "entropy": (strings["bits"].format(n=bits), strings["nats"].format(n=nats)),
        "kept": (str(outcome.kept), strings["of"].format(size=len(scene.words))),
        "mass": (percent(outcome.mass_kept, strings), strings["before"]),
        "top": (scene.words[top], percent(float(outcome.after[top]), strings)),
    }
    return [
        element("li", {}, element("span", {}, strings[name]), element("b", {}, figure), element("span", {}, unit))
        for name, (figure, unit) in figures.items()
    ]
