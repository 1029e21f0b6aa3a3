"""The distribution explorer: a prompt's next-word distribution under every knob of a sampler."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, TypedDict, Unpack

import anywidget
import numpy as np
import traitlets as t
from numpy.typing import ArrayLike, NDArray

from minimodel.corpus.grammar import Grammar
from minimodel.gpt import MiniGPT
from minimodel.sampling.logits import Logits, as_logits
from minimodel.sampling.transforms import vocabulary_ids
from minimodel.widgets import catalogue
from minimodel.widgets.answer import Transform, answer, encoded
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.markup import embed
from minimodel.widgets.outcome import outcome
from minimodel.widgets.picture import Scene, picture
from minimodel.widgets.pipeline import Settings, pipeline
from minimodel.widgets.pitfalls import START, broken, check_pitfall

NAME = "distribution_explorer"
ENDS = {"penalty": (1.0, 2.0), "tau": (0.05, 5.0), "p": (0.05, 1.0), "min_p": (0.0, 1.0)}  # of the sliders
OURS = {"tau": "apply_temperature", "k": "top_k_filter", "p": "top_p_filter", "min_p": "min_p_filter"}

PROMPTS = {
    "en": ("Tomorrow she will", "She", "Today she", "Tomorrow she", "Tomorrow she will sing and she will"),
    "es": ("Mañana ella va a", "Ella", "Hoy ella", "Mañana ella", "Mañana ella va a cantar y ella va a"),
}


class Knobs(TypedDict, total=False):
    """Where the knobs start, as `Settings` has them; what is left out is off."""

    penalty: float
    tau: float
    k: int | None
    p: float
    min_p: float


@dataclass(frozen=True)
class Case:
    """One distribution to explore: what a model says may follow a prompt.

    Attributes:
        prompt: the text so far.
        words: the vocabulary, one word for each logit.
        logits: the model's scores for the next word, shape ``(V,)``, finite or ``-inf``.
        seen: ids of the prompt's words, which the repetition penalty looks at.
    """

    prompt: str
    words: Sequence[str]
    logits: ArrayLike
    seen: Sequence[int] = ()

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
    """A prompt picker, a slider for each knob of a sampler, and the next-word distribution that they make.

    In a live notebook the traits ``case``, ``penalty``, ``tau``, ``k``, ``p`` and ``min_p`` follow the reader's hand
    and may be set in Python; a button brings them back to where they started. In a static page the same sliders work
    without a kernel; without JavaScript there is a picture.

    Args:
        cases: the distributions to choose from, over one vocabulary.
        lang: "en" or "es", the language of the labels.
        transform: a function ``(logits, knob) -> logits`` that takes the place of one step, so that a student's own
            moves the bars. The name of its second parameter says which: tau, k, p or min_p. It is given what the
            steps before it have made. It needs a kernel. What goes wrong in it is said in the widget.
        pitfall: a mistake to show beside the right answer, a key of `pitfalls.START`; a switch turns it off and on.
        knobs: where the sliders start: ``penalty`` (1 to 2), ``tau`` (0.05 to 5), ``k`` (None is off), ``p``
            (0.05 to 1), ``min_p`` (0 to 1). What is left out is off, or where the pitfall does harm.

    Raises:
        ValueError: there is no case, a case is not valid, their words differ, a setting is outside its slider, the
            transform's second parameter is no knob, there is no such pitfall, or both are asked for.

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
    penalty = t.Float(1.0).tag(sync=True)
    tau = t.Float(1.0).tag(sync=True)
    k = t.Int(None, allow_none=True).tag(sync=True)
    p = t.Float(1.0).tag(sync=True)
    min_p = t.Float(0.0).tag(sync=True)
    start = t.Dict().tag(sync=True)
    live = t.Bool(False).tag(sync=True)
    knob = t.Unicode().tag(sync=True)
    answer = t.Dict().tag(sync=True)
    note = t.Unicode().tag(sync=True)
    pitfall = t.Unicode().tag(sync=True)
    broken = t.Bool(False).tag(sync=True)

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        lang: str = "en",
        transform: Transform | None = None,
        pitfall: str | None = None,
        **knobs: Unpack[Knobs],
    ) -> None:
        if transform is not None and pitfall is not None:
            raise ValueError(f"a transform and the pitfall {pitfall!r}: expected one or the other")
        start = START[check_pitfall(pitfall)] if pitfall else {}
        self._scores = [case.scores() for case in cases]
        self._transform = transform
        self._problems = catalogue.strings("answer", lang)
        super().__init__(
            lang=lang,
            strings=catalogue.strings(NAME, lang),
            words=_shared_words(cases),
            cases=[_as_json(case) for case in cases],
            live=transform is not None,
            knob=knob_of(transform) if transform else "",
            pitfall=pitfall or "",
            broken=pitfall is not None,
            **{**start, **knobs},
        )
        self.start = {name: getattr(self, name) for name in ("case", *Settings._fields, "broken")}
        self._ask()

    @classmethod
    def for_prompts(
        cls,
        lang: str,
        prompts: Sequence[str] | None = None,
        *,
        transform: Transform | None = None,
        pitfall: str | None = None,
        **knobs: Unpack[Knobs],
    ) -> Self:
        """Return an explorer of what the Mini-GPT of ``lang`` expects after each prompt (the course's own by default).

        Raises:
            ValueError: the language or a word is not known, or what `DistributionExplorer` refuses.
        """
        return cls(_cases(lang, prompts), lang=lang, transform=transform, pitfall=pitfall, **knobs)

    @t.validate("case")
    def _check_case(self, proposal: dict[str, Any]) -> int:
        case: int = proposal["value"]
        if not 0 <= case < len(self.cases):
            raise ValueError(f"case is {case}: expected 0 to {len(self.cases) - 1}")
        return case

    @t.validate("k")
    def _check_k(self, proposal: dict[str, Any]) -> int | None:
        k: int | None = proposal["value"]
        if k is not None and k < 1:
            raise ValueError(f"k is {k}: expected 1 or more, or None to keep all")
        return k

    @t.validate(*ENDS)
    def _check_ends(self, proposal: dict[str, Any]) -> float:
        name, value = proposal["trait"].name, proposal["value"]
        low, high = ENDS[name]
        if not low <= value <= high:
            raise ValueError(f"{name} is {value}: expected {low} to {high}, where the slider ends")
        return float(value)

    @property
    def settings(self) -> Settings:
        """Where the knobs stand."""
        return Settings(self.penalty, self.tau, self.k, self.p, self.min_p)

    @t.observe("case", *Settings._fields)
    def _ask(self, _change: object = None) -> None:
        """Let the student's function answer for the setting that the reader has just chosen."""
        if self._transform is None:
            return
        place = Settings._fields.index(self.knob)
        asked = {name: getattr(self, name) for name in ("case", *Settings._fields[: place + 1])}
        if asked == self.answer.get("asked"):
            return  # only a later step has changed, which is not theirs
        scores: Logits = self._scores[self.case]
        for _, step in pipeline(self.settings, self.cases[self.case]["seen"])[:place]:
            scores = step(scores)
        value = len(self.words) if self.knob == "k" and self.k is None else getattr(self, self.knob)
        self.answer = {"asked": asked, **answer(self._transform, scores, value, self._problems)}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live view, and beside it the picture and the state that a static page needs."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._static_html()}, metadata

    def _static_html(self) -> str:
        """The picture of the present setting around the state that the static host starts from."""
        names = ("lang", "strings", "words", "cases", "case", *Settings._fields, "start", "pitfall", "broken")
        note = self.strings["no_kernel"].format(name=OURS[self.knob]) if self.live else ""
        state = {name: getattr(self, name) for name in names} | {"live": False, "note": note}
        case, scores = self.cases[self.case], self._scores[self.case]
        right = outcome(scores, pipeline(self.settings, case["seen"]))
        wrong = broken(self.pitfall, scores, self.settings, case["seen"]) if self.broken else None
        scene = Scene(
            prompt=case["prompt"],
            words=self.words,
            logits=scores,
            seen=case["seen"],
            settings=self.settings,
            outcome=right,
            note=note,
            pitfall=self.pitfall,
            broken=self.broken,
            wrong=wrong,
        )
        return embed(NAME, self.lang, state, picture(scene, self.strings))


def explore(
    transform: Transform | None = None,
    *,
    lang: str = "en",
    prompts: Sequence[str] | None = None,
    **knobs: Unpack[Knobs],
) -> DistributionExplorer:
    """Return an explorer of the Mini-GPT in which ``transform`` drives its knob: the short name for labs.

    Args:
        transform: ``(logits, knob) -> logits``; its second parameter is called tau, k, p or min_p.
        lang: "en" or "es".
        prompts: what to continue; the course's own by default.
        knobs: where the sliders start, as for `DistributionExplorer`.

    Raises:
        ValueError: the language, a word of a prompt or the second parameter's name is not known, or a setting is
            outside its slider.
    """
    return DistributionExplorer.for_prompts(lang, prompts, transform=transform, **knobs)


def knob_of(transform: Transform) -> str:
    """Return the knob that a function drives: the name of its second parameter.

    Raises:
        ValueError: it has none, or it is called something else.

    Examples:
        >>> knob_of(lambda logits, min_p: logits)
        'min_p'
    """
    names = list(inspect.signature(transform).parameters)
    if names[1:2] and names[1] in OURS:
        return names[1]
    called = f"is {names[1]!r}" if names[1:] else "is missing"
    raise ValueError(
        f"the second parameter of {getattr(transform, '__name__', transform)} {called}: expected tau, k, p or min_p, "
        "which says what knob the function drives, as in top_p_filter(logits, p)"
    )


def _as_json(case: Case) -> dict[str, Any]:
    seen = vocabulary_ids(case.seen, len(case.words)).tolist()
    return {"prompt": case.prompt, "logits": encoded(case.scores()), "seen": seen}


def _cases(lang: str, prompts: Sequence[str] | None) -> list[Case]:
    """What the Mini-GPT expects after each prompt."""
    model, tokenizer = MiniGPT.load(lang), Grammar.load(lang).tokenizer
    chosen = PROMPTS[lang] if prompts is None else prompts
    texts = [(prompt, tokenizer.encode(prompt)) for prompt in chosen]
    return [Case(prompt, tokenizer.words, model(np.array(ids))[-1], ids) for prompt, ids in texts]


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
