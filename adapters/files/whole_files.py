"""Files and folders on this machine's disk, written completely or not at all.

Other programs may write into the same folders: links are not followed, and a file that exists is replaced only on
request. What is being written is locked, so that the next writer can tell it from a leftover of a killed process.
"""

import errno
import fcntl
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_PREFIX, _SUFFIX = ".consumo-", ".partial"


@contextmanager
def write_file(file: Path, *, replace: bool, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """Yield a new file that gets its name once it is complete and on disk.

    Only its owner can read it, unless ``mode`` says otherwise. Nothing is left behind after a failure. Raise
    ``OSError``, ``FileExistsError`` if the name is taken and must not be replaced.
    """
    folder = file.parent.resolve()
    target = folder / file.name
    raise_if_unwritable(file, replace=replace)
    remove_leftovers(folder)
    while True:
        partial = _partial_name(folder)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(partial, flags, 0o600), "w+b") as out:
            if not _claim(out.fileno(), partial):
                continue
            try:
                yield out
                out.flush()
                os.fchmod(out.fileno(), mode)
                os.fsync(out.fileno())
                give_name(partial, target, replace=replace)
            finally:
                partial.unlink(missing_ok=True)
        sync_folder(folder)
        return


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder that only its owner can read, deleted at the end."""
    parent = parent.resolve()
    remove_leftovers(parent)
    while True:
        folder = _partial_name(parent)
        folder.mkdir(0o700)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not _claim(descriptor, folder):
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder)
        finally:
            os.close(descriptor)
        return


def raise_if_unwritable(file: Path, *, replace: bool) -> None:
    """Raise ``OSError`` if a file must not get that name."""
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    # Such as /dev/stdout, which a new file would replace for all programs.
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "It is no file", str(file))
    if os.path.lexists(file) and not replace:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left in a folder."""
    for leftover in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            is_folder = stat.S_ISDIR(leftover.lstat().st_mode)
            access = os.O_RDONLY | os.O_DIRECTORY if is_folder else os.O_RDWR
            descriptor = os.open(leftover, access | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                if not _lock(descriptor, leftover):
                    continue
                if is_folder:
                    shutil.rmtree(leftover)
                else:
                    leftover.unlink()
            finally:
                os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of its files are on disk."""
    # Some systems do not allow a folder to be opened.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _partial_name(folder: Path) -> Path:
    return folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"


def _claim(descriptor: int, path: Path) -> bool:
    """Lock what was just created; False if another writer has removed it.

    A file system without locks keeps its leftovers.
    """
    try:
        return _lock(descriptor, path)
    except OSError:
        return True


def _lock(descriptor: int, path: Path) -> bool:
    """Lock a file or folder that has this name, until it is closed.

    Return whether it was free. The kernel ends the lock with the process.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except (BlockingIOError, FileNotFoundError):
        return False


def give_name(partial: Path, target: Path, *, replace: bool) -> None:
    """Give a complete file its name, which must be free unless ``replace``."""
    if replace:
        partial.replace(target)
        return
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: the name is taken first, by an empty file.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        partial.replace(target)
