"""Backup file: a ZIP archive with metadata and the database.

The database is in the format of its own tools, so it can be used without Consumo: `unzip` and then `sqlite3` or
`pg_restore`. The checksums of the archive reveal damaged and truncated files.
"""

import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import msgspec
from sqlalchemy import Connection, func, inspect, select, table

from adapters.sql.backups.encryption import decrypt, encrypt_into, is_encrypted
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.tables import metadata

_ABOUT = "about.json"
NOT_WHAT_IT_SAYS = "The backup does not hold what it says it holds."


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Metadata of a backup.

    ``rows`` is the number of rows per table; ``tool`` the program that wrote the database.
    """

    made_at: str
    database: str
    revision: str
    rows: dict[str, int]
    tool: str
    schema: str = ""
    extensions: tuple[str, ...] = ()


@contextmanager
def written(file: Path, *, encrypt_to: str | None = None) -> Iterator[ZipFile]:
    """Yield a ZIP archive to fill, created atomically.

    The file gets its name once it is complete and on disk; never after a failure. With ``encrypt_to`` it is encrypted
    to that key while it is written.
    """
    try:
        with _write(file, encrypt_to) as archive:
            yield archive
    except (OSError, sqlite3.OperationalError) as error:
        raise BackupProblem(f"{file} cannot be written: {getattr(error, 'strerror', error)}.") from error


@contextmanager
def _write(file: Path, encrypt_to: str | None) -> Iterator[ZipFile]:
    folder = file.resolve().parent
    if file.is_dir() or not folder.is_dir():
        raise BackupProblem(f"{file}: give the name of a file in a folder that exists.")
    # Only the owner may read it: it has patient data.
    descriptor, partial = tempfile.mkstemp(dir=folder, prefix=f".{file.name}.", suffix=".partial")
    try:
        with os.fdopen(descriptor, "w+b") as out:
            with (
                encrypt_into(out, encrypt_to) if encrypt_to else nullcontext(out) as content,
                ZipFile(content, "w") as archive,
            ):
                yield archive
            out.flush()
            os.fsync(out.fileno())
        Path(partial).replace(file)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    keep_names(folder)


@contextmanager
def open_backup(file: Path) -> Iterator[tuple[ZipFile, About]]:
    """Open a backup, decrypted if it is encrypted.

    Raise ``BackupProblem`` if it is invalid or damaged.
    """
    try:
        with decrypt(file) if is_encrypted(file) else nullcontext(file) as content, ZipFile(content) as archive:
            about = msgspec.json.decode(archive.read(_ABOUT), type=About)
            if not set(about.rows) <= set(metadata.tables) or not set(about.extensions) <= {"pg_trgm"}:
                raise KeyError
            yield archive, about
    except (BadZipFile, zlib.error, KeyError, EOFError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BackupProblem(f"{file} is no backup of Consumo, or no longer whole.") from error
    except OSError as error:
        raise BackupProblem(f"{error.filename or file}: {error.strerror}.") from error


def write_about(archive: ZipFile, about: About) -> None:
    """Write the metadata to the archive."""
    archive.writestr(_ABOUT, msgspec.json.format(msgspec.json.encode(about)))


def rows_of(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each of our tables that exists."""
    existing = set(inspect(connection).get_table_names())
    return {
        name: connection.execute(select(func.count()).select_from(table(name))).scalar_one()
        for name in sorted(existing & set(metadata.tables))
    }


def keep_names(folder: Path) -> None:
    """Sync the directory, so that the names of its files are on disk."""
    # Some systems do not allow a directory to be opened.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
