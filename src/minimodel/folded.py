"""The Mini-GPT's decode step in as few NumPy calls as it takes, for one text or for many side by side.

The same function as `minimodel.gpt.MiniGPT`, the weights rearranged once ("folded") so that each step does less:

* What writes to the residual stream is centred, so that a layer norm need not subtract a mean that is always 0.
* Gains, biases and the √d of the norms, and the 1/√(head size) of attention, go into the next matrix.
* Biases are the last row of their matrix, met by a 1 at the end of the input; the norms' epsilon comes in alike.
* The hidden layer is scaled so that the polynomial inside its GELU has one coefficient instead of three.
* Every array that a step computes in is made once: for a model this small, making them costs as much as filling them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import check_prompt
from minimodel.gpt import GPTConfig, MiniGPT

Array: TypeAlias = NDArray[np.float32]
EPSILON = 1e-5
# With a = 2√(2/π), the tanh GELU of h is h / (1 + exp(-(a h + .044715 a h³))). For g = -HIDDEN_SCALE h the exponent is
# (g² + LINEAR) g, and the GELU is g / (1 + exp(...)) / -HIDDEN_SCALE.
HIDDEN_SCALE = (2 * np.sqrt(2 / np.pi) * 0.044715) ** (1 / 3)
LINEAR = np.array(2 * np.sqrt(2 / np.pi) / HIDDEN_SCALE, dtype=np.float32)
ONE = np.array(1, dtype=np.float32)


@dataclass(frozen=True)
class FoldedLayer:
    """A block's four matrices, each with its bias as the last row."""

    qkv: Array
    out: Array
    up: Array
    down: Array


class RowCache:
    """Keys and values of ``rows`` texts of one length, read side by side.

    Attributes:
        keys: shape ``(layers, rows, heads, head size, context_length)``.
        values: shape ``(layers, rows, heads, context_length, head size + 1)``, each with a 1 at the end.
        layers: keys and values, layer by layer.
        length: how many positions are filled.
        scratch: what a step computes in.
    """

    def __init__(self, config: GPTConfig, rows: int) -> None:
        size = config.width // config.heads
        self.keys = _empty(config.layers, rows, config.heads, size, config.context_length)
        self.values = _ones(config.layers, rows, config.heads, config.context_length, size + 1)
        self.layers = list(zip(self.keys, self.values, strict=True))
        self.length = 0
        self.scratch = Scratch(config, rows, 1)


class Scratch:
    """The arrays in which ``new`` positions of each text are computed, and the views of them that this takes.

    ``…1`` has one more column, of ones; ``x_and_epsilon`` one whose square is what a norm adds to the sum of squares.
    """

    def __init__(self, config: GPTConfig, rows: int, new: int) -> None:
        d, count, split = config.width, rows * new, (rows, new, config.heads, -1)
        self.x_and_epsilon = np.full((count, d + 1), np.sqrt(d * EPSILON), dtype=np.float32)
        self.row = self.x_and_epsilon[0] if count == 1 else None
        self.x, self.update, self.length = self.x_and_epsilon[:, :-1], _empty(count, d), _empty(count)
        self.texts, self.divisor = self.x.reshape(rows, new, d), self.length[:, np.newaxis]
        self.normed1, self.mixed1, self.hidden1 = _ones(count, d + 1), _ones(count, d + 1), _ones(count, 4 * d + 1)
        self.normed, self.hidden = self.normed1[:, :-1], self.hidden1[:, :-1]
        self.mixed = self.mixed1[:, :-1].reshape(split).swapaxes(1, 2)
        self.qkv, self.gate, self.exponent = _empty(count, 3 * d), _empty(count, 4 * d), _empty(count, 4 * d)
        self.q, k, self.v = self.qkv.reshape(rows, new, 3, config.heads, -1).transpose(2, 0, 3, 1, 4)
        self.k = k.swapaxes(2, 3)
        self.unseen = np.arange(new) > np.arange(new)[:, np.newaxis]  # what comes later in the text


class FoldedGPT:
    """A Mini-GPT made ready for decoding; what it computes is the same up to rounding.

    Args:
        model: the model to fold.
    """

    def __init__(self, model: MiniGPT) -> None:
        self.model, w = model, model.weights
        self.vocab_size, self.context_length, self.eos_id = model.vocab_size, model.context_length, model.eos_id
        self._embedding, self._positions = _centred(w["wte.weight"]), _centred(w["wpe.weight"])
        self._layers = [_folded_layer(model, layer) for layer in range(model.config.layers)]
        head = w["wte.weight"].T
        self._head = _with_bias(_gain(w["ln_f.weight"]) * head, w["ln_f.bias"] @ head)

    def __call__(self, token_ids: NDArray[np.intp]) -> Array:
        """Return logits of shape ``(T, V)``, as the model that was folded does.

        Raises:
            ValueError: there are no ids, more than ``context_length``, or one is outside the vocabulary.
        """
        return self.prefill(token_ids)[0]

    def prefill(self, token_ids: NDArray[np.intp]) -> tuple[Array, RowCache]:
        """Read one text: its logits, shape ``(T, V)``, and the cache to go on from.

        Raises:
            ValueError: there are no ids, more than ``context_length``, or one is outside the vocabulary.
        """
        logits, cache = self.prefill_rows([token_ids.tolist()])
        return logits[0], cache

    def decode_step(self, token: int, cache: RowCache) -> Array:
        """Read one token more of one text: the logits after it, shape ``(V,)``.

        Raises:
            ValueError: the id is outside the vocabulary, or the cache is full.
        """
        if not 0 <= token < self.vocab_size:
            check_prompt([token], self.vocab_size)  # says what is wrong
        logits: Array = self._read(token, 1, cache, cache.scratch)[0]
        return logits

    def prefill_rows(self, prompts: Sequence[Sequence[int]]) -> tuple[Array, RowCache]:
        """Read texts of one length: their logits, shape ``(B, T, V)``, and one cache for all of them.

        Raises:
            ValueError: they differ in length, or one is not a prompt that the model can read.
        """
        texts = [check_prompt(prompt, self.vocab_size) for prompt in prompts]
        lengths = {len(text) for text in texts}
        if len(lengths) != 1:
            raise ValueError(f"prompts have {sorted(lengths)} tokens: expected all of one length")
        rows, length = len(texts), lengths.pop()
        cache, scratch = RowCache(self.model.config, rows), Scratch(self.model.config, rows, length)
        return self._read(np.array(texts), length, cache, scratch).reshape(rows, length, -1), cache

    def decode_rows(self, tokens: NDArray[np.intp], cache: RowCache) -> Array:
        """Read one token more of every text, ids of shape ``(B,)``: the logits after it, shape ``(B, V)``.

        Raises:
            ValueError: the cache is full.
        """
        return self._read(tokens[:, np.newaxis], 1, cache, cache.scratch)

    def _read(self, tokens: NDArray[np.intp] | int, new: int, cache: RowCache, s: Scratch) -> Array:
        """Logits for ``new`` positions of every text, which may look back at those in the cache."""
        start, end = cache.length, cache.length + new
        if end > self.context_length:
            raise ValueError(f"{end} tokens: the model sees at most {self.context_length}; pass the last ones")
        np.add(self._embedding[tokens], self._positions[start:end], out=s.texts)
        cache.length = end
        with np.errstate(over="ignore"):  # in the GELU: a number over infinity is the 0 that it should be
            for layer, keys_and_values in zip(self._layers, cache.layers, strict=True):
                _attend(layer, keys_and_values, start, end, s)
                _transform(layer, s)
        logits: Array = np.dot(_normed(s), self._head)
        return logits


def _attend(layer: FoldedLayer, keys_and_values: tuple[Array, Array], start: int, end: int, s: Scratch) -> None:
    """Store the keys and values of the new positions, and add mixtures of the values of all up to each."""
    keys, values = keys_and_values
    np.dot(_normed(s), layer.qkv, out=s.qkv)
    keys[..., start:end] = s.k
    values[..., start:end, :-1] = s.v
    scores = s.q @ keys[..., :end]
    if end - start > 1:
        scores[..., start:][..., s.unseen] = -np.inf
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    mixed = np.exp(scores, out=scores) @ values[..., :end, :]
    np.divide(mixed[..., :-1], mixed[..., -1:], out=s.mixed)  # the last column is the sum of the weights
    np.add(s.x, np.dot(s.mixed1, layer.out, out=s.update), out=s.x)


def _transform(layer: FoldedLayer, s: Scratch) -> None:
    """Add what the two-layer network makes of each position; its GELU needs one exponential."""
    g, u = np.dot(_normed(s), layer.up, out=s.gate), s.exponent
    np.multiply(g, g, out=u)
    u += LINEAR
    u *= g
    np.exp(u, out=u)
    u += ONE
    np.divide(g, u, out=s.hidden)
    np.add(s.x, np.dot(s.hidden1, layer.down, out=s.update), out=s.x)


def _normed(s: Scratch) -> Array:
    """Centred rows scaled to a length of 1 (the matrices that follow hold the √d that is missing); a 1 at the end."""
    if s.row is not None:  # a number costs less than a call for an array of one
        np.divide(s.x, math.sqrt(s.row.dot(s.row)), out=s.normed)
        return s.normed1
    np.vecdot(s.x_and_epsilon, s.x_and_epsilon, out=s.length)
    np.sqrt(s.length, out=s.length)
    np.divide(s.x, s.divisor, out=s.normed)
    return s.normed1


def _folded_layer(model: MiniGPT, layer: int) -> FoldedLayer:
    w = {name.removeprefix(f"h.{layer}."): weight for name, weight in model.weights.items()}
    d = model.config.width
    qkv = _after_norm(w, "ln_1", "attn.c_attn")
    qkv[:, :d] /= np.sqrt(d / model.config.heads)
    out = _with_bias(_centred(w["attn.c_proj.weight"]), _centred(w["attn.c_proj.bias"]))
    up = _after_norm(w, "ln_2", "mlp.c_fc") * np.float32(-HIDDEN_SCALE)
    down = _with_bias(_centred(w["mlp.c_proj.weight"]) / -HIDDEN_SCALE, _centred(w["mlp.c_proj.bias"]))
    return FoldedLayer(qkv, out, up, down)


def _after_norm(w: dict[str, Any], norm: str, linear: str) -> Array:
    """The matrix that follows a norm, with the norm's gain, bias and √d in it."""
    matrix = w[f"{linear}.weight"]
    bias = w[f"{norm}.bias"] @ matrix + w[f"{linear}.bias"]
    return _with_bias(_gain(w[f"{norm}.weight"]) * matrix, bias)


def _gain(weights: Array) -> Array:
    """A norm's gain and √d, as a column."""
    return np.asarray(weights * np.sqrt(len(weights)), dtype=np.float32)[:, np.newaxis]


def _with_bias(matrix: Array, bias: Array) -> Array:
    return np.ascontiguousarray(np.vstack([matrix, bias]), dtype=np.float32)


def _centred(weights: Array) -> Array:
    """Weights whose output has mean 0."""
    return np.asarray(weights - weights.mean(axis=-1, keepdims=True), dtype=np.float32)


def _empty(*shape: int) -> Array:
    return np.empty(shape, dtype=np.float32)


def _ones(*shape: int) -> Array:
    return np.ones(shape, dtype=np.float32)
