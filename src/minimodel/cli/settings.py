"""All that can be set, and the sampling strategy that it amounts to."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from minimodel.language import Language
from minimodel.sampling.strategies import Chain, MinP, RepetitionPenalty, Strategy, Temperature, TopK, TopP

FRESH_SEEDS = 2**32  # small enough to be retyped, and for every reader of JSON


@dataclass(frozen=True)
class Settings:
    """What was asked for; None is "off".

    Attributes:
        lang: language of the model.
        temperature: 0 is greedy.
        seed: of the first completion; the next ones count up. None takes a fresh one.
        n: completions of each prompt.
        stop: strings that end a text.
        stream: write word by word.
        show_probs: how many words of each step's distribution to show.
        json: write JSON.
    """

    lang: Language = "en"
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    max_tokens: int = 24
    seed: int | None = None
    n: int = 1
    stop: tuple[str, ...] = ()
    stream: bool = False
    show_probs: int | None = None
    json: bool = False

    def strategy(self) -> Chain:
        """Return the strategy, in the contract's order; what was not asked for is left out."""
        return Chain(*self._strategies())

    def seeds(self) -> range:
        """Return a seed for each completion."""
        first = secrets.randbelow(FRESH_SEEDS) if self.seed is None else self.seed
        return range(first, first + self.n)

    def of_sampling(self) -> dict[str, Any]:
        """Return what decides the tokens, the seed aside."""
        names = ("lang", "temperature", "top_k", "top_p", "min_p", "repetition_penalty", "max_tokens", "stop")
        return {name: getattr(self, name) for name in names}

    def _strategies(self) -> Iterator[Strategy]:
        if self.repetition_penalty is not None:
            yield RepetitionPenalty(self.repetition_penalty)
        yield Temperature(self.temperature)
        if self.top_k is not None:
            yield TopK(self.top_k)
        if self.top_p is not None:
            yield TopP(self.top_p)
        if self.min_p is not None:
            yield MinP(self.min_p)
