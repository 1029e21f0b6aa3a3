"""The decode stepper and playground: the Mini-GPT itself, one token at a time, under every knob."""

from typing import Any
from xml.etree import ElementTree as ET

import traitlets as t

from minimodel.corpus.grammar import Grammar
from minimodel.sampling.strategies import Strategy
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.pipeline import Settings
from minimodel.widgets.playground import Playground, draws, next_token, ruling, spelled, strategy_of
from minimodel.widgets.stepper_picture import Draw, Scene, picture

NAME = "decode_stepper"
RANGES = {"penalty": (1.0, 3.0), "tau": (0.0, 3.0), "p": (0.05, 1.0), "min_p": (0.0, 1.0)}  # where the sliders end

PRESETS = {
    "balanced": Settings(tau=0.7, p=0.9),
    "creative": Settings(tau=1.3, min_p=0.05, penalty=1.1),
    "deterministic": Settings(tau=0.0),
}


class DecodeStepper(Playground):
    """A text that the Mini-GPT writes word by word, in a notebook, and in a static page with no kernel behind it.

    The reader sets the prompt, the knobs and the seed, and takes one step, plays or streams the rest. Each step shows
    the distribution, the uniform number and the word that it falls on. The text is that of `minimodel.sample` for the
    same prompt, ``strategy()``, seed and number of tokens.

    Args:
        lang: "en" or "es", the language of the labels and of the model.
        prompt: words of the model's vocabulary; "Tomorrow she" or "Mañana ella" by default.
        settings: where the knobs stand to begin with; the preset "balanced" by default.
        seed: of the random generator, from 0 to 2⁵³ - 1.
        steps: how many tokens are written to begin with.
        max_tokens: the most tokens that are written.

    Raises:
        ValueError: the language or a word is not known, or a setting is outside its slider.

    Examples:
        >>> stepper = DecodeStepper(prompt="Tomorrow she", steps=3)
        >>> len(stepper.completion)
        3
    """

    _esm = esm(NAME)
    _css = style(NAME)
    NAME = NAME
    STATE = ("penalty", "tau", "k", "p", "min_p", "steps", "presets")
    penalty = t.Float(1.0).tag(sync=True)
    tau = t.Float(1.0).tag(sync=True)
    k = t.Int(None, allow_none=True).tag(sync=True)
    p = t.Float(1.0).tag(sync=True)
    min_p = t.Float(0.0).tag(sync=True)
    steps = t.Int(0).tag(sync=True)
    presets = t.Dict().tag(sync=True)

    def __init__(
        self,
        *,
        lang: str = "en",
        prompt: str | None = None,
        settings: Settings = PRESETS["balanced"],
        seed: int = 7,
        steps: int = 1,
        max_tokens: int = 20,
    ) -> None:
        presets = {name: preset._asdict() for name, preset in PRESETS.items()}
        knobs: dict[str, Any] = settings._asdict()
        super().__init__(
            lang=lang, prompt=prompt, seed=seed, steps=steps, max_tokens=max_tokens, presets=presets, **knobs
        )

    @property
    def settings(self) -> Settings:
        """Where the knobs stand."""
        return Settings(self.penalty, self.tau, self.k, self.p, self.min_p)

    def strategy(self) -> Strategy:
        """Return the strategy that the knobs set, for `minimodel.sample`."""
        return strategy_of(self.settings)

    @property
    def completion(self) -> list[int]:
        """The ids of the tokens written so far."""
        return [draw.token for draw in self._draws()]

    @t.validate("penalty", "tau", "p", "min_p")
    def _check_knob(self, proposal: dict[str, Any]) -> float:
        name, value = proposal["trait"].name, proposal["value"]
        least, most = RANGES[name]
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}: expected {least} to {most}, where the slider ends")
        return float(value)

    @t.validate("k")
    def _check_k(self, proposal: dict[str, Any]) -> int | None:
        k: int | None = proposal["value"]
        if k is not None and k < 1:
            raise ValueError(f"k is {k}: expected 1 or more, or None to keep all")
        return k

    @t.validate("steps")
    def _check_steps(self, proposal: dict[str, Any]) -> int:
        steps: int = proposal["value"]
        if steps < 0:
            raise ValueError(f"steps is {steps}: expected 0 or more")
        return steps

    def _draws(self) -> list[Draw]:
        length = min(self.steps, self.max_tokens)
        return draws(self.lang, self.prompt_ids(), self.settings, seed=self.seed, max_tokens=length)

    def _picture(self) -> ET.Element:
        drawn, prompt = self._draws(), self.prompt_ids()
        completion = [draw.token for draw in drawn]
        scene = Scene(
            words=Grammar.load(self.lang).tokenizer.words,
            prompt=self.prompt,
            written=spelled(self.lang, prompt, completion),
            settings=self.settings,
            seed=self.seed,
            outcome=drawn[-1].outcome if drawn else next_token(self.lang, prompt, self.settings),
            draw=drawn[-1] if drawn else None,
            ruling=ruling(self.lang, prompt, completion),
            presets=list(PRESETS),
        )
        return picture(scene, self.strings)
