"""The transforms once more, in torch, for logits that live on an accelerator: same names, same rules, nothing moved.

The NumPy transforms say which arguments are refused: each is asked about one small row first.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from minimodel.sampling import transforms as plain
from minimodel.sampling.logits import as_logits

ONE = (0.0,)


def softmax(logits: Tensor) -> Tensor:
    """As `minimodel.softmax`."""
    return torch.softmax(_checked(logits), dim=-1)


def log_softmax(logits: Tensor) -> Tensor:
    """As `minimodel.log_softmax`."""
    return torch.log_softmax(_checked(logits), dim=-1)


def apply_temperature(logits: Tensor, tau: float) -> Tensor:
    """As `minimodel.apply_temperature`."""
    plain.apply_temperature(ONE, tau)
    tempered = _checked(logits) / tau
    if torch.isfinite(tempered.amax(dim=-1)).all():
        return tempered
    below = logits.double() - logits.double().amax(dim=-1, keepdim=True)
    return (below / tau).to(logits.dtype)


def top_k_filter(logits: Tensor, k: int) -> Tensor:
    """As `minimodel.top_k_filter`."""
    plain.top_k_filter(ONE, k)
    return _keep(_checked(logits), _descending(logits)[..., :k])


def top_p_filter(logits: Tensor, p: float) -> Tensor:
    """As `minimodel.top_p_filter`."""
    plain.top_p_filter(ONE, p)
    return _keep_prefix(_checked(logits), _descending(logits), softmax(logits.double()), p)


def min_p_filter(logits: Tensor, min_p: float) -> Tensor:
    """As `minimodel.min_p_filter`."""
    plain.min_p_filter(ONE, min_p)
    scores = _checked(logits).double()
    relative = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return logits.masked_fill(relative < min_p, -torch.inf)


def typical_filter(logits: Tensor, mass: float) -> Tensor:
    """As `minimodel.typical_filter`."""
    plain.typical_filter(ONE, mass)
    surprise = -log_softmax(logits.double())
    probs = torch.exp(-surprise)
    expected = torch.where(probs > 0, probs * surprise, 0.0).sum(dim=-1, keepdim=True)
    order = torch.argsort((surprise - expected).abs(), dim=-1, stable=True)
    return _keep_prefix(logits, order, probs, mass)


def apply_repetition_penalty(logits: Tensor, token_ids: Any, penalty: float) -> Tensor:
    """As `minimodel.apply_repetition_penalty`."""
    plain.apply_repetition_penalty(ONE, [], penalty)
    ids = _ids(token_ids, _checked(logits))
    seen = logits.gather(-1, ids)
    return logits.scatter(-1, ids, torch.where(seen > 0, seen / penalty, seen * penalty))


def apply_frequency_penalty(logits: Tensor, token_ids: Any, penalty: float) -> Tensor:
    """As `minimodel.apply_frequency_penalty`."""
    plain.apply_frequency_penalty(ONE, [], penalty)
    ids = _ids(token_ids, _checked(logits))
    return logits.scatter_add(-1, ids, torch.full_like(ids, -penalty, dtype=logits.dtype))


def apply_presence_penalty(logits: Tensor, token_ids: Any, penalty: float) -> Tensor:
    """As `minimodel.apply_presence_penalty`."""
    plain.apply_presence_penalty(ONE, [], penalty)
    ids = _ids(token_ids, _checked(logits))
    return logits.scatter(-1, ids, logits.gather(-1, ids) - penalty)


def apply_logit_bias(logits: Tensor, bias: Mapping[int, float]) -> Tensor:
    """As `minimodel.apply_logit_bias`."""
    added = plain.apply_logit_bias([0.0] * logits.shape[-1], bias)
    return _checked(logits) + torch.as_tensor(added, dtype=logits.dtype, device=logits.device)


def allow_only(logits: Tensor, token_ids: Any) -> Tensor:
    """As `minimodel.allow_only`."""
    ids = _ids(token_ids, _checked(logits))
    plain.allow_only(ONE, [0] if ids.shape[-1] else [])
    return _keep(logits, ids)


def _checked(logits: Tensor) -> Tensor:
    """Return ``logits`` if every row is valid; only the largest value of each leaves the device to be looked at."""
    as_logits(logits.amax(dim=-1, keepdim=True).float().cpu().numpy())
    return logits


def _descending(logits: Tensor) -> Tensor:
    return torch.argsort(logits, dim=-1, descending=True, stable=True)


def _keep(logits: Tensor, ids: Tensor, flags: Tensor | bool = True) -> Tensor:
    kept = torch.zeros_like(logits, dtype=torch.bool)
    source = flags if isinstance(flags, Tensor) else torch.ones_like(ids, dtype=torch.bool)
    return logits.masked_fill(~kept.scatter(-1, ids, source), -torch.inf)


def _keep_prefix(logits: Tensor, order: Tensor, probs: Tensor, mass: float) -> Tensor:
    if mass == 1:
        return logits.clone()
    so_far = probs.gather(-1, order).cumsum(dim=-1)
    return _keep(logits, order, torch.nn.functional.pad(so_far[..., :-1], (1, 0)) < mass)


def _ids(token_ids: Any, logits: Tensor) -> Tensor:
    """One list of ids for each row, on the device of the logits."""
    held = plain.vocabulary_ids(torch.as_tensor(token_ids).cpu().numpy(), logits.shape[-1])
    return torch.as_tensor(held, device=logits.device).expand(*logits.shape[:-1], -1)
