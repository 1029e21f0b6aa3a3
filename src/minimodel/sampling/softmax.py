"""From logits to probabilities, without overflow."""

import numpy as np
from numpy.typing import ArrayLike

from minimodel.sampling.logits import Logits, as_logits
from minimodel.sampling.tensors import tensors_too


@tensors_too
def log_softmax(logits: ArrayLike) -> Logits:
    r"""Return the log-probabilities of ``logits``: :math:`z_i - \log \sum_j e^{z_j}`.

    The largest logit is subtracted first: it changes nothing but the size of the numbers (the "log-sum-exp trick").

    Args:
        logits: scores, shape ``(..., V)``.

    Returns:
        Log-probabilities in nats, same shape; ``-inf`` where the logit is.

    Raises:
        ValueError: a row holds NaN or +inf, or is all -inf.

    Examples:
        >>> log_softmax([0.0, 0.0]).round(3)
        array([-0.693, -0.693])
        >>> log_softmax([1000.0, -np.inf])
        array([  0., -inf])
    """
    scores = as_logits(logits)
    shifted = scores - scores.max(axis=-1, keepdims=True)
    log_probs: Logits = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return log_probs


@tensors_too
def softmax(logits: ArrayLike) -> Logits:
    r"""Return the probabilities of ``logits``: :math:`e^{z_i} / \sum_j e^{z_j}`.

    Args:
        logits: scores, shape ``(..., V)``.

    Returns:
        Probabilities, same shape; each row sums to 1.

    Raises:
        ValueError: a row holds NaN or +inf, or is all -inf.

    Examples:
        >>> softmax([2.0, 1.0, 0.0]).round(3)
        array([0.665, 0.245, 0.09 ])
    """
    scores = as_logits(logits)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    probs: Logits = weights / weights.sum(axis=-1, keepdims=True)
    return probs
