"""The same draws as the plain pipeline, without sorting the vocabulary.

``pick`` applies temperature, top-k, top-p and min-p in the contract's order and draws one token. What it keeps is
what the transforms keep, and it follows the same law; only the way there differs:

* what top-k or min-p leaves of a large vocabulary is few tokens, found by a bound (`minimodel.sampling.selection`), and
  few tokens are sorted (`minimodel.sampling.small_rows`);
* a draw from everything, or from the nucleus, is made by rejection (`minimodel.sampling.rejection`).
"""

import numpy as np

from minimodel.sampling.logits import Logits, highest
from minimodel.sampling.rejection import draw_from_all, draw_from_nucleus
from minimodel.sampling.selection import nucleus, top
from minimodel.sampling.small_rows import SMALL, TINY, pick_listed, pick_ranked, pick_sorted
from minimodel.sampling.weights import lowest_kept, wide

COLDEST = 1e-30  # at this temperature nothing but the highest score is drawn: a lower one would only overflow


def pick(
    scores: Logits,
    rng: np.random.Generator,
    *,
    tau: float = 1.0,
    k: int | None = None,
    p: float = 1.0,
    min_p: float = 0.0,
) -> int:
    """Draw one token id from ``scores``, shape ``(V,)``, after temperature, top-k, top-p and min-p.

    Args:
        scores: logits, not changed.
        rng: where uniform numbers come from: one, or a few where a draw is rejected.
        tau: the temperature, above 0.
        k: how many tokens top-k keeps; None keeps all.
        p: the mass that top-p keeps.
        min_p: the share of the largest probability that min-p keeps.

    Raises:
        ValueError: the scores hold NaN or +inf, or are all -inf.
    """
    tau = float(tau)  # Python's: what is divided by one of NumPy's takes on its precision
    if scores.size <= SMALL:
        plain = pick_listed if scores.size <= TINY else pick_sorted
        return plain(scores, rng, tau=tau, k=k or scores.size, p=p, min_p=min_p)
    scores, tau = wide(scores), max(tau, COLDEST)
    if k is not None and k < scores.size:
        ids = top(scores, k)
        return int(ids[pick_ranked(scores[ids], rng, tau=tau, p=p, min_p=min_p)])
    if min_p > 0 and p == 1:
        ids = (scores >= lowest_kept(scores, highest(scores), tau, min_p)).nonzero()[0]
        return int(ids[pick(scores[ids], rng, tau=tau)])
    if p == 1:
        return draw_from_all(scores, rng, tau)
    token = draw_from_nucleus(scores, rng, tau, p, min_p)
    if token is None:
        ids = np.flatnonzero(nucleus(scores, p, tau) & (scores >= lowest_kept(scores, highest(scores), tau, min_p)))
        return int(ids[pick(scores[ids], rng, tau=tau)])
    return token
