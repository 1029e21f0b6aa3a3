"""A picture of a training: the loss of every step, and the floor that no model can get under, the grammar's entropy."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from minimodel.corpus.grammar import Grammar
from minimodel.measures import entropy


def entropy_rate(grammar: Grammar, *, length: int, texts: int = 64, seed: int = 1) -> float:
    """Return the grammar's entropy in nats a token, over texts of ``length`` words: the least loss there can be."""
    rows = grammar.sample_rows(np.random.default_rng(seed), texts, length)
    return float(np.mean([entropy(grammar.next_word_probs_along(row)) for row in rows]))


def plot_learning(losses: Mapping[str, Sequence[float]], floors: Mapping[str, float]) -> Figure:
    """Draw the losses of one training a language, in nats a token, on a log scale above their floors.

    Args:
        losses: the loss of every step, by language.
        floors: the grammar's entropy, by language.
    """
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="step", ylabel="loss, nats a token", xscale="log")
    for lang, values in losses.items():
        (line,) = axes.plot(range(1, len(values) + 1), values, label=f"loss, {lang}", linewidth=1)
        color = line.get_color()
        axes.axhline(floors[lang], color=color, linestyle="--", label=f"entropy of the grammar, {lang}")
    axes.legend(frameon=False)
    return figure


def save_learning(path: Path, losses: Mapping[str, Sequence[float]], *, length: int) -> None:
    """Draw the losses and save the picture; its format is that of the file's ending."""
    floors = {lang: entropy_rate(Grammar.load(lang), length=length) for lang in losses}
    plot_learning(losses, floors).savefig(path)
