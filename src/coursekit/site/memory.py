"""Ask once for what is slow and always the same, whatever page or build asks: coloured code, and the stems of words.

The answers lie beside the outputs of the cells, and go with them when the pinned packages change. A build that warned
leaves none behind, so that the next one warns again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from docutils import nodes
    from sphinx.application import Sphinx

FILE = "answers.json"


class Memory:
    """The answers of the last build, from a file, and those that this build has asked for."""

    def __init__(self, file: Path) -> None:
        self.file, self.asked = file, dict[str, str]()
        try:
            self.known: dict[str, str] = json.loads(file.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            self.known = {}

    def of(self, call: Callable[..., str]) -> Callable[..., str]:
        """The same function, which remembers; the answer must not depend on a ``location``."""

        def answer(*asked: Any, **options: Any) -> str:
            name = call.__name__, asked, sorted(option for option in options.items() if option[0] != "location")
            key = repr(name)
            if key not in self.asked:
                self.asked[key] = self.known[key] if key in self.known else call(*asked, **options)
            return self.asked[key]

        return answer

    def keep(self) -> None:
        """Write down what this build has asked for, and nothing else."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.asked, ensure_ascii=False), "utf-8")
        new.replace(self.file)


class _Remembering:
    """A build that remembers."""

    memory: Memory | None = None

    def start(self, app: Sphinx, _doctree: nodes.document, _page: str) -> None:
        """Connect to the highlighter and the stemmer, which are there when the first page is resolved."""
        if self.memory is None and hasattr(app.builder, "indexer"):
            self.memory = Memory(Path(app.config.nb_execution_cache_path) / FILE)
            builder: Any = app.builder
            builder.highlighter.highlight_block = self.memory.of(builder.highlighter.highlight_block)
            builder.indexer.lang.stem = self.memory.of(builder.indexer.lang.stem)

    def end(self, app: Sphinx, problem: Exception | None) -> None:
        """Keep the answers of a good build."""
        if self.memory and not problem and not app._warncount:
            self.memory.keep()


def setup(app: Sphinx) -> None:
    """Remember from the first page that is resolved to the end."""
    build = _Remembering()
    app.connect("doctree-resolved", build.start)
    app.connect("build-finished", build.end)
