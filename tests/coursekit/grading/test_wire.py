"""What goes over the wire: every kind of value comes back as it was, and nothing else gets through."""

import socket
import struct
import time

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stnp

from coursekit.grading.wire import LARGEST, NotSendableError, TimedOutError, WireError, decode, encode, receive, send
from coursekit.labs.values import same

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
    | stnp.from_dtype(np.dtype(np.float32)) | stnp.from_dtype(np.dtype(np.int64)) | st.just(np.True_)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS | stnp.arrays(st.sampled_from(["f4", "f8", "i8", "?", "<U3"]), stnp.array_shapes(min_dims=0)),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner),
)


def alike(one: object, other: object) -> bool:
    """The same value of the same kind, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    return same(one, other)


@given(VALUES)
def test_a_value_comes_back_as_the_same_kind_of_value(value: object) -> None:
    left, right = socket.socketpair()
    with left, right:
        send(left, encode(value))
        assert alike(decode(receive(right, time.monotonic() + 5)), value)


def test_tensors_stay_tensors() -> None:
    tensor = torch.tensor([[1.0, -torch.inf]], requires_grad=True)
    back = decode(encode(tensor))
    assert torch.equal(back, tensor.detach())
    assert back.dtype == tensor.dtype


def test_an_array_that_was_sent_can_be_written_to() -> None:
    back = decode(encode(np.zeros(2)))
    back += 1
    assert back.tolist() == [1, 1]


@pytest.mark.parametrize(
    "value", [object(), len, np.array([object()]), np.array(["2026-01-01"], dtype="M8[D]"), slice(1), Exception("x")]
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(WireError, match="plain values"):
        encode(value)


def test_a_ring_is_refused() -> None:
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(NotSendableError, match="deep"):
        encode(ring)


FORGED = [
    {}, {"no such": 1}, {"array": "|O", "shape": [1], "data": ""}, {"array": "<f8", "shape": [-7], "data": "AAAA"},
    {"array": "<f8", "shape": [10**12], "data": ""}, {"array": "M8[D]", "shape": [], "data": ""}, {"float": "1e999"},
    {"scalar": "<f8", "data": "!"}, {"dict": [1]}, {"dict": [[[1], 2]]}, {"range": [1, 2, 0]}, {"range": ["a"]},
    {"set": [[1]]}, {"tuple": 3}, {"ref": 0}, {"array": ["<f8"], "shape": [], "data": ""}, {"complex": ["a"]},
    {"array": "<U9999", "shape": [1], "data": "AA=="}, {"range": [0, 10**9, 1]}, {"range": [0, 10**30, 1]},
    {"array": "<f8", "shape": [0, 10**9], "data": ""}, {"set": list(range(10_001))},
    {"dict": [[number, 0] for number in range(10_001)]},
]  # fmt: skip


@pytest.mark.parametrize("tree", FORGED, ids=lambda tree: str(tree)[:60])
def test_a_forged_value_is_refused(tree: object) -> None:
    with pytest.raises(WireError):
        decode(tree)


def test_a_forged_depth_is_refused() -> None:
    tree: object = 1
    for _ in range(1000):
        tree = {"tuple": [tree]}
    with pytest.raises(WireError, match="deep"):
        decode(tree)


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        (struct.pack(">I", LARGEST + 1), "expected at most"),
        (struct.pack(">I", 3) + b"{]}", "not JSON"),
        (struct.pack(">I", 50_000) + b"[" * 50_000, "not JSON"),
        (struct.pack(">I", 10_000) + b"1" * 10_000, "not JSON"),
        (struct.pack(">I", 10) + b"[", "gone"),
        (b"", "gone"),
    ],
)
def test_what_is_no_message_is_refused(sent: bytes, problem: str) -> None:
    left, right = socket.socketpair()
    with right:
        with left:
            left.sendall(sent)
        with pytest.raises(WireError, match=problem):
            receive(right, time.monotonic() + 5)


def test_a_message_too_large_to_send_is_refused() -> None:
    left, right = socket.socketpair()
    with left, right, pytest.raises(NotSendableError, match="expected at most"):
        send(left, "x" * (LARGEST + 1))


def test_waiting_ends_when_it_has_to_even_where_bytes_keep_coming() -> None:
    left, right = socket.socketpair()
    looked = []
    with left, right:
        left.sendall(struct.pack(">I", 100) + b"[")
        with pytest.raises(TimedOutError):
            receive(right, time.monotonic() + 0.2, lambda: looked.append(1))
    assert looked
