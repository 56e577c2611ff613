"""Files on disk: complete or absent, never over another file, and without leftovers."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.files.whole_files import temporary_folder, write_file

_ROOT = Path(__file__).resolve().parents[2]
# Writes until it is killed. The line on its standard output says that it began.
_KILLED = """
import os, signal, subprocess, sys
from pathlib import Path
from adapters.files.whole_files import temporary_folder, write_file
with {opened} as made:
    {fill}
    os.kill(os.getpid(), signal.SIGKILL)
"""
_FILE = {"opened": "write_file(Path(sys.argv[1]), replace=True)", "fill": 'made.write(b"half")'}
_FOLDER = {"opened": "temporary_folder(Path(sys.argv[1]).parent)", "fill": '(made / "copy.db").write_bytes(b"half")'}


def _write(file: Path, content: bytes, *, replace: bool = False) -> None:
    with write_file(file, replace=replace) as out:
        out.write(content)


def test_file_is_private_and_alone_in_its_folder(tmp_path: Path) -> None:
    os.umask(os.umask(0) & 0o022)
    file = tmp_path / ("a" * 255)
    _write(file, b"whole")
    assert file.read_bytes() == b"whole"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [*tmp_path.iterdir()] == [file]


def test_existing_file_is_kept_without_replace(tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    _write(file, b"old")
    with pytest.raises(FileExistsError):
        _write(file, b"new")
    assert file.read_bytes() == b"old"
    _write(file, b"new", replace=True)
    assert file.read_bytes() == b"new"


def _replace_by_a_file(file: Path) -> None:
    file.write_bytes(b"other")


def _replace_by_a_link_to_nothing(file: Path) -> None:
    file.symlink_to(file.parent / "nothing")


@pytest.mark.parametrize("has_links", [True, False])
@pytest.mark.parametrize("appear", [_replace_by_a_file, _replace_by_a_link_to_nothing])
def test_name_that_is_taken_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, appear: Callable[[Path], None], has_links: bool
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", _without_links)
    file = tmp_path / "x.backup"
    writing = write_file(file, replace=False)
    writing.__enter__().write(b"new")
    appear(file)
    found = file.lstat()
    with pytest.raises(FileExistsError):
        writing.__exit__(None, None, None)
    assert file.lstat() == found
    assert [*tmp_path.iterdir()] == [file]


def _without_links(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_file_system_without_links_takes_new_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", _without_links)
    _write(tmp_path / "x", b"whole")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("x", b"whole")]


def test_link_is_replaced_itself(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"kept")
    link.symlink_to(target)
    _write(link, b"new", replace=True)
    assert target.read_bytes() == b"kept"
    assert not link.is_symlink()


@pytest.mark.parametrize("name", ["folder", "pipe", "to-device"])
def test_only_files_are_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-device").symlink_to("/dev/null")
    found = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match=r"Is a directory|It is no file"):
        _write(tmp_path / name, b"", replace=True)
    assert sorted(tmp_path.iterdir()) == found
    assert (tmp_path / "to-device").is_symlink()


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "x"
    _write(file, b"old")
    with suppress(ZeroDivisionError), write_file(file, replace=True) as out:
        out.write(b"half")
        raise ZeroDivisionError
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("x", b"old")]


@pytest.mark.parametrize("opened", [_FILE, _FOLDER])
def test_next_writer_removes_leftovers(tmp_path: Path, opened: dict[str, str]) -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED.format(**opened), tmp_path / "first"], cwd=_ROOT)
    assert killed.returncode == -signal.SIGKILL
    assert len([*tmp_path.iterdir()]) == 1
    _write(tmp_path / "second", b"whole")
    assert [one.name for one in tmp_path.iterdir()] == ["second"]


def test_writers_in_one_folder_leave_each_other_alone(tmp_path: Path) -> None:
    with write_file(tmp_path / "first", replace=False) as first, temporary_folder(tmp_path) as folder:
        (folder / "copy.db").write_bytes(b"copy")
        first.write(b"first")
        _write(tmp_path / "second", b"second")
        assert (folder / "copy.db").read_bytes() == b"copy"
    assert sorted((one.name, one.read_bytes()) for one in tmp_path.iterdir()) == [
        ("first", b"first"),
        ("second", b"second"),
    ]


def test_temporary_folder_is_private(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
    assert [*tmp_path.iterdir()] == []


def test_leftovers_are_no_links_to_elsewhere(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "folder"
    for one in (elsewhere, folder):
        one.mkdir()
    (elsewhere / "kept").write_bytes(b"kept")
    (folder / ".consumo-1.partial").symlink_to(elsewhere)
    (folder / ".consumo-2.partial").symlink_to(elsewhere / "kept")
    os.mkfifo(folder / ".consumo-3.partial")
    _write(folder / "x", b"whole")
    assert (elsewhere / "kept").read_bytes() == b"kept"
