"""The decode loop: ask the model for logits, let the strategy pick a token, append it, repeat until told to stop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import Model, check_prompt, check_token, end_ids
from minimodel.decoding.scorers import Scorer, cached, recomputing
from minimodel.decoding.text import Decode, GrowingText
from minimodel.sampling.softmax import softmax
from minimodel.sampling.strategies import Picker, Strategy, informed

Reason: TypeAlias = Literal["eos", "length", "stop"]


@dataclass(frozen=True)
class Step:
    """One generated token, and how it came about.

    Attributes:
        token: its id.
        text: what it adds to the text, whole characters only; empty without a ``decode``.
        reason: on the last step why the text ends: "eos", "length" or "stop"; None before.
        logits: what the model gave, shape ``(V,)``.
        strategy: what the token was drawn with, knowing the text so far.
    """

    token: int
    text: str
    reason: Reason | None
    logits: NDArray[np.floating[Any]] = field(repr=False, compare=False)
    strategy: Picker = field(repr=False, compare=False)

    def distributions(self) -> list[tuple[str, NDArray[np.floating[Any]]]]:
        """Return the model's distribution, then the one after each transform, with their names, in order.

        (A plain function tells nothing of its transforms: then there is the model's distribution alone.)
        """
        strategy = self.strategy if isinstance(self.strategy, Strategy) else Strategy()
        return [(name, softmax(logits)) for name, logits in strategy.trace(self.logits)]


def stream(
    model: Model,
    prompt: Sequence[int],
    *,
    max_tokens: int,
    seed: int | np.random.SeedSequence | None,
    strategy: Picker,
    stop: Sequence[str] = (),
    decode: Decode | None = None,
    use_cache: bool = False,
) -> Iterator[Step]:
    """Generate one token at a time.

    The model sees at most the last ``context_length`` tokens and is called once for each token generated. The one
    random generator is made here, from ``seed``; global random state is neither read nor changed.

    Args:
        model: what gives the logits.
        prompt: token ids, at least one; an EOS among them stops nothing.
        max_tokens: how many tokens to generate at most; 0 generates none.
        seed: of the random generator; None takes a fresh one from the system.
        strategy: how a token is picked from the logits: a strategy, or any function ``(logits, rng) -> id``.
        stop: strings at which the text ends, once one of them is in what was generated.
        decode: makes text of token ids; needed for ``stop`` and for the steps' ``text``.
        use_cache: read each token once and keep its keys and values; the tokens are the same.

    Yields:
        Steps; the last has a ``reason``: "eos" (the end token was drawn; it is included), "stop" (a stop string
        appeared) or "length" (``max_tokens`` reached).

    Raises:
        ValueError: at once, for an empty prompt, an id outside the vocabulary, a negative ``max_tokens`` or stop
            strings that cannot be looked for; at a step, where the strategy picks what is no id of the vocabulary.
        TypeError: ``use_cache`` with a model that has none.
    """
    tokens = check_prompt(prompt, model.vocab_size)
    if max_tokens < 0:
        raise ValueError(f"max_tokens is {max_tokens}: expected 0 or more")
    text = GrowingText(decode, tokens, stop)
    scorer = cached(model) if use_cache else recomputing(model)  # type: ignore[arg-type]  # checked there
    rng = np.random.default_rng(seed)
    return _steps(scorer, tokens, ends=end_ids(model), max_tokens=max_tokens, rng=rng, strategy=strategy, text=text)


def sample(
    model: Model,
    prompt: Sequence[int],
    *,
    max_tokens: int,
    seed: int | np.random.SeedSequence | None,
    strategy: Picker,
    stop: Sequence[str] = (),
    decode: Decode | None = None,
    use_cache: bool = False,
) -> list[int]:
    """Generate a completion of ``prompt`` and return its ids, never the prompt; an EOS that was drawn comes last.

    Arguments, errors and guarantees are those of `stream`, which also tells why the text ended.

    Examples:
        >>> from minimodel import Greedy, MiniGPT
        >>> len(sample(MiniGPT.load("en"), [5, 12], max_tokens=4, seed=0, strategy=Greedy()))
        4
    """
    options = {"max_tokens": max_tokens, "seed": seed, "strategy": strategy}
    steps = stream(model, prompt, **options, stop=stop, decode=decode, use_cache=use_cache)  # type: ignore[arg-type]
    return [step.token for step in steps]


def _steps(
    scorer: Scorer,
    tokens: list[int],
    *,
    ends: frozenset[int],
    max_tokens: int,
    rng: np.random.Generator,
    strategy: Picker,
    text: GrowingText,
) -> Iterator[Step]:
    """Extend ``tokens`` by one token a step."""
    for left in reversed(range(max_tokens)):
        logits, pick = scorer(tokens), informed(strategy, tokens)
        token = check_token(pick(logits, rng), len(logits))
        tokens.append(token)
        new = text.grow(tokens, last=token in ends or not left)
        reason = _reason(token, ends=ends, stopped=text.stopped, left=left)
        yield Step(token, new, reason, logits, pick)
        if reason:
            return


def _reason(token: int, *, ends: frozenset[int], stopped: bool, left: int) -> Reason | None:
    """Why the text ends after ``token``, or None where it goes on."""
    if token in ends:
        return "eos"
    if stopped:
        return "stop"
    return None if left else "length"
