"""What the two widgets that run the Mini-GPT have in common: a prompt, and the same draws in Python as in the page."""

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import anywidget
import numpy as np
import traitlets as t

from minimodel.corpus.grammar import Grammar
from minimodel.decoding.loop import stream
from minimodel.folded import FoldedGPT
from minimodel.gpt import MiniGPT
from minimodel.sampling.strategies import Chain, MinP, RepetitionPenalty, Strategy, Temperature, TopK, TopP
from minimodel.sampling.transforms import top_k_filter
from minimodel.widgets import catalogue
from minimodel.widgets.markup import embed
from minimodel.widgets.model_data import model_data, weights
from minimodel.widgets.outcome import Outcome, outcome
from minimodel.widgets.pipeline import Settings, Step, pipeline
from minimodel.widgets.stepper_picture import Draw

PROMPT = {"en": "Tomorrow she", "es": "Mañana ella"}
LARGEST_SEED = 2**53 - 1  # what JavaScript can count to


class Playground(anywidget.AnyWidget):
    """A widget in whose page the Mini-GPT itself runs; the page asks for the model once, whichever widget is first."""

    NAME = ""
    STATE: tuple[str, ...] = ()  # traits that a static page starts from, besides the common ones
    lang = t.Unicode().tag(sync=True)
    strings = t.Dict().tag(sync=True)
    prompt = t.Unicode().tag(sync=True)
    seed = t.Int(0).tag(sync=True)
    max_tokens = t.Int(1).tag(sync=True)

    def __init__(self, *, lang: str, prompt: str | None, **state: Any) -> None:
        strings = catalogue.strings(self.NAME, lang)
        super().__init__(lang=lang, strings=strings, prompt=PROMPT[lang] if prompt is None else prompt, **state)
        self.on_msg(self._send_model)

    def prompt_ids(self) -> list[int]:
        """Return the ids of the prompt's words."""
        return Grammar.load(self.lang).tokenizer.encode(self.prompt)

    @t.validate("prompt")
    def _check_prompt(self, proposal: dict[str, Any]) -> str:
        tokenizer = Grammar.load(self.lang).tokenizer
        ids = tokenizer.encode(proposal["value"])
        if not ids:
            raise ValueError("the prompt is empty: expected at least one word, since the model continues a text")
        return tokenizer.decode(ids)

    @t.validate("seed")
    def _check_seed(self, proposal: dict[str, Any]) -> int:
        seed: int = proposal["value"]
        if not 0 <= seed <= LARGEST_SEED:
            raise ValueError(f"seed is {seed}: expected 0 to {LARGEST_SEED}, which a browser can count to")
        return seed

    def _send_model(self, _widget: object, content: object, _buffers: object) -> None:
        if content == "model":
            self.send(model_data(self.lang), [weights(self.lang)])

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live view, and beside it the picture and the state that a static page needs."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        state = {name: getattr(self, name) for name in ("lang", "strings", "prompt", "seed", "max_tokens", *self.STATE)}
        return {**data, "text/html": embed(self.NAME, self.lang, state, self._picture())}, metadata

    def _picture(self) -> Any:
        raise NotImplementedError


def strategy_of(settings: Settings) -> Strategy:
    """Return the strategy that these knobs set.

    Raises:
        ValueError: one of them is not valid.

    Examples:
        >>> strategy_of(Settings(tau=0.7, p=0.9)).warp([1.4, 0.7, -0.7])
        array([  2.,   1., -inf])
    """
    penalty, tau, k, p, min_p = settings
    parts = {
        RepetitionPenalty(penalty): penalty != 1,
        Temperature(tau): True,
        TopK(1 if k is None else k): k is not None,
        TopP(p): p != 1,
        MinP(min_p): min_p != 0,
    }
    return Chain(*(part for part, used in parts.items() if used))  # one that is off would only cost time


def draws(lang: str, prompt: Sequence[int], settings: Settings, *, seed: int, max_tokens: int) -> list[Draw]:
    """Return what `minimodel.sample` draws, with the numbers that it draws from."""
    rng, text, made = np.random.default_rng(seed), list(prompt), []
    options: dict[str, Any] = {"max_tokens": max_tokens, "seed": seed, "strategy": strategy_of(settings)}
    for step in stream(model_of(lang), prompt, **options, use_cache=True):
        seen = next_token(lang, text, settings)
        made.append(Draw(seen, rng.random() if settings.tau else None, step.token))
        text.append(step.token)
    return made


def next_token(lang: str, text: Sequence[int], settings: Settings) -> Outcome:
    """Return the distribution of the token after ``text``; at temperature 0 all of it is on the likeliest."""
    logits = model_of(lang)(np.array(text[-model_of(lang).context_length :]))[-1]
    penalty, *rest = pipeline(settings, text)
    greedy: Step = ("greedy", partial(top_k_filter, k=1))
    return outcome(logits, [penalty, *rest] if settings.tau else [penalty, greedy])


def ruling(lang: str, prompt: Sequence[int], completion: Sequence[int]) -> str:
    """Return the judge's verdict in lower case, or why there is none: "no_sentence", or "not_due" (no verb form is)."""
    grammar = Grammar.load(lang)
    try:
        grammar.next_word_probs(prompt)
    except ValueError:
        return "no_sentence"
    try:
        return grammar.judge(prompt, completion).name.lower()
    except ValueError:
        return "not_due"


def spelled(lang: str, prompt: Sequence[int], completion: Sequence[int]) -> list[str]:
    """Return each token of the completion as it is written after the prompt, with the space before it."""
    decode, text = Grammar.load(lang).tokenizer.decode, [*prompt, *completion]
    ends = range(len(prompt), len(text) + 1)
    return [decode(text[: end + 1])[len(decode(text[:end])) :] for end in ends[:-1]]


@cache
def model_of(lang: str) -> FoldedGPT:
    """Return the Mini-GPT of a language, ready for decoding."""
    return FoldedGPT(MiniGPT.load(lang))
