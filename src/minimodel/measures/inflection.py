"""Whether a model has learned the rule or the sentences: what it makes of verb forms that it may never have read."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from minimodel.corpus.grammar import Cell, Grammar
from minimodel.decoding.model import Model
from minimodel.sampling.softmax import log_softmax


class Inflection(NamedTuple):
    """What a model makes of a verb where one of its forms is due.

    Attributes:
        prompt: a text that calls for the form, such as "Tomorrow she".
        form: the right form, such as "will sing".
        probability: of this form after this text.
        share: of the probability that the model gives to all forms of the verb after this text, that of the right one.
        right: whether no other form of the verb is as likely.
    """

    prompt: str
    form: str
    probability: float
    share: float
    right: bool


def inflections(model: Model, grammar: Grammar, cells: Iterable[Cell]) -> list[Inflection]:
    """Return what the model makes of the forms in these cells.

    Args:
        model: the model.
        grammar: whose vocabulary it has.
        cells: places in the grammar's table of verb forms.

    Examples:
        >>> from minimodel import MiniGPT
        >>> [sings] = inflections(MiniGPT.load("en"), Grammar.load("en"), [Cell("sing", "present", "3sg")])
        >>> sings.prompt, sings.form, sings.right
        ('Now he', 'sings', True)
    """
    return [_inflection(model, grammar, cell) for cell in cells]


def _inflection(model: Model, grammar: Grammar, cell: Cell) -> Inflection:
    prompt, right = grammar.prompt_for(cell), " ".join(grammar.form(cell))
    forms = {" ".join(grammar.form(other)) for other in grammar.cells() if other.verb == cell.verb}
    probs = {form: _probability(model, prompt, grammar.tokenizer.encode(form)) for form in forms}
    others = max(prob for form, prob in probs.items() if form != right)
    share = probs[right] / sum(probs.values())
    return Inflection(grammar.tokenizer.decode(prompt), right, probs[right], share, probs[right] > others)


def _probability(model: Model, prompt: list[int], words: list[int]) -> float:
    """Return the probability of some words after a prompt, one after the other."""
    log_probs = log_softmax(model(np.array([*prompt, *words])))[len(prompt) - 1 : -1]
    return float(np.exp(log_probs[np.arange(len(words)), words].sum()))
