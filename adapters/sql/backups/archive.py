"""The file of a backup: a zip with a page about it, and the database as its own tools write it.

The zip's checksums find a file that was damaged or cut off. What is in it can be used without Consumo: `unzip` and then
`sqlite3` or `pg_restore`.
"""

import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import msgspec
from sqlalchemy import Connection, func, inspect, select, table

from adapters.sql.tables import metadata

_ABOUT = "about.json"
NOT_WHAT_IT_SAYS = "The backup does not hold what it says it holds."


class BackupProblem(Exception):
    """What cannot be backed up or restored; says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is in a backup. ``rows`` tells how many are in each table; ``tool`` what wrote the database's part."""

    made_at: str
    database: str
    revision: str
    rows: dict[str, int]
    tool: str
    schema: str = ""
    extensions: tuple[str, ...] = ()


@contextmanager
def written(file: Path) -> Iterator[ZipFile]:
    """A zip to fill. It has that name once it is whole and on the disk; before, and after a failure, it has not."""
    try:
        with _written(file) as archive:
            yield archive
    except (OSError, sqlite3.OperationalError) as error:
        raise BackupProblem(f"{file} cannot be written: {getattr(error, 'strerror', error)}.") from error


@contextmanager
def _written(file: Path) -> Iterator[ZipFile]:
    folder = file.resolve().parent
    if file.is_dir() or not folder.is_dir():
        raise BackupProblem(f"{file}: give the name of a file in a folder that exists.")
    # Only for whoever makes it: it holds the data of patients.
    descriptor, partial = tempfile.mkstemp(dir=folder, prefix=f".{file.name}.", suffix=".partial")
    try:
        with os.fdopen(descriptor, "w+b") as out:
            with ZipFile(out, "w") as archive:
                yield archive
            out.flush()
            os.fsync(out.fileno())
        Path(partial).replace(file)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    keep_names(folder)


@contextmanager
def opened(file: Path) -> Iterator[tuple[ZipFile, About]]:
    """A backup to read, and what is in it. Raise ``BackupProblem`` for what is none, or no longer whole."""
    try:
        with ZipFile(file) as archive:
            about = msgspec.json.decode(archive.read(_ABOUT), type=About)
            if not set(about.rows) <= set(metadata.tables) or not set(about.extensions) <= {"pg_trgm"}:
                raise KeyError
            yield archive, about
    except (BadZipFile, zlib.error, KeyError, EOFError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BackupProblem(f"{file} is no backup of Consumo, or no longer whole.") from error
    except OSError as error:
        raise BackupProblem(f"{error.filename or file}: {error.strerror}.") from error


def write_about(archive: ZipFile, about: About) -> None:
    """Put the page about it into the zip."""
    archive.writestr(_ABOUT, msgspec.json.format(msgspec.json.encode(about)))


def rows_of(connection: Connection) -> dict[str, int]:
    """How many rows are in each of our tables that are there."""
    there = set(inspect(connection).get_table_names())
    return {
        name: connection.execute(select(func.count()).select_from(table(name))).scalar_one()
        for name in sorted(there & set(metadata.tables))
    }


def keep_names(folder: Path) -> None:
    """Wait until the names of the files in that folder are on the disk."""
    # Not every system lets a folder be opened.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
