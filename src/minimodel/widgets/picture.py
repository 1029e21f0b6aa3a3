"""The distribution explorer as a still picture: the elements that distribution_explorer.js makes, less the sliders.

Without the course's style sheet (in a notebook on GitHub, say) it still reads as a list of words and percentages.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from minimodel.sampling.logits import Logits
from minimodel.widgets.markup import element
from minimodel.widgets.outcome import Outcome
from minimodel.widgets.pipeline import DROPS, Settings

BARS, PAIRS = 20, 10  # how many words get a bar of their own, or two where there is a pitfall; the rest share one
NOTCH = 0.001  # the least growth of a kept bar that can be seen


@dataclass(frozen=True)
class Scene:
    """What to draw: one prompt's distribution at one setting of the knobs."""

    prompt: str
    words: Sequence[str]
    logits: NDArray[np.float64]
    seen: Sequence[int]
    settings: Settings
    outcome: Outcome
    note: str
    pitfall: str
    broken: bool
    wrong: Outcome | None


def picture(scene: Scene, strings: Mapping[str, str]) -> ET.Element:
    """Return the card: prompt, settings, bars and numbers."""
    prompt = element("b", {}, f"{scene.prompt} …")
    return element(
        "div",
        {"class": "mm-card"},
        element("p", {"class": "mm-head"}, element("span", {}, strings["prompt"]), " ", prompt),
        element("div", {"class": "mm-knobs"}, *_settings(scene, strings)),
        *_pitfall(scene, strings),
        element("p", {"class": "mm-notice"}, scene.note),
        element("div", {"class": "mm-chart mm-beside" if scene.broken else "mm-chart"}, *_chart(scene, strings)),
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


def damage(right: Logits, wrong: Logits) -> float:
    """Return how much probability is not where it should be: what ``wrong`` adds, or lacks, whichever is more.

    Examples:
        >>> damage(np.array([0.75, 0.25]), np.array([0.5, 0.25]))
        0.25
    """
    differences = wrong - right
    return float(max(differences.clip(min=0).sum(), -differences.clip(max=0).sum()))


def _settings(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    size, (penalty, tau, k, p, min_p) = len(scene.words), scene.settings
    every = strings["all"].format(size=size)
    values = {
        "penalty": f"{penalty:.2f}",
        "temperature": f"{tau:.2f}",
        "top_k": every if k is None or k >= size else str(k),
        "top_p": f"{p:.2f}",
        "min_p": f"{min_p:.2f}",
    }
    return [
        element("p", {"class": "mm-knob"}, element("span", {}, strings[name]), " ", element("b", {}, value))
        for name, value in values.items()
    ]


def _pitfall(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    """What is wrong with the broken sampler, and how much that matters here."""
    if not scene.pitfall:
        return []
    what = element("p", {}, strings[f"pitfall_{scene.pitfall.replace('-', '_')}"])
    harm = strings["harm_nothing_left"] if scene.broken else ""
    if scene.wrong:
        harm = strings["harm"].format(share=percent(damage(scene.outcome.after, scene.wrong.after), strings))
    place = element("b", {"class": "mm-switch"}, strings["break_it"])
    return [element("div", {"class": "mm-pitfall"}, place, what, element("p", {"class": "mm-harm"}, harm))]


def _chart(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    caption = strings["caption"].format(prompt=scene.prompt)
    ticks = [element("span", {}, strings["percent"].format(n=tick)) for tick in (0, 50, 100)]
    keys = [
        element("li", {}, element("i", {"class": f"mm-{name}"}), strings[f"legend_{name.replace('-', '_')}"])
        for name in ("kept", *DROPS, "was", *(["wrong"] if scene.pitfall else []))
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
    alone = PAIRS if scene.pitfall else BARS
    groups = [*([i] for i in order[:alone]), order[alone:]]
    return [_row(scene, ids, strings) for ids in groups if ids]


def _row(scene: Scene, ids: Sequence[int], strings: Mapping[str, str]) -> ET.Element:
    fate = row_fate(scene.outcome, ids)
    dropped = fate in {*DROPS, "several"}
    mass = sum(scene.outcome.mass(step, ids) for step in DROPS) if dropped else scene.outcome.share(ids)
    share = percent(mass, strings)
    word = scene.words[ids[0]] if len(ids) == 1 else strings["others"].format(n=len(ids))
    return element(
        "li",
        {"data-id": str(ids[0]) if len(ids) == 1 else "others", "data-fate": fate},
        element("span", {"class": "mm-word"}, word),
        " ",
        element("span", {"class": "mm-value"}, element("del", {}, share) if dropped else share),
        " ",
        element("span", {"class": "mm-track"}, *_segments(scene.outcome, ids), _tag(scene, ids, fate, strings)),
        *(_second_bar(scene, ids, strings) if scene.broken else []),
    )


def _tag(scene: Scene, ids: Sequence[int], fate: str, strings: Mapping[str, str]) -> ET.Element:
    """What became of the words of a row, in words."""
    dropped = fate in {*DROPS, "several"}
    why = [element("span", {"class": "mm-unseen"}, f"{strings['dropped_by']} ")] if dropped else []
    repeated = scene.settings.penalty != 1 and len(ids) == 1 and ids[0] in scene.seen
    name = "penalized" if repeated and fate == "kept" else fate.replace("-", "_")
    return element("span", {"class": "mm-fate"}, *why, strings[f"fate_{name}"])


def _second_bar(scene: Scene, ids: Sequence[int], strings: Mapping[str, str]) -> list[ET.Element]:
    """The bar of the broken sampler."""
    share = scene.wrong.share(ids) if scene.wrong else 0.0
    label = element("span", {"class": "mm-unseen"}, f"{strings['broken']} ")
    bar = element("i", {"class": "mm-wrong", "style": f"width:{_css(share)}"})
    text = percent(share, strings) if scene.wrong else "NaN"
    return [element("span", {"class": "mm-value"}, label, text), element("span", {"class": "mm-track"}, bar)]


def _segments(outcome: Outcome, ids: Sequence[int]) -> list[ET.Element]:
    """A row's bar: what is kept, what each filter took away, and a notch where the kept part ended before the cut."""
    after, before = outcome.share(ids), outcome.mass("kept", ids)
    masses = {"kept": after} | {step: outcome.mass(step, ids) for step in DROPS}
    bars = [element("i", {"class": f"mm-{name}", "style": f"width:{_css(mass)}"}) for name, mass in masses.items()]
    if after - before >= NOTCH:
        bars.append(element("i", {"class": "mm-was", "style": f"left:{_css(before)}"}))
    return bars


def _css(mass: float) -> str:
    return f"{100 * mass:.4f}%"


def row_fate(outcome: Outcome, ids: Sequence[int]) -> str:
    """Return what became of these words together: their one fate, or "partly" kept, or dropped by "several" filters."""
    fates: set[str] = {outcome.fates[i] for i in ids}
    if len(fates) > 1:
        fates.discard("masked")  # an impossible word among others is no news
    if len(fates) == 1:
        return fates.pop()
    return "partly" if "kept" in fates else "several"


def _facts(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    """The same four numbers as under the live bars, those of the broken sampler included."""
    figures = _figures(scene.outcome, scene, strings)
    units = (figures["nats"], strings["of"].format(size=len(scene.words)), strings["before"], figures["share"])
    bad = _figures(scene.wrong, scene, strings) if scene.wrong else None
    facts = []
    for name, unit in zip(("entropy", "kept", "mass", "top"), units, strict=True):
        worse = (f"{bad[name]} {bad['share']}" if name == "top" else bad[name]) if bad else "NaN"
        wrongly = f"{strings['broken']} {worse}" if scene.broken else ""
        parts = [element("span", {}, strings[name]), element("b", {}, figures[name]), element("span", {}, unit)]
        facts.append(element("li", {}, *parts, element("span", {"class": "mm-wrongly"}, wrongly)))
    return facts


def _figures(outcome: Outcome, scene: Scene, strings: Mapping[str, str]) -> dict[str, str]:
    """The numbers of an outcome as texts."""
    top = int(outcome.after.argmax())
    return {
        "entropy": strings["bits"].format(n=fixed(outcome.entropy / math.log(2), 2)),
        "nats": strings["nats"].format(n=fixed(outcome.entropy, 2)),
        "kept": str(outcome.kept),
        "mass": percent(outcome.mass_kept, strings),
        "top": scene.words[top],
        "share": percent(float(outcome.after[top]), strings),
    }
