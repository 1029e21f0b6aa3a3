"""Four samplers side by side: one prompt, many seeds, and how varied and how right what comes out is."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import traitlets as t

from minimodel.counts import check_count
from minimodel.decoding.loop import sample
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.pipeline import Settings
from minimodel.widgets.playground import Playground, model_of, ruling, spelled, strategy_of
from minimodel.widgets.samplers_picture import Tally, picture

NAME = "four_samplers"

SAMPLERS = {
    "greedy": Settings(tau=0.0),
    "low": Settings(tau=0.3),
    "medium": Settings(tau=0.8, k=5),
    "high": Settings(tau=2.0, p=0.9),
}


class FourSamplers(Playground):
    """Greedy, a low temperature, a medium one with a small k and a high one with a nucleus, on one prompt.

    Each completes the prompt with ``n`` seeds, ``seed``, ``seed + 1`` and so on; each completion is that of
    `minimodel.sample` with that seed. How many are distinct and how many are right is counted as they come.

    Args:
        lang: "en" or "es", the language of the labels and of the model.
        prompt: words of the model's vocabulary, up to where a verb form is due; "Tomorrow she" or "Mañana ella" by
            default.
        n: completions of each sampler.
        seed: the first seed.
        max_tokens: the length of a completion at most.

    Raises:
        ValueError: the language or a word is not known, or a number is out of range.

    Examples:
        >>> four = FourSamplers(prompt="Tomorrow she", n=10)
        >>> four.tally("greedy").distinct
        1
    """

    _esm = esm(NAME)
    _css = style(NAME)
    NAME = NAME
    STATE = ("n", "samplers")
    n = t.Int(1).tag(sync=True)
    samplers = t.Dict().tag(sync=True)

    def __init__(
        self, *, lang: str = "en", prompt: str | None = None, n: int = 40, seed: int = 0, max_tokens: int = 6
    ) -> None:
        check_count("n", n)
        check_count("max_tokens", max_tokens)
        samplers = {name: settings._asdict() for name, settings in SAMPLERS.items()}
        super().__init__(lang=lang, prompt=prompt, n=n, seed=seed, max_tokens=max_tokens, samplers=samplers)

    def completions(self, sampler: str) -> list[list[int]]:
        """Return the completions of one sampler, "greedy", "low", "medium" or "high", in the order of their seeds."""
        options: dict[str, Any] = {"max_tokens": self.max_tokens, "strategy": strategy_of(SAMPLERS[sampler])}
        seeds = range(self.seed, self.seed + self.n)
        model, prompt = model_of(self.lang), self.prompt_ids()
        return [sample(model, prompt, seed=seed, **options, use_cache=True) for seed in seeds]

    def tally(self, sampler: str) -> Tally:
        """Return what came out of one sampler, counted."""
        counts = Counter(tuple(completion) for completion in self.completions(sampler))
        rulings = {completion: ruling(self.lang, self.prompt_ids(), completion) for completion in counts}
        return Tally(counts, rulings)

    def _picture(self) -> ET.Element:
        samplers = {name: (settings, self.tally(name)) for name, settings in SAMPLERS.items()}
        prompt = self.prompt_ids()
        return picture(
            self.prompt, samplers, lambda ids: "".join(spelled(self.lang, prompt, ids)).strip(), self.strings
        )
