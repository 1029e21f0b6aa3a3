"""The Mini-GPT's decode step in as few NumPy calls as it takes, with folded weights (see `minimodel.folding`).

For a model this small, making an array costs as much as filling it: every array that a step computes in is made once.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import check_prompt
from minimodel.folding import Array, FoldedLayer, empty, fold, gelu, ones
from minimodel.gpt import EPSILON, GPTConfig, MiniGPT
from minimodel.side_by_side import Columns, read_columns, take_turns


class TextCache:
    """Keys and values of one text.

    Attributes:
        keys: shape ``(layers, heads, head size, context_length)``.
        values: shape ``(layers, heads, context_length, head size + 1)``, each with a 1 at the end.
        layers: keys and values, layer by layer.
        length: how many positions are filled.
        scratch: what a step computes in.
    """

    def __init__(self, config: GPTConfig) -> None:
        size = config.width // config.heads
        self.keys = empty(config.layers, config.heads, size, config.context_length)
        self.values = ones(config.layers, config.heads, config.context_length, size + 1)
        self.layers = list(zip(self.keys, self.values, strict=True))
        self.length = 0
        self.scratch = Scratch(config, 1)


class Scratch:
    """The arrays in which ``new`` positions of a text are computed, and the views of them that this takes.

    ``…1`` has one more column, of ones; ``x_and_epsilon`` one whose square is what a norm adds to the sum of squares.
    """

    def __init__(self, config: GPTConfig, new: int) -> None:
        d, split = config.width, (new, config.heads, -1)
        self.x_and_epsilon = np.full((new, d + 1), np.sqrt(d * EPSILON), dtype=np.float32)
        self.row = self.x_and_epsilon[0] if new == 1 else None
        self.x, self.update, self.length = self.x_and_epsilon[:, :-1], empty(new, d), empty(new, 1)
        self.normed1, self.mixed1, self.hidden1 = ones(new, d + 1), ones(new, d + 1), ones(new, 4 * d + 1)
        self.normed, self.hidden = self.normed1[:, :-1], self.hidden1[:, :-1]
        self.mixed = self.mixed1[:, :-1].reshape(split).swapaxes(0, 1)
        self.qkv, self.gate = empty(new, 3 * d), empty(new, 4 * d)
        self.q, k, self.v = self.qkv.reshape(new, 3, config.heads, -1).transpose(1, 2, 0, 3)
        self.k = k.swapaxes(1, 2)
        self.unseen = np.arange(new) > np.arange(new)[:, np.newaxis]  # what comes later in the text


class FoldedGPT:
    """A Mini-GPT made ready for decoding; what it computes is the same up to rounding.

    Args:
        model: the model to fold.
    """

    def __init__(self, model: MiniGPT) -> None:
        self.model, self._weights = model, fold(model)
        self._in_turns = take_turns(self._weights, model.config.heads)
        self.vocab_size, self.context_length, self.eos_id = model.vocab_size, model.context_length, model.eos_id

    def __call__(self, token_ids: NDArray[np.intp]) -> Array:
        """Return logits of shape ``(T, V)``, as the model that was folded does.

        Raises:
            ValueError: there are no ids, more than ``context_length``, or one is outside the vocabulary.
        """
        return self.prefill(token_ids)[0]

    def prefill(self, token_ids: NDArray[np.intp]) -> tuple[Array, TextCache]:
        """Read one text: its logits, shape ``(T, V)``, and the cache to go on from.

        Raises:
            ValueError: there are no ids, more than ``context_length``, or one is outside the vocabulary.
        """
        text = np.array(check_prompt(np.asarray(token_ids).tolist(), self.vocab_size))
        cache = TextCache(self.model.config)
        return self._read(text, len(text), cache, Scratch(self.model.config, len(text))), cache

    def decode_step(self, token: int, cache: TextCache) -> Array:
        """Read one token more of one text: the logits after it, shape ``(V,)``.

        Raises:
            ValueError: the id is outside the vocabulary, or the cache is full.
        """
        if not 0 <= token < self.vocab_size:
            check_prompt([token], self.vocab_size)  # says what is wrong
        logits: Array = self._read(token, 1, cache, cache.scratch)[0]
        return logits

    def prefill_rows(self, prompts: Sequence[Sequence[int]]) -> tuple[Array, Columns]:
        """Read texts of one length: their logits, shape ``(B, T, V)``, and one cache for all of them.

        Raises:
            ValueError: they differ in length, or one is not a prompt that the model can read.
        """
        rows = [tuple(check_prompt(prompt, self.vocab_size)) for prompt in prompts]
        texts = list(dict.fromkeys(rows))  # each once: often one prompt gets many completions
        lengths = {len(text) for text in texts}
        if len(lengths) != 1:
            raise ValueError(f"prompts have {sorted(lengths)} tokens: expected all of one length")
        distinct = len(texts) == len(rows)
        cache = Columns(self.model.config, len(texts), None if distinct else lengths.pop())  # a longer one comes
        logits = np.stack([self.decode_rows(tokens, cache) for tokens in np.array(texts).T], axis=1)
        if distinct:
            return logits, cache
        place = {text: i for i, text in enumerate(texts)}
        places = [place[row] for row in rows]
        return logits[places], cache.take(places)

    def decode_rows(self, tokens: NDArray[np.intp], cache: Columns) -> Array:
        """Read one token more of every text, ids of shape ``(B,)``: the logits after it, shape ``(B, V)``.

        Raises:
            ValueError: the cache is full.
        """
        self._check_room(cache.length + 1)
        return read_columns(self._in_turns, tokens, cache)

    def _read(self, tokens: NDArray[np.intp] | int, new: int, cache: TextCache, s: Scratch) -> Array:
        """Logits for ``new`` positions of a text, which may look back at those in the cache."""
        w, start, end = self._weights, cache.length, cache.length + new
        self._check_room(end)
        np.add(w.embedding[tokens], w.positions[start:end], out=s.x)
        cache.length = end
        for layer, keys_and_values in zip(w.layers, cache.layers, strict=True):
            _attend(layer, keys_and_values, start, end, s)
            _transform(layer, s)
        logits: Array = np.dot(_normed(s), w.head)
        return logits

    def _check_room(self, length: int) -> None:
        if length > self.context_length:
            raise ValueError(f"{length} tokens: the model sees at most {self.context_length}; pass the last ones")


def _attend(layer: FoldedLayer, keys_and_values: tuple[Array, Array], start: int, end: int, s: Scratch) -> None:
    """Store the keys and values of the new positions, and add mixtures of the values of all up to each."""
    keys, values = keys_and_values
    np.dot(_normed(s), layer.qkv, out=s.qkv)
    keys[..., start:end] = s.k
    values[..., start:end, :-1] = s.v
    scores = s.q @ keys[..., :end]
    if end - start > 1:
        scores[..., start:][..., s.unseen] = -np.inf
    if not layer.moderate:
        scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    mixed = np.exp(scores, out=scores) @ values[..., :end, :]
    np.divide(mixed[..., :-1], mixed[..., -1:], out=s.mixed)  # the last column is the sum of the weights
    np.add(s.x, np.dot(s.mixed1, layer.out, out=s.update), out=s.x)


def _transform(layer: FoldedLayer, s: Scratch) -> None:
    """Add what the two-layer network makes of each position."""
    gelu(np.dot(_normed(s), layer.up, out=s.gate), out=s.hidden)
    np.add(s.x, np.dot(s.hidden1, layer.down, out=s.update), out=s.x)


def _normed(s: Scratch) -> Array:
    """Centred rows scaled to a length of 1 (the matrices that follow hold the √d that is missing); a 1 at the end."""
    if s.row is not None:  # a number costs less than a call for an array of one
        np.divide(s.x, math.sqrt(s.row.dot(s.row)), out=s.normed)
        return s.normed1
    np.vecdot(s.x_and_epsilon, s.x_and_epsilon, out=s.length[:, 0])
    np.sqrt(s.length, out=s.length)
    np.divide(s.x, s.length, out=s.normed)
    return s.normed1
