"""One step of many texts at once with folded weights: every text is a column of every array.

It is the step of `minimodel.folded`, laid out for its memory. The keys and values of hundreds of texts do not fit into
a processor's nearest caches, and to read them is most of the work. With the text as the last axis attention runs along
the memory, all texts in one go; one small product for each text and head would take twice as long.
"""

import numpy as np
from numpy.typing import NDArray

from minimodel.folding import EPSILON, Array, FoldedLayer, FoldedWeights, empty, gelu, ones
from minimodel.gpt import GPTConfig


class Columns:
    """What has been read of ``texts`` texts of one length, and the arrays in which a step is computed.

    Attributes:
        keys: shape ``(layers, heads, context_length, head size, texts)``.
        values: the same.
        length: how many positions are filled.
    """

    def __init__(self, config: GPTConfig, texts: int) -> None:
        d, heads = config.width, config.heads
        shape = (config.layers, heads, config.context_length, d // heads, texts)
        self.keys, self.values, self.length = empty(*shape), empty(*shape), 0
        self.x_and_epsilon = np.full((d + 1, texts), np.sqrt(d * EPSILON), dtype=np.float32)
        self.normed1, self.mixed1, self.hidden1 = ones(d + 1, texts), ones(d + 1, texts), ones(4 * d + 1, texts)
        self.x, self.normed, self.hidden = self.x_and_epsilon[:-1], self.normed1[:-1], self.hidden1[:-1]
        self.mixed, self.update = self.mixed1[:-1].reshape(heads, -1, texts), empty(d, texts)
        self.qkv, self.gate, self.exponent = empty(3 * d, texts), empty(4 * d, texts), empty(4 * d, texts)
        self.q, self.k, self.v = self.qkv.reshape(3, heads, -1, texts)


def read_columns(w: FoldedWeights, tokens: NDArray[np.intp], c: Columns) -> Array:
    """Read one token more of every text, ids of shape ``(B,)``: the logits after it, shape ``(B, V)``."""
    np.add(w.embedding[tokens].T, w.positions[c.length, :, np.newaxis], out=c.x)
    c.length += 1
    with np.errstate(over="ignore"):  # in the GELU: a number over infinity is the 0 that it should be
        for layer, keys, values in zip(w.layers, c.keys, c.values, strict=True):
            _attend(layer, keys[:, : c.length], values[:, : c.length], c)
            _transform(layer, c)
    logits: Array = np.dot(_normed(c).T, w.head)
    return logits


def _attend(layer: FoldedLayer, keys: Array, values: Array, c: Columns) -> None:
    """Store the key and value of the new position of each text, and add the mixture of the values of all up to it."""
    np.dot(layer.qkv.T, _normed(c), out=c.qkv)
    keys[:, -1], values[:, -1] = c.k, c.v
    scores = np.einsum("hst,hpst->hpt", c.q, keys)
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    np.einsum("hpt,hpst->hst", scores, values, out=c.mixed)
    c.mixed /= scores.sum(axis=1, keepdims=True)
    np.add(c.x, np.dot(layer.out.T, c.mixed1, out=c.update), out=c.x)


def _transform(layer: FoldedLayer, c: Columns) -> None:
    """Add what the two-layer network makes of each text."""
    gelu(np.dot(layer.up.T, _normed(c), out=c.gate), c.exponent, out=c.hidden)
    np.add(c.x, np.dot(layer.down.T, c.hidden1, out=c.update), out=c.x)


def _normed(c: Columns) -> Array:
    """Centred columns scaled to a length of 1 (the next matrix holds the √d that is missing); a 1 at the end."""
    length = np.sqrt(np.einsum("dt,dt->t", c.x_and_epsilon, c.x_and_epsilon))
    np.divide(c.x, length, out=c.normed)
    return c.normed1
