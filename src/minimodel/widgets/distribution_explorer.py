"""The distribution explorer: a prompt's next-word distribution under temperature, top-k and top-p."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import anywidget
import numpy as np
import traitlets as t
from numpy.typing import ArrayLike, NDArray

from minimodel.corpus.grammar import Grammar
from minimodel.gpt import MiniGPT
from minimodel.sampling.logits import as_logits
from minimodel.sampling.transforms import apply_temperature
from minimodel.widgets import catalogue
from minimodel.widgets.answer import Transform, answer, encoded
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.markup import embed
from minimodel.widgets.outcome import truncate
from minimodel.widgets.picture import Scene, picture

NAME = "distribution_explorer"
COLDEST, HOTTEST = 0.05, 5.0  # where the temperature slider ends
LEAST_P = 0.05  # where the top-p slider ends

PROMPTS = {
    "en": ("Tomorrow she will", "She", "Today she", "Tomorrow she"),
    "es": ("Mañana ella va a", "Ella", "Hoy ella", "Mañana ella"),
}


@dataclass(frozen=True)
class Case:
    """One distribution to explore: what a model says may follow a prompt.

    Attributes:
        prompt: the text so far.
        words: the vocabulary, one word for each logit.
        logits: the model's scores for the next word, shape ``(V,)``, finite or ``-inf``.
    """

    prompt: str
    words: Sequence[str]
    logits: ArrayLike

    def scores(self) -> NDArray[np.float64]:
        """Return the logits as float64.

        Raises:
            ValueError: they are not one score a word, or no distribution can be made of them.
        """
        scores = as_logits(self.logits).astype(np.float64)
        if scores.shape != (len(self.words),):
            raise ValueError(
                f"the case {self.prompt!r} has logits of shape {scores.shape} for {len(self.words)} words: "
                "expected one score a word, e.g. model(ids)[-1]"
            )
        return scores


class DistributionExplorer(anywidget.AnyWidget):
    """A prompt picker, sliders for temperature, top-k and top-p, and the next-word distribution that they make.

    In a live notebook the traits ``case``, ``tau``, ``k`` and ``p`` follow the reader's hand and may be set in Python.
    In a static page the same sliders work without a kernel; without JavaScript there is a picture.

    Args:
        cases: the distributions to choose from, over one vocabulary.
        lang: "en" or "es", the language of the labels.
        tau: temperature to start with, from 0.05 to 5.
        k: words that top-k keeps; None is off.
        p: mass that top-p keeps, from 0.05 to 1; 1 is off.
        transform: a function ``(logits, tau) -> logits`` that takes the place of ``apply_temperature``, so that a
            student's own moves the bars. It needs a kernel. What goes wrong in it is said in the widget.

    Raises:
        ValueError: there is no case, a case is not valid, their words differ, or a setting is outside its slider.

    Source:
        The static host and the use of one ES module in both places follow anywidget's front-end module format,
        https://anywidget.dev.

    Examples:
        >>> explorer = DistributionExplorer([Case("Tomorrow she", ["will", "<eos>"], [2.0, 1.0])], tau=0.5)
        >>> explorer.tau
        0.5
    """

    _esm = esm(NAME)
    _css = style(NAME)
    lang = t.Unicode().tag(sync=True)
    strings = t.Dict().tag(sync=True)
    words: t.List[str] = t.List().tag(sync=True)
    cases: t.List[dict[str, Any]] = t.List().tag(sync=True)
    case = t.Int(0).tag(sync=True)
    tau = t.Float(1.0).tag(sync=True)
    k = t.Int(None, allow_none=True).tag(sync=True)
    p = t.Float(1.0).tag(sync=True)
    live = t.Bool(False).tag(sync=True)
    answer = t.Dict().tag(sync=True)
    note = t.Unicode().tag(sync=True)

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        lang: str = "en",
        tau: float = 1.0,
        k: int | None = None,
        p: float = 1.0,
        transform: Transform | None = None,
    ) -> None:
        self._scores = [case.scores() for case in cases]
        self._transform = transform
        self._problems = catalogue.strings("answer", lang)
        super().__init__(
            lang=lang,
            strings=catalogue.strings(NAME, lang),
            words=_shared_words(cases),
            cases=[{"prompt": case.prompt, "logits": encoded(case.scores())} for case in cases],
            live=transform is not None,
            tau=tau,
            k=k,
            p=p,
        )
        self._ask()

    @classmethod
    def for_prompts(
        cls,
        lang: str,
        prompts: Sequence[str] | None = None,
        *,
        tau: float = 1.0,
        k: int | None = None,
        p: float = 1.0,
        transform: Transform | None = None,
    ) -> Self:
        """Return an explorer of what the Mini-GPT of ``lang`` expects after each prompt (the course's own by default).

        Raises:
            ValueError: the language or a word is not known, or a setting is outside its slider.
        """
        return cls(_cases(lang, prompts), lang=lang, tau=tau, k=k, p=p, transform=transform)

    @t.validate("case")
    def _check_case(self, proposal: dict[str, Any]) -> int:
        case: int = proposal["value"]
        if not 0 <= case < len(self.cases):
            raise ValueError(f"case is {case}: expected 0 to {len(self.cases) - 1}")
        return case

    @t.validate("tau")
    def _check_tau(self, proposal: dict[str, Any]) -> float:
        tau: float = proposal["value"]
        if not COLDEST <= tau <= HOTTEST:
            raise ValueError(f"tau is {tau}: expected {COLDEST} to {HOTTEST}, where the slider ends")
        return tau

    @t.validate("k")
    def _check_k(self, proposal: dict[str, Any]) -> int | None:
        k: int | None = proposal["value"]
        if k is not None and k < 1:
            raise ValueError(f"k is {k}: expected 1 or more, or None to keep all")
        return k

    @t.validate("p")
    def _check_p(self, proposal: dict[str, Any]) -> float:
        p: float = proposal["value"]
        if not LEAST_P <= p <= 1:
            raise ValueError(f"p is {p}: expected {LEAST_P} to 1, where the slider ends")
        return p

    @t.observe("case", "tau")
    def _ask(self, _change: object = None) -> None:
        """Let the student's function answer for the setting that the reader has just chosen."""
        if self._transform is not None:
            said = answer(self._transform, self._scores[self.case], self.tau, self._problems)
            self.answer = {"case": self.case, "tau": self.tau, **said}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live view, and beside it the picture and the state that a static page needs."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._static_html()}, metadata

    def _static_html(self) -> str:
        """The picture of the present setting around the state that the static host starts from."""
        names = ("lang", "strings", "words", "cases", "case", "tau", "k", "p")
        note = self.strings["no_kernel"] if self.live else ""
        state = {name: getattr(self, name) for name in names} | {"live": False, "note": note}
        scores = self._scores[self.case]
        outcome = truncate(apply_temperature(scores, self.tau), k=self.k, p=self.p)
        prompt = self.cases[self.case]["prompt"]
        scene = Scene(prompt, self.words, scores, outcome, self.tau, self.k, self.p, note)
        return embed(NAME, self.lang, state, picture(scene, self.strings))


def explore(
    transform: Transform | None = None, *, lang: str = "en", prompts: Sequence[str] | None = None
) -> DistributionExplorer:
    """Return an explorer of the Mini-GPT whose temperature is ``transform``: the short name for labs.

    Raises:
        ValueError: the language or a word of a prompt is not known.
    """
    return DistributionExplorer.for_prompts(lang, prompts, transform=transform)


def _cases(lang: str, prompts: Sequence[str] | None) -> list[Case]:
    """What the Mini-GPT expects after each prompt."""
    model, tokenizer = MiniGPT.load(lang), Grammar.load(lang).tokenizer
    chosen = PROMPTS[lang] if prompts is None else prompts
    return [Case(prompt, tokenizer.words, model(np.array(tokenizer.encode(prompt)))[-1]) for prompt in chosen]


def _shared_words(cases: Sequence[Case]) -> list[str]:
    """The one vocabulary of all cases.

    Raises:
        ValueError: there is none.
    """
    if not cases:
        raise ValueError("cases is empty: expected at least one Case(prompt, words, logits)")
    words = list(cases[0].words)
    for case in cases[1:]:
        if list(case.words) != words:
            first = cases[0].prompt
            raise ValueError(f"the words of {case.prompt!r} are not those of {first!r}: expected one vocabulary")
    return words
