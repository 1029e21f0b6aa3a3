"""`site/` holds what was built last, no more and no less."""

from __future__ import annotations

from pathlib import Path

from coursekit.site.assemble import mirror


def tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_new_changed_and_lost_files(tmp_path: Path) -> None:
    source = write(tmp_path / "a", {"same": "1", "changed": "new", "deep/new": "3"})
    target = write(tmp_path / "b", {"same": "1", "changed": "old", "lost": "x", "gone/deep": "y"})
    before = (target / "same").stat().st_mtime_ns
    mirror(source, target, Path.read_bytes)
    assert tree(target) == tree(source)
    assert not (target / "gone").exists()
    assert (target / "same").stat().st_mtime_ns == before


def test_sphinx_s_own_records_stay_behind(tmp_path: Path) -> None:
    source = write(tmp_path / "a", {"page.html": "", "objects.inv": "", ".buildinfo": "", "reports/x.log": ""})
    mirror(source, tmp_path / "b", Path.read_bytes)
    assert tree(tmp_path / "b") == {"page.html": ""}
