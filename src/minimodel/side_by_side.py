"""One step of many texts at once with folded weights: every text is a column of every array.

It is the step of `minimodel.folded`, laid out for its memory. The keys and values of hundreds of texts do not fit into
a processor's nearest caches, and to read them is most of the work. So the heads take turns: a feature of every head,
then the next one of every head. With the text as the last axis all heads of all texts are one long axis, and attention
runs along it; one small product for each text and head would take twice as long.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from minimodel.folding import Array, FoldedLayer, FoldedWeights, empty, gelu, ones
from minimodel.gpt import EPSILON, GPTConfig


def take_turns(w: FoldedWeights, heads: int) -> FoldedWeights:
    """The weights with the features of the heads in turns: the first of every head, then the second of every head."""
    d = w.embedding.shape[1]
    turns = np.arange(d).reshape(heads, -1).T.ravel()
    qkv = np.concatenate([turns, d + turns, 2 * d + turns])
    layers = [
        replace(layer, qkv=np.take(layer.qkv, qkv, axis=1), out=layer.out[np.append(turns, d)]) for layer in w.layers
    ]
    return replace(w, layers=layers)


class Columns:
    """What has been read of ``texts`` texts of one length, and the arrays in which a step is computed.

    Args:
        config: that of the model.
        texts: how many there are.
        room: for so many positions; the whole context by default.

    Attributes:
        keys: shape ``(layers, room, head size, heads * texts)``.
        values: the same.
        length: how many positions are filled.
    """

    def __init__(self, config: GPTConfig, texts: int, room: int | None = None) -> None:
        self.config = config
        d, size = config.width, config.width // config.heads
        shape = (config.layers, room or config.context_length, size, config.heads * texts)
        self.keys, self.values, self.length = empty(*shape), empty(*shape), 0
        self.x_and_epsilon = np.full((d + 1, texts), np.sqrt(d * EPSILON), dtype=np.float32)
        self.normed1, self.mixed1, self.hidden1 = ones(d + 1, texts), ones(d + 1, texts), ones(4 * d + 1, texts)
        self.x, self.normed, self.hidden = self.x_and_epsilon[:-1], self.normed1[:-1], self.hidden1[:-1]
        self.mixed, self.update = self.mixed1[:-1].reshape(size, -1), empty(d, texts)
        self.qkv, self.gate = empty(3 * d, texts), empty(4 * d, texts)
        self.q, self.k, self.v = self.qkv.reshape(3, size, -1)

    def take(self, texts: Sequence[int]) -> "Columns":
        """Return what has been read of these texts, by their places here, each as often as it is named."""
        taken = Columns(self.config, len(texts))
        taken.length = self.length
        for old, new in ((self.keys, taken.keys), (self.values, taken.values)):
            by_head = old[:, : self.length].reshape(*old[:, : self.length].shape[:-1], self.config.heads, -1)
            new[:, : self.length] = by_head[..., texts].reshape(new[:, : self.length].shape)
        return taken


def read_columns(w: FoldedWeights, tokens: NDArray[np.intp], c: Columns) -> Array:
    """Read one token more of every text, ids of shape ``(B,)``, with `take_turns`'s weights: logits, ``(B, V)``."""
    np.add(w.embedding[tokens].T, w.positions[c.length, :, np.newaxis], out=c.x)
    c.length += 1
    for layer, keys, values in zip(w.layers, c.keys, c.values, strict=True):
        _attend(layer, keys[: c.length], values[: c.length], c)
        _transform(layer, c)
    logits: Array = np.dot(_normed(c).T, w.head)
    return logits


def _attend(layer: FoldedLayer, keys: Array, values: Array, c: Columns) -> None:
    """Store the key and value of the new position of each text, and add the mixture of the values of all up to it."""
    np.dot(layer.qkv.T, _normed(c), out=c.qkv)
    keys[-1], values[-1] = c.k, c.v
    scores = np.einsum("sx,psx->px", c.q, keys)
    if not layer.moderate:
        scores -= scores.max(axis=0)
    np.exp(scores, out=scores)
    np.einsum("px,psx->sx", scores, values, out=c.mixed)
    c.mixed /= scores.sum(axis=0)
    np.add(c.x, np.dot(layer.out.T, c.mixed1, out=c.update), out=c.x)


def _transform(layer: FoldedLayer, c: Columns) -> None:
    """Add what the two-layer network makes of each text."""
    gelu(np.dot(layer.up.T, _normed(c), out=c.gate), out=c.hidden)
    np.add(c.x, np.dot(layer.down.T, c.hidden1, out=c.update), out=c.x)


def _normed(c: Columns) -> Array:
    """Centred columns scaled to a length of 1 (the next matrix holds the √d that is missing); a 1 at the end."""
    length = np.sqrt(np.einsum("dt,dt->t", c.x_and_epsilon, c.x_and_epsilon))
    np.divide(c.x, length, out=c.normed)
    return c.normed1
