"""The Mini-GPT: GPT-2's architecture, small enough to read in one sitting and to train in seconds.

Pre-norm blocks, learned positions, the tanh GELU, a head tied to the embedding; V = 64, d = 64, 2 layers, 4 heads,
64 positions. The weights bear GPT-2's names, so that the same file loads into `transformers`' ``GPT2LMHeadModel``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.decoding.model import check_prompt
from minimodel.language import check_language
from minimodel.weights import read_safetensors

Array: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = Mapping[str, Array]

EPSILON = np.float32(1e-5)
GELU_SCALE, GELU_CUBE = np.float32(np.sqrt(2 / np.pi)), np.float32(0.044715)


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a GPT: vocabulary V, width d, layers, heads, positions, and the id that ends a text."""

    vocab_size: int = 64
    width: int = 64
    layers: int = 2
    heads: int = 4
    context_length: int = 64
    eos_id: int | None = 0

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the name and shape of every weight, as GPT-2 has them (matrices are input × output)."""
        d = self.width
        block = {"attn.c_attn": (d, 3 * d), "attn.c_proj": (d, d), "mlp.c_fc": (d, 4 * d), "mlp.c_proj": (4 * d, d)}
        shapes: dict[str, tuple[int, ...]] = {}
        shapes |= {"wte.weight": (self.vocab_size, d), "wpe.weight": (self.context_length, d)}
        for layer in range(self.layers):
            for name, shape in block.items():
                shapes |= {f"h.{layer}.{name}.weight": shape, f"h.{layer}.{name}.bias": shape[1:]}
            for norm in ("ln_1", "ln_2"):
                shapes |= {f"h.{layer}.{norm}.weight": (d,), f"h.{layer}.{norm}.bias": (d,)}
        return shapes | {"ln_f.weight": (d,), "ln_f.bias": (d,)}


class MiniGPT:
    """A GPT-2 in NumPy: ``model(ids)`` gives the logits of the next token after every position.

    Args:
        config: its shape.
        weights: an array for every name in ``config.shapes()``.

    Raises:
        ValueError: a weight is missing, has another shape or is not finite.

    Source:
        Radford et al. (2019), "Language models are unsupervised multitask learners".
    """

    def __init__(self, config: GPTConfig, weights: Mapping[str, NDArray[Any]]) -> None:
        self.config = config
        self.weights: Weights = {name: _checked(weights, name, shape) for name, shape in config.shapes().items()}
        self.vocab_size, self.context_length, self.eos_id = config.vocab_size, config.context_length, config.eos_id
        # what a position sees of another: nothing (a score of -inf) of those that come later in the text
        self._unseen = np.triu(np.full((config.context_length, config.context_length), -np.inf, np.float32), 1)

    @classmethod
    def load(cls, lang: str) -> Self:
        """Return the trained model of a language, "en" or "es".

        Raises:
            ValueError: the language is unknown, or its weights file is damaged.
        """
        path = files("minimodel.weights") / f"{check_language(lang)}.safetensors"
        return cls(GPTConfig(), read_safetensors(path))

    @property
    def num_parameters(self) -> int:
        """How many numbers training has set; the tied head counts once."""
        return sum(weight.size for weight in self.weights.values())

    def to_transformers(self) -> Any:
        """Return transformers' ``GPT2LMHeadModel`` with the same weights (transformers must be installed)."""
        return import_module("minimodel.huggingface").as_gpt2(self)

    def __call__(self, token_ids: NDArray[np.intp]) -> Array:
        """Return logits of shape ``(T, V)`` for ids of shape ``(T,)``: row t scores the token after position t.

        Raises:
            ValueError: there are no ids, more than ``context_length``, or one is outside the vocabulary.
        """
        return self.prefill(token_ids)[0]

    def prefill(self, token_ids: NDArray[np.intp]) -> tuple[Array, "KVCache"]:
        """Read a whole text at once: its logits, shape ``(T, V)``, and the cache to go on from.

        Raises:
            ValueError: as for a call of the model.
        """
        ids = np.array(check_prompt(np.asarray(token_ids).tolist(), self.vocab_size))
        cache = KVCache(self.config)
        return self._forward(ids, cache), cache

    def decode_step(self, token: int, cache: "KVCache") -> Array:
        """Read one token more: the logits after it, shape ``(V,)``. Only its own position is computed.

        Args:
            token: the id that follows the text in the cache.
            cache: keys and values of that text; extended by those of ``token``.

        Raises:
            ValueError: the id is outside the vocabulary, or the cache is full.
        """
        logits: Array = self._forward(np.array(check_prompt([token], self.vocab_size)), cache)[0]
        return logits

    def _forward(self, ids: NDArray[np.intp], cache: "KVCache") -> Array:
        """Logits for new positions, which may look back at those in the cache."""
        start, end = cache.length, cache.length + len(ids)
        if end > self.context_length:
            raise ValueError(f"{end} tokens: the model sees at most {self.context_length}; pass the last ones")
        w = self.weights
        x = w["wte.weight"][ids] + w["wpe.weight"][start:end]
        for layer in range(self.config.layers):
            x = self._block(x, layer, cache)
        cache.length = end
        logits: Array = _layer_norm(x, w["ln_f.weight"], w["ln_f.bias"]) @ w["wte.weight"].T
        return logits

    def _block(self, x: Array, layer: int, cache: "KVCache") -> Array:
        """Attention, then the two-layer network, each added to what came in."""
        w, name = self.weights, f"h.{layer}."
        x = x + self._attention(_layer_norm(x, w[name + "ln_1.weight"], w[name + "ln_1.bias"]), layer, cache)
        h = _layer_norm(x, w[name + "ln_2.weight"], w[name + "ln_2.bias"])
        return x + self._linear(_gelu(self._linear(h, name + "mlp.c_fc")), name + "mlp.c_proj")

    def _attention(self, x: Array, layer: int, cache: "KVCache") -> Array:
        """Causal multi-head self-attention: every position looks at itself and those before it."""
        new, heads = len(x), self.config.heads
        projected = self._linear(x, f"h.{layer}.attn.c_attn").reshape(new, 3, heads, -1)
        q, k, v = projected.transpose(1, 2, 0, 3)  # each (heads, new, head size)
        keys, values = cache.extend(layer, k, v)
        scores = q @ keys.swapaxes(1, 2) / np.float32(np.sqrt(q.shape[-1]))
        if new > 1:
            scores += self._unseen[cache.length : cache.length + new, : cache.length + new]
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = weights / weights.sum(axis=-1, keepdims=True) @ values
        return self._linear(mixed.swapaxes(0, 1).reshape(new, -1), f"h.{layer}.attn.c_proj")

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self.weights[name + ".weight"] + self.weights[name + ".bias"]


class KVCache:
    """Keys and values of the positions read so far, for every layer: what a decode step need not compute again.

    Attributes:
        keys: shape ``(layers, heads, context_length, head size)``; ``values`` alike.
        length: how many positions are filled.
    """

    def __init__(self, config: GPTConfig) -> None:
        shape = (config.layers, config.heads, config.context_length, config.width // config.heads)
        self.keys, self.values = np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.float32)
        self.length = 0

    def extend(self, layer: int, keys: Array, values: Array) -> tuple[Array, Array]:
        """Store the keys and values of new positions; return those of all positions, new ones included."""
        end = self.length + keys.shape[1]
        self.keys[layer, :, self.length : end] = keys
        self.values[layer, :, self.length : end] = values
        return self.keys[layer, :, :end], self.values[layer, :, :end]


def _layer_norm(x: Array, gain: Array, bias: Array) -> Array:
    """Centre and scale each position (Ba, Kiros & Hinton, 2016), with GPT-2's epsilon."""
    width = np.float32(x.shape[-1])
    centred = x - x.sum(axis=-1, keepdims=True) / width
    variance = np.vecdot(centred, centred)[..., np.newaxis] / width
    normed: Array = centred / np.sqrt(variance + EPSILON) * gain + bias
    return normed


def _gelu(x: Array) -> Array:
    """The tanh form of the GELU (Hendrycks & Gimpel, 2016) that GPT-2 uses."""
    active: Array = x / 2 * (1 + np.tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)))
    return active


def _checked(weights: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> Array:
    """Return one weight in float32, held to its shape."""
    if name not in weights:
        raise ValueError(f"weight {name!r} is missing: expected one of shape {shape}; train the model again")
    array = np.asarray(weights[name], dtype=np.float32)
    if array.shape != shape:
        raise ValueError(f"weight {name!r} has shape {array.shape}: expected {shape}; train the model again")
    if not np.isfinite(array).all():
        raise ValueError(f"weight {name!r} holds NaN or infinity; train the model again")
    return array
