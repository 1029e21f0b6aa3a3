"""The Mini-GPT's weights, rearranged once ("folded") so that each decode step does less; the function is the same.

* What writes to the residual stream is centred, so that a layer norm need not subtract a mean that is always 0.
* Gains, biases and the √d of the norms, and the 1/√(head size) of attention, go into the next matrix.
* Biases are the last row of their matrix, met by a 1 at the end of the input; the norms' epsilon comes in alike.
* The hidden layer is scaled so that the polynomial inside its GELU has one coefficient instead of three.
* The keys have no bias: it would add the same to all scores of a query. And where it can be proved that no attention
  score overflows the exponential, the softmax need not look for the largest.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minimodel.attention_bound import first_inputs, is_moderate
from minimodel.gpt import MiniGPT

Array: TypeAlias = NDArray[np.float32]
# With a = √(2/π), the tanh GELU of h is h (1 + tanh(a h + .044715 a h³)) / 2. For g = HIDDEN_SCALE h that is
# g (1 + tanh((g² + LINEAR) g)) / (2 HIDDEN_SCALE).
HIDDEN_SCALE = (np.sqrt(2 / np.pi) * 0.044715) ** (1 / 3)
LINEAR = np.array(np.sqrt(2 / np.pi) / HIDDEN_SCALE, dtype=np.float32)
ONE = np.array(1, dtype=np.float32)


@dataclass(frozen=True)
class FoldedLayer:
    """A block's four matrices, each with its bias as the last row; whether all its attention scores are moderate."""

    qkv: Array
    out: Array
    up: Array
    down: Array
    moderate: bool


@dataclass(frozen=True)
class FoldedWeights:
    """All matrices of a folded model; those that follow a norm hold its gain, bias and √d."""

    embedding: Array
    positions: Array
    layers: list[FoldedLayer]
    head: Array


def fold(model: MiniGPT) -> FoldedWeights:
    """Return the weights of ``model``, folded."""
    w = model.weights
    embedding, positions = _centred(w["wte.weight"]), _centred(w["wpe.weight"])
    inputs = [first_inputs(embedding, positions), *[None] * (model.config.layers - 1)]
    layers = [_folded_layer(model, layer, inputs[layer]) for layer in range(model.config.layers)]
    head = _with_bias(_gain(w["ln_f.weight"]) * w["wte.weight"].T, w["ln_f.bias"] @ w["wte.weight"].T)
    return FoldedWeights(embedding, positions, layers, head)


def gelu(gate: Array, out: Array) -> None:
    """Write the GELU of a scaled hidden layer, times ``2 * HIDDEN_SCALE``, to ``out``."""
    np.multiply(gate, gate, out=out)
    out += LINEAR
    out *= gate
    np.tanh(out, out=out)  # faster than an exponential and a division; where those overflow, it is 1
    out += ONE
    out *= gate


def empty(*shape: int) -> Array:
    """An array to be filled."""
    return np.empty(shape, dtype=np.float32)


def ones(*shape: int) -> Array:
    """An array of ones, some of which stay."""
    return np.ones(shape, dtype=np.float32)


def _folded_layer(model: MiniGPT, layer: int, inputs: Array | None) -> FoldedLayer:
    w = {name.removeprefix(f"h.{layer}."): weight for name, weight in model.weights.items()}
    d = model.config.width
    qkv = _after_norm(w, "ln_1", "attn.c_attn")
    qkv[:, :d] /= np.sqrt(d / model.config.heads)
    qkv[-1, d : 2 * d] = 0
    out = _with_bias(_centred(w["attn.c_proj.weight"]), _centred(w["attn.c_proj.bias"]))
    up = _after_norm(w, "ln_2", "mlp.c_fc") * np.float32(HIDDEN_SCALE)
    down = _with_bias(_centred(w["mlp.c_proj.weight"]) / (2 * HIDDEN_SCALE), _centred(w["mlp.c_proj.bias"]))
    moderate = is_moderate(qkv, model.config.heads, inputs, model.config.context_length)
    return FoldedLayer(qkv, out, up, down, moderate)


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
