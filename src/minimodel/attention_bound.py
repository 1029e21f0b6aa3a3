"""How large an attention score can be, whatever the text: where it is proved to be moderate, no exponential overflows.

Then a softmax need not take off the largest score first. A score is (x A + b) · y, with the normed inputs x of the
query and y of the key; neither is longer than 1. So it is at most as large as x A + b is long (Cauchy–Schwarz), and
that is at most the spectral norm of A and the length of b.
"""

import math

import numpy as np

from minimodel.gpt import EPSILON, Array

FEW = 2**14  # so many inputs of the first layer can be looked at one by one
ROOM = -math.log(np.finfo(np.float32).tiny)  # so far from 1, either way, a float is a whole one, by its logarithm


def first_inputs(embedding: Array, positions: Array) -> Array | None:
    """Return all that the first layer can meet, shape ``(V * T, d)``; None if that is too much to look at."""
    if len(embedding) * len(positions) > FEW:
        return None
    inputs = (embedding[:, np.newaxis] + positions).reshape(-1, embedding.shape[1])
    length = np.sqrt((inputs**2).sum(axis=1, keepdims=True) + inputs.shape[1] * EPSILON)
    return np.asarray(inputs / length)


def is_moderate(qkv: Array, heads: int, inputs: Array | None, positions: int) -> bool:
    """Whether a sum over all positions, of values times the exponentials of scores, is a float whatever the scores.

    Args:
        qkv: what makes queries, keys and values of a normed input, shape ``(d + 1, 3 * d)``: the biases in the last
            row, that of the keys left out.
        heads: how many.
        inputs: the normed inputs that there can be, shape ``(..., d)``; None for any.
        positions: how many a text has at most.
    """
    d = len(qkv) - 1
    with_its_one = math.sqrt(2)  # so long is an input with the 1 that meets the bias
    largest_value = with_its_one * float(np.linalg.norm(qkv[:, 2 * d :], axis=0).max())
    return largest_score(qkv, heads, inputs) + math.log(positions * max(largest_value, 1)) < ROOM


def largest_score(qkv: Array, heads: int, inputs: Array | None) -> float:
    """Return what no attention score of a layer exceeds, either way; the arguments are those of `is_moderate`."""
    d = len(qkv) - 1
    q, k = qkv.reshape(d + 1, 3, heads, -1)[:, :2].transpose(1, 2, 0, 3)
    products = q @ k[:, :-1].swapaxes(1, 2)
    a, b = products[:, :-1], products[:, -1:]
    if inputs is not None:
        return float(np.linalg.norm(inputs @ a + b, axis=2).max())
    return float((np.linalg.norm(a, 2, axis=(1, 2)) + np.linalg.norm(b, axis=(1, 2))).max())
