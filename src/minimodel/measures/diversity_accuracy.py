"""Diversity against accuracy: what a sampler gains and loses as its temperature rises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.counts import check_count
from minimodel.decoding.batch import row_seed, sample_batch
from minimodel.decoding.model import Model
from minimodel.measures.bands import Band, bootstrap_band
from minimodel.measures.completions import Judge, accuracy, distinct
from minimodel.sampling.strategies import Strategy, Temperature

Completions: TypeAlias = Sequence[Sequence[list[int]]]
"""For each prompt its completions."""


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """The diversity-accuracy curve of a sampler, one point a temperature.

    Attributes:
        taus: the temperatures, shape ``(K,)``.
        n: completions per prompt; diversity at another n is another quantity.
        diversity: mean over the prompts, and its band, each of shape ``(K,)``.
        accuracy: the same for the share of completions that are right.
        completions: what was measured: for each temperature, for each prompt, n completions.
        prompts: token ids of each prompt.
    """

    taus: NDArray[np.float64]
    n: int
    diversity: Band
    accuracy: Band
    completions: Sequence[Completions]
    prompts: Sequence[Sequence[int]]


def tradeoff(
    model: Model,
    prompts: Sequence[Sequence[int]],
    taus: Sequence[float],
    *,
    n: int,
    seed: int,
    max_tokens: int,
    judge: Judge,
    strategy: Callable[[float], Strategy] = Temperature,
    level: float = 0.95,
) -> Tradeoff:
    """Complete every prompt ``n`` times at every temperature; measure how varied and how right the completions are.

    Completion j of prompt i has the random stream ``row_seed(seed, i * n + j)``, the same at every temperature: what
    changes along the curve is the temperature, not the luck.

    The bands come from resampling whole prompts, which are the independent units here: completions of one prompt
    are right or wrong together, so that counting them as separate trials (a Wilson interval over all of them) would
    claim too much, and drawing completions again would make copies, that is, lower the diversity it should gauge.

    Args:
        model: what gives the logits; one that reads many rows at once (`FoldedGPT`) is the fastest.
        prompts: token ids; at least two prompts.
        taus: the temperatures; 0 is greedy.
        n: completions per prompt.
        seed: of all random streams.
        max_tokens: of a completion.
        judge: called as ``judge(prompt, completion)``, such as ``Grammar.judge``.
        strategy: makes the strategy for a temperature, such as ``lambda tau: TopP(0.9, tau)``.
        level: of the confidence bands.

    Raises:
        ValueError: there are fewer than 2 prompts or no temperatures, ``n`` is not a whole number of 1 or more, or
            the model, the strategy or the judge refuses what it is given.

    Source:
        Caccia et al. (2020), "Language GANs falling short": quality and diversity as a curve over temperature.

    Examples:
        >>> from minimodel import FoldedGPT, Grammar, MiniGPT
        >>> en, model = Grammar.load("en"), FoldedGPT(MiniGPT.load("en"))
        >>> prompts = [en.tokenizer.encode(text) for text in ("Tomorrow she", "Yesterday I")]
        >>> curve = tradeoff(model, prompts, [0, 1, 3], n=20, seed=0, max_tokens=3, judge=en.judge)
        >>> curve.diversity.mean[0]  # greedy: one text of 20
        np.float64(0.05)
        >>> bool(curve.accuracy.mean[2] < curve.accuracy.mean[1])
        True
    """
    check_count("n", n)
    if len(prompts) < 2:  # noqa: PLR2004 - the bands come from how prompts differ
        raise ValueError(f"prompts has {len(prompts)}: expected at least 2, since the bands come from how they differ")
    if not len(taus):
        raise ValueError("taus is empty: expected at least one temperature")
    rows = [list(prompt) for prompt in prompts for _ in range(n)]
    points = [
        _by_prompt(sample_batch(model, rows, max_tokens=max_tokens, seed=seed, strategy=strategy(tau)), n)
        for tau in taus
    ]
    varied = [[distinct(texts) for texts in point] for point in points]
    right = [[accuracy([p] * n, texts, judge) for p, texts in zip(prompts, point, strict=True)] for point in points]
    diversity_band, accuracy_band = (
        bootstrap_band(scores, seed=row_seed(seed, len(rows)), level=level) for scores in (varied, right)
    )
    return Tradeoff(np.array(taus, dtype=np.float64), n, diversity_band, accuracy_band, points, prompts)


def _by_prompt(completions: Sequence[list[int]], n: int) -> Completions:
    """Completions in the order of their rows, n to a prompt."""
    return [completions[at : at + n] for at in range(0, len(completions), n)]
