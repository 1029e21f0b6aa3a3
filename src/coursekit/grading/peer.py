"""One end of the channel between the tests and a student's snapshot: either side calls what the other side holds.

Both ends are the same but for `attributes`: the tests' objects (a model, a sampler) may be asked for public attributes
by the student's code, the student's may not be asked for anything but to be called.
"""

import builtins
import io
import socket
from types import CodeType, CoroutineType, FrameType, GeneratorType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from coursekit.grading.wire import NotSendableError, WireError, decode, encode, receive, send

if TYPE_CHECKING:
    from collections.abc import Callable

# through their public attributes one comes to the tests themselves (gi_frame), or to the disk (tofile, name)
_NEVER_LENT = (
    ModuleType, type, io.IOBase, FrameType, CodeType, GeneratorType, CoroutineType, TracebackType,
    np.ndarray, np.generic,
)  # fmt: skip

LONGEST_TEXT = 2000  # characters of an error's message or of a repr


class Remote:
    """What stands for a value of the other side. It can be called; the rest is the other side's to allow."""

    def __init__(self, peer: "Peer", ref: int, shown: str) -> None:
        self._peer, self._ref, self._shown = peer, ref, shown

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it, where it is."""
        return self._peer.call(self._ref, args, kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remote) and (self._peer, self._ref) == (other._peer, other._ref)

    def __hash__(self) -> int:
        return hash((id(self._peer), self._ref))

    def __repr__(self) -> str:
        return self._shown


class RemoteObject(Remote):
    """A value of the tests' side, with its public attributes."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._peer.get(self._ref, name)


class RemoteError(Exception):
    """An error that arose at the other side; `rebuilt` makes one of the builtin kind that it was."""


class Peer:
    """One end of the channel.

    Args:
        sock: the connected socket.
        attributes: whether the other side may ask for public attributes of what it is given.
    """

    def __init__(self, sock: socket.socket, *, attributes: bool) -> None:
        self.sock, self._attributes = sock, attributes
        self._kept: list[Any] = []
        self._ids: dict[int, int] = {}
        self.handlers: dict[str, Callable[[dict[str, Any]], Any]] = {"call": self._called, "get": self._asked}

    def call(self, ref: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a value of the other side."""
        return self.result({"do": "call", "ref": ref, "args": self.encode(args), "kwargs": self.encode(kwargs)})

    def get(self, ref: int, name: str) -> Any:
        """A public attribute of a value at the other side."""
        return self.result({"do": "get", "ref": ref, "name": name})

    def result(self, request: dict[str, Any]) -> Any:
        """What a request gives; an error that it raised is raised here."""
        return self.unpacked(self.ask(request))

    def unpacked(self, answer: dict[str, Any]) -> Any:
        """The value of an answer, or its error, raised."""
        if "error" in answer:
            raise self.rebuilt(answer["error"])
        return self.decode(answer.get("value"))

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the answer; requests that come meanwhile are answered first."""
        send(self.sock, request)
        while True:
            message = self.receive()
            if not isinstance(message, dict):
                raise WireError("not a message")
            if "do" not in message:
                return message
            self._answer(message)

    def receive(self) -> Any:
        """The next message."""
        return receive(self.sock)

    def serve(self) -> None:
        """Answer requests until the other side is gone."""
        while True:
            self._answer(self.receive())

    def _answer(self, message: dict[str, Any]) -> None:
        try:
            handler = self.handlers[message["do"]]
        except (KeyError, TypeError) as error:
            raise WireError("not a request") from error
        try:
            answer = handler(message)
            send(self.sock, answer)
        except NotSendableError as error:
            send(self.sock, {"error": self.described(error)})
        except WireError:
            raise
        except BaseException as error:  # noqa: BLE001  whatever it is, it belongs to the other side
            send(self.sock, {"error": self.described(error)})

    def _called(self, message: dict[str, Any]) -> dict[str, Any]:
        function = self._held(message)
        value = function(*self.decode(message["args"]), **self.decode(message["kwargs"]))
        return {"value": self.encode(value)}

    def _asked(self, message: dict[str, Any]) -> dict[str, Any]:
        name = message["name"]
        held, lent = self._held(message), self._attributes and isinstance(name, str) and not name.startswith("_")
        if not lent or isinstance(held, BaseException):  # an error is passed on to be raised again, and no more
            raise AttributeError(name)
        return {"value": self.encode(getattr(held, name))}

    # values

    def encode(self, value: Any) -> Any:
        """The value for the wire, with references to what stays here."""
        return encode(value, self._refer)

    def decode(self, tree: Any) -> Any:
        """The value from the wire."""
        return decode(tree, self._resolve)

    def _refer(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Remote) and value._peer is self:
            return {"ref": value._ref, "yours": True}
        if isinstance(value, _NEVER_LENT) and self._attributes:
            raise WireError(f"{value!r} cannot be passed to a student's function: expected data, functions and objects")
        if id(value) not in self._ids:
            self._ids[id(value)] = len(self._kept)
            self._kept.append(value)
        return {"ref": self._ids[id(value)], "shown": _shown(value)}

    def _resolve(self, tree: dict[str, Any]) -> Any:
        ref = tree["ref"]
        if type(ref) is not int:
            raise WireError("not a reference")
        if tree.get("yours"):
            return self._held(tree)
        return (Remote if self._attributes else RemoteObject)(self, ref, str(tree.get("shown", ""))[:LONGEST_TEXT])

    def _held(self, tree: dict[str, Any]) -> Any:
        ref = tree.get("ref")
        if type(ref) is not int or not 0 <= ref < len(self._kept):
            raise WireError("no such reference")
        return self._kept[ref]

    # errors

    def described(self, error: BaseException) -> dict[str, Any]:
        """An error for the wire: its names, its text, and which one of this side's or the other's it is."""
        kinds = [kind.__name__ for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind]
        described = {"type": type(error).__name__, "kinds": kinds, "text": _text(error)}
        origin = getattr(error, "_remote_ref", None)
        return described | ({"ref": origin, "yours": True} if type(origin) is int else self._refer(error))

    def rebuilt(self, described: Any) -> BaseException:
        """The error that `described` describes: this side's own where it began here, else one of its builtin kind."""
        try:
            if described.get("yours") and isinstance(own := self._held(described), BaseException):
                return own
            name, text, kinds = (described[key] for key in ("type", "text", "kinds"))
            body = {"__str__": lambda _: str(text)[:LONGEST_TEXT], "_remote_ref": int(described["ref"])}
            made: type[Exception] = type(str(name)[:80], (_base(kinds),), body)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise WireError("not an error") from error
        return made()


def _base(kinds: list[str]) -> type[Exception]:
    """The nearest builtin exception that needs no arguments; exits and interrupts become plain exceptions."""
    for kind in kinds:
        base = getattr(builtins, str(kind), None)
        if (
            isinstance(base, type)
            and issubclass(base, Exception)
            and not issubclass(base, UnicodeError | BaseExceptionGroup)
        ):
            return base
    return RemoteError


def _shown(value: Any) -> str:
    try:
        return repr(value)[:LONGEST_TEXT]
    except BaseException:  # noqa: BLE001  a student's __repr__
        return f"<{type(value).__name__}>"


def _text(error: BaseException) -> str:
    try:
        return str(error)[:LONGEST_TEXT]
    except BaseException:  # noqa: BLE001  a student's __str__
        return ""
