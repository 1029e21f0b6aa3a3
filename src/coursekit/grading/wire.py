"""Values as plain JSON, and messages over a socket: all that crosses between the tests and a student's process.

Numbers, texts and containers stay what they are (1 is not 1.0, a tuple no list, ``np.int64`` no ``int``); arrays and
tensors travel as dtype, shape and base64; other kinds of numbers, texts and sequences as the plain ones that NumPy
takes them for. Anything else, a function or a model, stays where it is: what travels is a reference, by which the other
side can do no more than call it or ask for a public attribute. Nothing here runs what it reads, and no pickle is
involved.
"""

import base64
import binascii
import json
import math
import re
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

LARGEST = 16 * 2**20  # bytes of one message
DEEPEST = 50  # containers within containers
MOST = 10_000  # entries of a set or dict: keys may be chosen to collide, which takes the square of their number
LONGEST = 2**21  # numbers of a range, or of an array's axes but the empty ones: both take memory where they arrive
_HEADER = struct.Struct(">I")
_NUMBERS = re.compile(r"[<>|=](?:[biufc]\d{1,2}|U\d{1,4})")
_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

Refer = Callable[[Any], dict[str, Any]]
Resolve = Callable[[dict[str, Any]], Any]


class WireError(Exception):
    """The other side sent something that is not a message, or nothing at all."""


class NotSendableError(WireError):
    """A value is too large, or nested too deeply."""


class TimedOutError(WireError):
    """No answer came in time."""


def _no_reference(value: Any) -> Any:
    raise WireError(f"{type(value).__name__} cannot be sent here: expected plain values")


def encode(value: Any, refer: Refer = _no_reference, depth: int = 0) -> Any:
    """Return ``value`` as JSON can hold it; ``refer`` makes the reference of what is not plain.

    >>> encode((1, 2.0, np.int64(3), None, float("inf")))["tuple"]
    [1, 2.0, {'scalar': '<i8', 'data': 'AwAAAAAAAAA='}, None, {'float': 'inf'}]

    Raises:
        NotSendableError: it is nested too deeply.
    """
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if depth > DEEPEST:
        raise NotSendableError(f"nested more than {DEEPEST} deep")
    if isinstance(value, np.ndarray | np.generic):
        return encode(value.tolist(), refer, depth + 1) if value.dtype == object else _encode_array(value, refer)
    if isinstance(value, list | tuple | set | frozenset | dict):
        return _encode_container(value, refer, depth + 1)
    if type(value) not in (range, bytes, bytearray) and isinstance(value, str | Real | Decimal | Sequence):
        return encode(_like_numpy(value), refer, depth + 1)
    return _encode_other(value, refer)


def _like_numpy(value: Any) -> Any:
    """What NumPy takes a value for: a number or a text of whatever kind, or a list of them."""
    if isinstance(value, Sequence):
        return str(value) if isinstance(value, str) else list(value)
    return int(value) if isinstance(value, Integral) else float(value)


def _encode_array(value: Any, refer: Refer) -> Any:
    dtype = value.dtype.str
    if not _NUMBERS.fullmatch(dtype):
        return refer(value)
    data = base64.b64encode(value.tobytes()).decode()
    if isinstance(value, np.generic):
        return {"scalar": dtype, "data": data}
    return {"array": dtype, "shape": list(value.shape), "data": data}


def _encode_container(value: Any, refer: Refer, depth: int) -> Any:
    if isinstance(value, dict):
        return {"dict": [[encode(key, refer, depth), encode(each, refer, depth)] for key, each in value.items()]}
    items = [encode(each, refer, depth) for each in value]
    if isinstance(value, list):
        return items
    return {"tuple" if isinstance(value, tuple) else "set": items}


def _encode_other(value: Any, refer: Refer) -> Any:
    if type(value) is range:
        return {"range": [value.start, value.stop, value.step]}
    if type(value) is bytes:
        return {"bytes": base64.b64encode(value).decode()}
    if type(value) is complex:
        return {"complex": [encode(value.real), encode(value.imag)]}
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return {"tensor": _encode_array(value.detach().cpu().numpy(), refer)}
    return refer(value)


def decode(tree: Any, resolve: Resolve = _no_reference, depth: int = 0) -> Any:
    """Return the value that `encode` was given; ``resolve`` takes the references.

    >>> decode(encode([(1,), {2: np.ones(2)}]))
    [(1,), {2: array([1., 1.])}]

    Raises:
        WireError: it was not made by `encode`.
    """
    if tree is None or isinstance(tree, bool | int | float | str):
        return tree
    if depth > DEEPEST:
        raise WireError(f"nested more than {DEEPEST} deep")
    if isinstance(tree, list):
        return [decode(each, resolve, depth + 1) for each in tree]
    kind = next(iter(tree), "")
    try:
        _check_size(tree, kind)
        return resolve(tree) if kind == "ref" else _DECODERS[kind](tree, lambda each: decode(each, resolve, depth + 1))
    except (KeyError, TypeError, ValueError, binascii.Error, OverflowError) as error:
        raise WireError(f"not a value: {kind[:20]!r}") from error


def _check_size(tree: Any, kind: str) -> None:
    """Refuse what is small on the wire and takes much memory, or time, where it is read."""
    if kind in ("set", "dict") and len(tree[kind]) > MOST:
        raise ValueError(f"{len(tree[kind]):,} entries")
    sizes = [len(range(*tree["range"]))] if kind == "range" else tree.get("shape", ())
    if math.prod(size for size in sizes if size) > LONGEST:
        raise ValueError(f"{tree[kind]!r} is too long")


def _decode_array(tree: Any, _: Any) -> Any:
    kind = "array" if "array" in tree else "scalar"
    if not _NUMBERS.fullmatch(tree[kind]):
        raise ValueError(tree[kind])
    flat = np.frombuffer(base64.b64decode(tree["data"], validate=True), np.dtype(tree[kind]))
    return flat.reshape(tree["shape"]).copy() if kind == "array" else flat.reshape(())[()]


def _decode_tensor(tree: Any, each: Any) -> Any:
    import torch  # noqa: PLC0415  only who gets a tensor waits for it

    return torch.from_numpy(each(tree["tensor"]))


_DECODERS: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "float": lambda tree, _: _SPECIAL[tree["float"]],
    "scalar": _decode_array,
    "array": _decode_array,
    "tensor": _decode_tensor,
    "tuple": lambda tree, each: tuple(each(tree["tuple"])),
    "set": lambda tree, each: set(each(tree["set"])),
    "dict": lambda tree, each: {each(key): each(value) for key, value in tree["dict"]},
    "range": lambda tree, _: range(*tree["range"]),
    "bytes": lambda tree, _: base64.b64decode(tree["bytes"], validate=True),
    "complex": lambda tree, each: complex(*map(each, tree["complex"])),
}


def send(sock: socket.socket, message: Any) -> None:
    """Send one message, as JSON after its length.

    Raises:
        NotSendableError: it is too large.
        WireError: the other side is gone.
    """
    data = json.dumps(message, allow_nan=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    if len(data) > LARGEST:
        raise NotSendableError(f"{len(data):,} bytes in one message: expected at most {LARGEST:,}")
    try:
        sock.sendall(_HEADER.pack(len(data)) + data)
    except OSError as error:
        raise WireError("the other side is gone") from error


def receive(sock: socket.socket, deadline: float | None = None, also: Callable[[], None] | None = None) -> Any:
    """Wait for one message, until ``deadline`` on the monotonic clock; ``also`` is called while nothing comes.

    Raises:
        TimedOutError: none came in time.
        WireError: the other side is gone, or what it sent is no message.
    """
    (length,) = _HEADER.unpack(_read(sock, _HEADER.size, deadline, also))
    if length > LARGEST:
        raise WireError(f"{length:,} bytes in one message: expected at most {LARGEST:,}")
    try:
        return json.loads(_read(sock, length, deadline, also).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise WireError("not JSON") from error


def _read(sock: socket.socket, size: int, deadline: float | None, also: Callable[[], None] | None) -> bytes:
    data = bytearray()
    while len(data) < size:
        _await(sock, deadline, also)
        try:
            part = sock.recv(min(size - len(data), 2**20))
        except OSError as error:
            raise WireError("the other side is gone") from error
        if not part:
            raise WireError("the other side is gone")
        data += part
    return bytes(data)


def _await(sock: socket.socket, deadline: float | None, also: Callable[[], None] | None) -> None:
    """Return when there is something to read."""
    while True:
        left = math.inf if deadline is None else deadline - time.monotonic()
        if left <= 0:
            raise TimedOutError("no answer in time")
        wait = min(left, 0.05 if also else left)
        if select.select([sock], [], [], None if wait == math.inf else wait)[0]:
            return
        if also:
            also()
