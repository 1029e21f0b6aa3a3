"""What is slow is asked once, within a build and from build to build; a build that warned is forgotten."""

import json
from pathlib import Path
from typing import Any

from coursekit.site.build import build
from coursekit.site.memory import FILE, Memory


def answers(memory: Memory, asked: list[str]) -> list[str]:
    """The stems of three words, one of them twice."""

    def stem(word: str) -> str:
        asked.append(word)
        return word[:6]

    remembering = memory.of(stem)
    return [remembering(word) for word in ("samplers", "sampling", "samplers")]


def test_each_question_is_asked_once_whatever_build_asks(tmp_path: Path) -> None:
    asked: list[str] = []
    for _ in range(3):
        memory = Memory(tmp_path / FILE)
        assert answers(memory, asked) == ["sample", "sampli", "sample"]
        memory.keep()
    assert asked == ["samplers", "sampling"]


def test_functions_and_options_are_told_apart_and_a_place_is_none() -> None:
    memory = Memory(Path("no-such-file"))

    def first(*_: Any, **__: Any) -> str:
        return "first"

    def second(_word: str, *, lines: bool, location: str) -> str:
        return f"{lines} {location}"

    remembering = memory.of(second)
    assert memory.of(first)("word", lines=True) == "first"
    assert remembering("word", lines=True, location="page 1") == "True page 1"
    assert remembering("word", lines=False, location="page 2") == "False page 2"
    assert remembering("word", lines=True, location="page 3") == "True page 1"


def test_what_nobody_asks_for_any_more_is_dropped(tmp_path: Path) -> None:
    memory = Memory(tmp_path / FILE)
    answers(memory, [])
    memory.keep()
    memory = Memory(tmp_path / FILE)
    memory.keep()
    assert json.loads((tmp_path / FILE).read_text()) == {}


def test_a_torn_file_is_no_memory(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"a": ')
    assert Memory(tmp_path / FILE).known == {}


def test_code_that_cannot_be_coloured_fails_every_build_and_what_was_coloured_stays(tree) -> None:
    def heard() -> tuple[bool, str]:
        said: list[str] = []
        return build(tree.finish().root, ["en"], said.append), "\n".join(said)

    def page(code: str) -> None:
        tree.page("code", f"(sec-code)=\n# Code\n\n```python\n{code}\n```\n")

    page("a = 1")
    assert heard()[0]
    (file,) = tree.layout.cache("en").glob(f"*/{FILE}")
    known = json.loads(file.read_text("utf-8"))
    assert any("highlight_block" in key and "a = 1" in key for key in known)
    assert any("'stem'" in key for key in known)
    page("a = ´1´")
    for _ in range(2):
        good, said = heard()
        assert not good
        assert "code.md" in said
    page("a = 1")
    file.write_text(file.read_text("utf-8").replace(">1<", ">remembered<"), "utf-8")
    assert heard()[0]
    assert ">remembered<" in (tree.layout.site / "en/code.html").read_text("utf-8")
