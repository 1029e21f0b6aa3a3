"""Torch tensors in, torch tensors out: the transforms are written for NumPy, and this is what makes them take both.

A tensor on the CPU shares its memory with an array, so nothing is copied on the way in or out; one on another device is
computed there, by the same rules in torch (`minimodel.on_device`). Torch itself is never imported for arrays.
"""

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

Args = ParamSpec("Args")
Result = TypeVar("Result")


def is_tensor(values: object) -> bool:
    """Whether ``values`` is a torch tensor; without importing torch, since none can exist before it is imported."""
    if isinstance(values, np.ndarray):
        return False  # the answer at every token of a decode loop, spared the question
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(values, torch.Tensor)


def as_array(values: Any) -> Any:
    """Return a CPU tensor as the array that shares its memory (bfloat16, which NumPy lacks, as a float32 copy)."""
    tensor = values.detach()
    return (tensor if str(tensor.dtype) != "torch.bfloat16" else tensor.float()).numpy()


def tensors_too(transform: Callable[Args, Result]) -> Callable[Args, Result]:
    """Let a transform, whose first argument is an array of logits, take a tensor and give one back of its kind."""
    logits = next(iter(signature(transform).parameters))

    @wraps(transform)
    def either(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        if logits in kwargs:
            return either(kwargs.pop(logits), **kwargs)  # type: ignore[arg-type]  # by keyword: as if it came first
        if not args or not is_tensor(args[0]):
            return transform(*args, **kwargs)
        tensor: Any = args[0]
        if tensor.device.type != "cpu":
            elsewhere: Callable[..., Result] = getattr(import_module("minimodel.on_device"), transform.__name__)
            return elsewhere(*args, **kwargs)
        array: Any = transform(as_array(tensor), *args[1:], **kwargs)  # type: ignore[arg-type]
        result: Any = sys.modules["torch"].from_numpy(np.ascontiguousarray(array))
        return result.to(tensor.dtype) if tensor.is_floating_point() else result  # type: ignore[no-any-return]

    return either
