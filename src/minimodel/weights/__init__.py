"""The trained weights, one safetensors file a language, and the reader for them.

The format is a header (its length in 8 bytes, then JSON: name, type, shape, place) followed by the raw numbers, so
that NumPy alone can read it. Files are written by the `safetensors` library; see https://github.com/huggingface/safetensors.
"""

import json
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES: dict[str, np.dtype[Any]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4"), "F64": np.dtype("<f8")}


def read_safetensors(path: Path | Traversable) -> dict[str, NDArray[Any]]:
    """Return the arrays in a safetensors file, by name.

    Raises:
        ValueError: the file is missing, cut short or damaged.
    """
    try:
        data = path.read_bytes()
        start = 8 + int.from_bytes(data[:8], "little")
        header: dict[str, Any] = json.loads(data[8:start])
        return {name: _tensor(data[start:], entry) for name, entry in header.items() if name != "__metadata__"}
    except FileNotFoundError as error:
        raise ValueError(f"weights file {path} is missing: run `make train`, or install the package again") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"weights file {path} is damaged ({error}): run `make train`, or install it again") from error


def _tensor(data: bytes, entry: dict[str, Any]) -> NDArray[Any]:
    first, last = entry["data_offsets"]
    numbers: NDArray[Any] = np.frombuffer(data[first:last], dtype=_TYPES[entry["dtype"]])
    return numbers.reshape(entry["shape"])
