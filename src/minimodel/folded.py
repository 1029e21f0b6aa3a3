"""The Mini-GPT's decode step in as few NumPy calls as it takes, for one text or for many side by side.

The same function as `minimodel.gpt.MiniGPT`, the weights rearranged once ("folded") so that each step does less:

* What writes to the residual stream is centred, so that a layer norm need not subtract a mean that is always 0.
* Gains and biases of the norms and the 1/√(head size) of attention go into the next matrix.
* Biases are the last row of their matrix, met by a 1 at the end of the input.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import check_prompt
from minimodel.gpt import MiniGPT

Array: TypeAlias = NDArray[np.float32]
EPSILON = np.float32(1e-5)
GELU_SCALE = float(np.sqrt(2 / np.pi))


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
        length: how many positions are filled.
    """

    def __init__(self, model: MiniGPT, rows: int) -> None:
        c = model.config
        size = c.width // c.heads
        self.keys = np.empty((c.layers, rows, c.heads, size, c.context_length), dtype=np.float32)
        self.values = np.ones((c.layers, rows, c.heads, c.context_length, size + 1), dtype=np.float32)
        self.length = 0


class FoldedGPT:
    """A Mini-GPT made ready for decoding; what it computes is the same up to rounding.

    Args:
        model: the model to fold.
    """

    def __init__(self, model: MiniGPT) -> None:
        self.model, w, d = model, model.weights, model.config.width
        self.vocab_size, self.context_length, self.eos_id = model.vocab_size, model.context_length, model.eos_id
        self._embedding, self._positions = _centred(w["wte.weight"]), _centred(w["wpe.weight"])
        self._layers = [_folded_layer(model, layer) for layer in range(model.config.layers)]
        head = w["wte.weight"].T
        self._head = _with_bias(w["ln_f.weight"][:, np.newaxis] * head, w["ln_f.bias"] @ head)
        self._width = d

    def __call__(self, token_ids: NDArray[np.intp]) -> Array:
        """Return logits of shape ``(T, V)``, as the model that was folded does."""
        return self.model(token_ids)

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
        check_prompt([token], self.vocab_size)
        logits: Array = self.decode_rows(np.array([token]), cache)[0]
        return logits

    def prefill_rows(self, prompts: Sequence[Sequence[int]]) -> tuple[Array, RowCache]:
        """Read texts of one length: their logits, shape ``(B, T, V)``, and one cache for all of them.

        Raises:
            ValueError: they differ in length, or one is not a prompt that the model can read.
        """
        rows = [check_prompt(prompt, self.vocab_size) for prompt in prompts]
        lengths = {len(row) for row in rows}
        if len(lengths) != 1:
            raise ValueError(f"prompts have {sorted(lengths)} tokens: expected all of one length")
        cache, length = RowCache(self.model, len(rows)), lengths.pop()
        if length < len(rows):  # fewer steps than texts: position by position, all texts at once
            steps = [self.decode_rows(tokens, cache) for tokens in np.array(rows).T]
            return np.stack(steps, axis=1), cache
        caches = [self.model.prefill(np.array(row)) for row in rows]
        cache.length = length
        for row, (_, read) in enumerate(caches):
            cache.keys[:, row] = read.keys.swapaxes(2, 3)
            cache.values[:, row, ..., :-1] = read.values
        return np.array([logits for logits, _ in caches]), cache

    def decode_rows(self, tokens: NDArray[np.intp], cache: RowCache) -> Array:
        """Read one token more of every text: the logits after it, shape ``(B, V)``.

        Raises:
            ValueError: the cache is full.
        """
        position = cache.length
        if position == self.context_length:
            raise ValueError(f"the cache is full: the model sees at most {position} tokens")
        x = self._embedding[tokens] + self._positions[position]
        cache.length = position + 1
        for layer, keys, values in zip(self._layers, cache.keys, cache.values, strict=True):
            x += self._attention(_normed(x) @ layer.qkv, keys, values, position) @ layer.out
            x += _gelu(_normed(x) @ layer.up) @ layer.down
        logits: Array = _normed(x) @ self._head
        return logits

    def _attention(self, qkv: Array, keys: Array, values: Array, position: int) -> Array:
        """Store the keys and values of the new position, and mix the values of all so far; a 1 at the end."""
        rows, heads = qkv.shape[0], keys.shape[1]
        q, k, v = qkv.reshape(rows, 3, heads, -1).swapaxes(0, 1)
        keys[..., position] = k
        values[..., position, :-1] = v
        scores = q[:, :, np.newaxis] @ keys[..., : position + 1]
        scores -= scores.max(axis=-1, keepdims=True)
        mixed = np.exp(scores, out=scores) @ values[..., : position + 1, :]  # its last column: the weights' sum
        out = np.ones((rows, self._width + 1), dtype=np.float32)
        np.divide(mixed[..., 0, :-1], mixed[..., 0, -1:], out=out[:, :-1].reshape(rows, heads, -1))
        return out


def _normed(x: Array) -> Array:
    """Centred rows scaled to a mean square of 1; a 1 at the end."""
    rows, width = x.shape
    out = np.empty((rows, width + 1), dtype=np.float32)
    scale = 1 / np.sqrt(np.vecdot(x, x) / np.float32(width) + EPSILON)
    np.multiply(x, scale[:, np.newaxis], out=out[:, :-1])
    out[:, -1] = 1
    return out


def _gelu(h: Array) -> Array:
    """The tanh GELU as h / (1 + exp(-2u)), which needs one exponential; a 1 in the last column."""
    u = h * h
    u *= -2 * 0.044715 * GELU_SCALE
    u += -2 * GELU_SCALE
    u *= h
    np.exp(np.minimum(u, 80, out=u), out=u)  # beyond 80 the answer is 0 anyway, and this is where float32 ends
    u += 1
    np.divide(h, u, out=u)
    u[:, -1] = 1
    return u


def _folded_layer(model: MiniGPT, layer: int) -> FoldedLayer:
    w = {name.removeprefix(f"h.{layer}."): weight for name, weight in model.weights.items()}
    d = model.config.width
    qkv = _after_norm(w, "ln_1", "attn.c_attn")
    qkv[:, :d] /= np.sqrt(d / model.config.heads)
    out = _with_bias(_centred(w["attn.c_proj.weight"]), _centred(w["attn.c_proj.bias"]))
    up = np.pad(_after_norm(w, "ln_2", "mlp.c_fc"), ((0, 0), (0, 1)))
    down = _with_bias(_centred(w["mlp.c_proj.weight"]), _centred(w["mlp.c_proj.bias"]))
    return FoldedLayer(qkv, out, up, down)


def _after_norm(w: dict[str, Any], norm: str, linear: str) -> Array:
    """The matrix that follows a norm, with the norm's gain and bias in it."""
    gain, bias = w[f"{norm}.weight"], w[f"{norm}.bias"]
    matrix = w[f"{linear}.weight"]
    return _with_bias(gain[:, np.newaxis] * matrix, bias @ matrix + w[f"{linear}.bias"])


def _with_bias(matrix: Array, bias: Array) -> Array:
    return np.ascontiguousarray(np.vstack([matrix, bias]), dtype=np.float32)


def _centred(weights: Array) -> Array:
    """Weights whose output has mean 0."""
    return np.asarray(weights - weights.mean(axis=-1, keepdims=True), dtype=np.float32)
