"""IPython without a kernel: it runs cells and hands on what they show as nbformat's outputs, too much of it cut."""

import base64
import io
import json
import time
from typing import TYPE_CHECKING, Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from coursekit.grading.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

CUT = "\n[… the rest of this output was cut]\n"
_BATCH, _PAUSE = 8192, 0.05  # characters of a stream that are sent at once; seconds after which fewer will do

Output = dict[str, Any]


class Recorder:
    """Takes outputs, keeps to the limits, and hands on what is kept."""

    def __init__(self) -> None:
        self.hand_on: Callable[[Output], None] = lambda _: None
        self.begin_notebook(Limits())

    def begin_notebook(self, limits: Limits) -> None:
        """Forget what was counted."""
        self._limits, self._total_left = limits, limits.notebook_bytes
        self.begin_cell()

    def begin_cell(self) -> None:
        """The next cell may show as much as any."""
        self._text_left, self._name, self._waiting, self._flushed = self._limits.output_bytes, "", "", 0.0

    def stream(self, name: str, text: str) -> None:
        """Text on stdout or stderr."""
        if self._text_left <= 0:
            return
        kept = text[: self._text_left]
        self._text_left -= len(text)
        if name != self._name:
            self.flush()
        self._name, self._waiting = name, self._waiting + kept + CUT * (self._text_left <= 0)
        if len(self._waiting) > _BATCH or (text.endswith("\n") and time.monotonic() > self._flushed + _PAUSE):
            self.flush()

    def flush(self) -> None:
        """Hand on the text that was kept waiting."""
        text, self._waiting = self._waiting, ""
        if text:
            self._flushed = time.monotonic()
            self._pass({"output_type": "stream", "name": self._name, "text": text})

    def show(self, output: Output) -> None:
        """A picture, a result or an error."""
        self.flush()
        self._pass(output)

    def _pass(self, output: Output) -> None:
        self._total_left -= len(json.dumps(output))
        if self._total_left > 0:
            self.hand_on(output)


class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, recorder: Recorder, name: str) -> None:
        self._recorder, self.name = recorder, name

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes a str, not {type(text).__name__}")
        self._recorder.stream(self.name, str(text))
        return len(text)

    def writable(self) -> bool:
        return True


class _Hook(DisplayHook):
    """What the last line of a cell gives."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        result = {"output_type": "execute_result", "execution_count": self.prompt_count}
        self.shell.recorder.show(  # type: ignore[union-attr]
            result | _bundle(format_dict, md_dict)
        )

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    """What ``display`` shows."""

    def publish(self, data: dict[str, Any], metadata: dict[str, Any] | None = None, *_: Any, **__: Any) -> None:
        self.shell.recorder.show({"output_type": "display_data"} | _bundle(data, metadata))

    def clear_output(self, wait: bool = False) -> None:
        pass


class RecordingShell(InteractiveShell):
    """IPython's shell, its outputs recorded, with nothing kept on disk."""

    def __init__(self, recorder: Recorder, **kwargs: Any) -> None:
        self.recorder = recorder
        config = Config({"HistoryManager": {"enabled": False}})  # it would want a file, and a thread, lost in a fork
        super().__init__(  # type: ignore[no-untyped-call]
            config=config, displayhook_class=_Hook, display_pub_class=_Publisher, **kwargs
        )
        self.system = self.system_piped  # type: ignore[method-assign]
        self.stdout, self.stderr = _Stream(recorder, "stdout"), _Stream(recorder, "stderr")

    def enable_gui(self, gui: Any = None) -> None:
        """There is no window to draw in."""

    def enable_matplotlib(self, gui: Any = None) -> Any:
        """Draw in the notebook, whatever a cell asks for: what the student's machine has need not be here."""
        return super().enable_matplotlib("inline")  # type: ignore[no-untyped-call]

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        error = {"output_type": "error", "ename": str(getattr(etype, "__name__", etype)), "evalue": _said(evalue)}
        self.recorder.show(error | {"traceback": [str(line) for line in stb]})


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001  a student's __str__
        return ""


def _bundle(data: dict[str, Any], metadata: dict[str, Any] | None) -> dict[str, Any]:
    """Data and metadata as JSON holds them."""
    texts = {
        kind: base64.b64encode(value).decode() if isinstance(value, bytes) else value for kind, value in data.items()
    }
    return {"data": texts, "metadata": json.loads(json.dumps(metadata or {}, default=repr))}
