"""The decode stepper as a still picture: the elements that decode_stepper.js makes, less what there is to press."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

import numpy as np

from minimodel.widgets.markup import element
from minimodel.widgets.outcome import Outcome
from minimodel.widgets.picture import fixed, percent
from minimodel.widgets.pipeline import Settings

ROWS = 8  # how many words get a bar of their own; the rest share one
WIDE = 0.15  # a stretch of the line that has room for its word


@dataclass(frozen=True)
class Draw:
    """One step: the distribution, the uniform number (None where greedy needs none) and the token it fell on."""

    outcome: Outcome
    u: float | None
    token: int


@dataclass(frozen=True)
class Scene:
    """What to draw: a text at one of its steps.

    Attributes:
        words: the vocabulary.
        prompt: the prompt as it is written; ``written``, each generated token likewise.
        settings: where the knobs stand.
        seed: of the random generator.
        outcome: the distribution of the last step, or of the first where none was taken.
        draw: the last step, None where none was taken.
        ruling: the verdict on the text, as the catalogue names it.
        presets: their names.
        ended: why no more will come, None where more may.
    """

    words: Sequence[str]
    prompt: str
    written: Sequence[str]
    settings: Settings
    seed: int
    outcome: Outcome
    draw: Draw | None
    ruling: str
    presets: Sequence[str]
    ended: Literal["eos", "length"] | None


def picture(scene: Scene, strings: Mapping[str, str]) -> ET.Element:
    """Return the card: prompt, settings, the text, the distribution and where the number fell."""
    return element(
        "div",
        {"class": "mm-card"},
        prompt_line(scene.prompt, strings),
        _room([strings[f"preset_{name}"] for name in scene.presets]),
        element("div", {"class": "mm-knobs"}, *_settings(scene, strings)),
        _room([*(strings[f"do_{name}"] for name in ("step", "play", "stream", "reset")), strings["copy_link"]]),
        element(
            "p", {"class": "mm-text"}, scene.prompt, *(element("b", {"class": "mm-token"}, w) for w in scene.written)
        ),
        element("p", {"class": "mm-verdict", "data-ruling": scene.ruling}, _verdict(scene, strings)),
        *_step(scene, strings),
    )


def prompt_line(prompt: str, strings: Mapping[str, str]) -> ET.Element:
    """Return the prompt, with room for what comes below it where scripts run."""
    return element(
        "p",
        {"class": "mm-composer"},
        element("span", {}, strings["prompt"]),
        " ",
        element("b", {"class": "mm-prompt"}, prompt),
        element("span", {"class": "mm-room", "aria-hidden": "true"}, strings["words"]),
    )


def _verdict(scene: Scene, strings: Mapping[str, str]) -> str:
    said = strings[f"ruling_{scene.ruling}"]
    if scene.ended is None:
        return said
    return f"{said} {strings['ended'] if scene.ended == 'eos' else strings['limit'].format(n=len(scene.written))}"


def _room(labels: Sequence[str]) -> ET.Element:
    """Room for a row of buttons that is about to come; without scripts there is none."""
    return element(
        "p",
        {"class": "mm-row mm-room", "aria-hidden": "true"},
        *(element("span", {"class": "mm-button"}, label) for label in labels),
    )


def _settings(scene: Scene, strings: Mapping[str, str]) -> list[ET.Element]:
    settings, size = scene.settings, len(scene.words)
    values = {
        "temperature": fixed(settings.tau, 2) if settings.tau else strings["greedy"],
        "top_k": strings["all"].format(size=size) if settings.k is None or settings.k >= size else str(settings.k),
        "top_p": strings["off"] if settings.p == 1 else fixed(settings.p, 2),
        "min_p": fixed(settings.min_p, 2) if settings.min_p else strings["off"],
        "penalty": strings["off"] if settings.penalty == 1 else fixed(settings.penalty, 2),
        "seed": str(scene.seed),
    }
    return [
        element("p", {"class": "mm-knob"}, element("span", {}, strings[name]), " ", element("b", {}, value))
        for name, value in values.items()
    ]


def _step(scene: Scene, strings: Mapping[str, str]) -> Iterator[ET.Element]:
    caption = strings["step"].format(n=len(scene.written)) if scene.draw else strings["next"]
    yield element(
        "div",
        {"class": "mm-odds"},
        element("p", {"class": "mm-caption"}, caption),
        element("ol", {"role": "list", "aria-label": caption}, *_rows(scene, strings)),
    )
    yield element(
        "div",
        {"class": "mm-cdf"},
        element("p", {"class": "mm-caption"}, strings["cdf"]),
        element("div", {"class": "mm-line", "aria-hidden": "true"}, *_stretches(scene), _mark(scene)),
        element(
            "div", {"class": "mm-ends", "aria-hidden": "true"}, *(element("span", {}, end) for end in ("0", "0.5", "1"))
        ),
        element("p", {"class": "mm-fall"}, _fall(scene, strings)),
    )


def _rows(scene: Scene, strings: Mapping[str, str]) -> Iterator[ET.Element]:
    """The most probable words before anything was dropped, then all the others in one row."""
    order = [int(i) for i in np.argsort(-scene.outcome.before, kind="stable")]
    for i in order[:ROWS]:
        fate = scene.outcome.fates[i]
        share = float((scene.outcome.after if fate == "kept" else scene.outcome.before)[i])
        yield _row(scene, [i], strings, word=scene.words[i], share=share, fate=fate, tag=_dropped_by({fate}, strings))
    rest = order[ROWS:]
    fates = {scene.outcome.fates[i] for i in rest}
    share = scene.outcome.share(rest) if "kept" in fates else float(scene.outcome.before[rest].sum())
    fate, tag = "kept" if "kept" in fates else "dropped", _dropped_by(fates, strings)
    yield _row(scene, rest, strings, word=strings["others"].format(n=len(rest)), share=share, fate=fate, tag=tag)


def _dropped_by(fates: Set[str], strings: Mapping[str, str]) -> str:
    """Name the step that dropped all these words, if it was one."""
    if len(fates) > 1 or "kept" in fates:
        return ""
    return strings["dropped_by"].format(step=strings[f"by_{next(iter(fates)).replace('-', '_')}"])


def _row(
    scene: Scene, ids: Sequence[int], strings: Mapping[str, str], *, word: str, share: float, fate: str, tag: str
) -> ET.Element:
    drawn = scene.draw is not None and scene.draw.token in ids
    text = percent(share, strings)
    bar = element("i", {"style": f"width:{100 * share:.4f}%"})
    return element(
        "li",
        {"data-id": str(ids[0]) if len(ids) == 1 else "others", "data-fate": fate, "data-drawn": str(drawn).lower()},
        element("span", {}, word),
        " ",
        element("span", {}, text if fate == "kept" else element("del", {}, text)),
        " ",
        element("span", {}, bar, element("em", {}, strings["drawn"] if drawn else tag)),
    )


def _stretches(scene: Scene) -> Iterator[ET.Element]:
    """For every word that can be drawn a stretch as long as its probability, in the order of the ids."""
    for i, prob in enumerate(scene.outcome.after):
        if prob > 0:
            drawn = scene.draw is not None and scene.draw.token == i
            attributes = {"style": f"width:{100 * prob:.4f}%", "data-drawn": str(drawn).lower()}
            yield element("i", attributes, scene.words[i] if prob >= WIDE else "")


def _mark(scene: Scene) -> ET.Element:
    if scene.draw is None or scene.draw.u is None:
        return element("b", {"hidden": ""})
    return element("b", {"style": f"left:{100 * scene.draw.u:.4f}%"})


def _fall(scene: Scene, strings: Mapping[str, str]) -> str:
    """Return in words where the number fell."""
    if scene.settings.tau == 0:
        return strings["greedy_fall"]
    if scene.draw is None or scene.draw.u is None:
        return strings["before_draw"]
    token = scene.draw.token
    start, end = float(scene.outcome.after[:token].sum()), float(scene.outcome.after[: token + 1].sum())
    values = {"u": fixed(scene.draw.u, 4), "start": fixed(start, 4), "end": fixed(end, 4), "word": scene.words[token]}
    return strings["fall"].format(**values)
