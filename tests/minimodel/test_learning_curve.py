"""The picture of a training, and the floor in it."""

import numpy as np
import pytest

from minimodel import Grammar, MiniGPT, log_softmax
from minimodel.learning_curve import entropy_rate, plot_learning
from minimodel.training import excess_loss


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_loss_of_the_model_is_the_floor_and_its_excess(lang):
    """Cross-entropy = entropy + KL, measured on the words that came."""
    grammar, model = Grammar.load(lang), MiniGPT.load(lang)
    rows = grammar.sample_rows(np.random.default_rng(2), 150, 64)
    log_probs = [np.take_along_axis(log_softmax(model(row))[:-1], row[1:, np.newaxis], axis=-1) for row in rows]
    loss = -np.mean(log_probs)
    assert loss == pytest.approx(entropy_rate(grammar, length=64) + excess_loss(model, grammar), abs=0.04)


def test_every_loss_and_floor_is_drawn():
    figure = plot_learning({"en": [4.0, 2.0, 1.7], "es": [4.0, 1.5, 1.2]}, {"en": 1.6, "es": 1.1})
    lines = {line.get_label(): list(line.get_ydata()) for line in figure.axes[0].get_lines()}
    assert lines["loss, en"] == [4.0, 2.0, 1.7]
    assert lines["entropy of the grammar, es"] == [1.1, 1.1]
    assert "nats" in figure.axes[0].get_ylabel()
