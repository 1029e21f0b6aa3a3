"""Archives that mean harm, and archives that only look odd."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.grading.lms.archive import MOST_FILES, ArchiveError, read_archive, read_folder

from .course import archive


def entry(name: str, *, link: bool = False) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (0o120777 if link else 0o100644) << 16
    return info


def nested() -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as opened:
        opened.writestr("a.ipynb", b"{}")
    return inner.getvalue()


REFUSED: list[tuple[zipfile.ZipInfo, bytes, str]] = [
    (entry("../outside.ipynb"), b"{}", "leads out"),
    (entry("ada/../../outside.ipynb"), b"{}", "leads out"),
    (entry("学" * 90 + ".ipynb"), b"{}", "no file can have this name"),  # of 276 bytes
    (entry("/etc/passwd"), b"x", "leads out"),
    (entry("C:/Users/x.ipynb"), b"x", "leads out"),
    (entry("c:x.ipynb"), b"x", "leads out"),
    (entry("..\\..\\x.ipynb"), b"x", "leads out"),
    (entry("\\\\server\\x.ipynb"), b"x", "leads out"),
    (entry("ada/link.ipynb", link=True), b"/etc/passwd", "a link"),
    (entry("ada/work.zip"), nested(), "an archive within"),
    (entry("ada/work.TAR.gz"), b"x", "an archive within"),
    (entry("ada/" + "x" * 300 + ".ipynb"), b"{}", "no file can have this name"),
    (entry("ada/a\x1b[2Jb.ipynb"), b"{}", "no file can have this name"),
    (entry("GOOD/a.ipynb"), b"{}", "but for capitals"),
    (entry("big/a.ipynb"), b"\0" * (11 * 2**20), "it swells"),
]


@pytest.mark.parametrize(("info", "data", "why"), REFUSED, ids=[repr(case[0].filename)[:30] for case in REFUSED])
def test_what_is_not_taken_is_named_and_the_rest_is(
    tmp_path: Path, info: zipfile.ZipInfo, data: bytes, why: str
) -> None:
    padding = bytes(range(256)) * 4000  # so that the archive as a whole is not a bomb
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as opened:
        opened.writestr("good/a.ipynb", b"{}")
        opened.writestr("good/padding.bin", padding)
        opened.writestr(info, data, zipfile.ZIP_DEFLATED)
    refused = list[str]()
    taken = [str(member.path) for member in read_archive(tmp_path / "a.zip", refused)]
    assert taken == ["good/a.ipynb", "good/padding.bin"]
    assert len(refused) == 1
    assert why in refused[0]
    assert refused[0].isprintable()


def a_bomb(path: Path) -> None:
    archive(path, {f"s{number}/a.ipynb": b"\0" * 2**20 for number in range(60)})


def many(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as opened:
        for number in range(MOST_FILES + 1):
            opened.writestr(f"{number}.ipynb", b"")


def no_zip(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 not really")


def cut_off(path: Path) -> None:
    archive(path, {"a.ipynb": b"{}" * 1000})
    path.write_bytes(path.read_bytes()[:-30])


@pytest.mark.parametrize("make", [a_bomb, many, no_zip, cut_off])
def test_what_cannot_be_a_class_is_refused_whole(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a.zip")
    with pytest.raises(ArchiveError, match="a.zip"):
        list(read_archive(tmp_path / "a.zip", []))


def test_a_size_that_lies_is_seen(tmp_path: Path) -> None:
    archive(tmp_path / "a.zip", {"a.ipynb": bytes(range(256)) * 100})
    data = (tmp_path / "a.zip").read_bytes().replace((25600).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    (tmp_path / "a.zip").write_bytes(data)
    refused = list[str]()
    assert list(read_archive(tmp_path / "a.zip", refused)) == []
    assert "damaged" in refused[0]


def test_names_written_in_utf8_without_saying_so(tmp_path: Path) -> None:
    archive(tmp_path / "a.zip", {"Jos?/a.ipynb": b"{}"})
    data = (tmp_path / "a.zip").read_bytes().replace(b"Jos?/a.ipynb", "José/.ipynb".encode())
    (tmp_path / "a.zip").write_bytes(data)
    assert [str(member.path) for member in read_archive(tmp_path / "a.zip", [])] == ["José/.ipynb"]


def test_what_systems_leave_behind_is_not_worth_a_word(tmp_path: Path) -> None:
    litter = {"__MACOSX/._a.ipynb": b"x", "ada/.DS_Store": b"x", "ada/._a.ipynb": b"x", "ada/a.ipynb": b"{}"}
    refused = list[str]()
    assert [str(each.path) for each in read_archive(archive(tmp_path / "a.zip", litter), refused)] == ["ada/a.ipynb"]
    assert refused == []


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "class/ada").mkdir(parents=True)
    (tmp_path / "secret").write_text("x")
    (tmp_path / "class/ada/a.ipynb").symlink_to(tmp_path / "secret")
    (tmp_path / "class/eva").symlink_to(tmp_path)
    refused = list[str]()
    assert list(read_folder(tmp_path / "class", refused)) == []
    assert len(refused) == 2
