"""Backup file: a ZIP archive with metadata and the database.

The database is in the format of its own tools, so it can be used without Consumo: `unzip` and then `sqlite3` or
`pg_restore`. The checksums of the archive reveal damaged and truncated files.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, func, inspect, select, table

from adapters.files.whole_files import write_file
from adapters.sql.backups.encryption import decrypt, encrypt_into, is_encrypted
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.engine.columns import metadata

_ABOUT = "about.json"
# Of a name and a number for each table.
_MAX_ABOUT_BYTES = 100_000
NOT_WHAT_IT_SAYS = "The backup does not hold what it says it holds."


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Metadata of a backup.

    ``rows`` is the number of rows per table; ``tool`` the program that wrote the database.
    """

    made_at: Annotated[str, Meta(pattern=r"^[0-9T:.+-]{10,32}$")]
    database: Literal["sqlite", "postgresql"]
    revision: Annotated[str, Meta(pattern=r"^\w{1,32}$")]
    rows: dict[str, Annotated[int, Meta(ge=0)]]
    tool: Annotated[str, Meta(pattern=r"^(SQLite [0-9.]{1,20}|pg_dump [0-9]{1,4})$")]
    schema: Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]{0,63}$")] = ""
    extensions: tuple[str, ...] = ()


@contextmanager
def written(file: Path, *, replace: bool, encrypt_to: str | None = None) -> Iterator[ZipFile]:
    """Yield a ZIP archive to fill.

    The file gets its name once it is complete and on disk; never after a failure. With ``encrypt_to`` it is encrypted
    to that key while it is written.
    """
    try:
        with (
            write_file(file, replace=replace) as out,
            encrypt_into(out, encrypt_to) if encrypt_to else nullcontext(out) as content,
            ZipFile(content, "w") as archive,
        ):
            yield archive
    except FileExistsError as error:
        raise BackupProblem(
            f"{file} exists: give another name, or --replace to overwrite it. “consumo check-backup” checks a backup."
        ) from error
    except (OSError, sqlite3.OperationalError) as error:
        raise BackupProblem(f"{file} cannot be written: {getattr(error, 'strerror', error)}.") from error


@contextmanager
def open_backup(file: Path) -> Iterator[tuple[ZipFile, About]]:
    """Open a backup, decrypted if it is encrypted.

    Raise ``BackupProblem`` if it is invalid or damaged.
    """
    try:
        with decrypt(file) if is_encrypted(file) else nullcontext(file) as content, ZipFile(content) as archive:
            yield archive, _read_about(archive)
    except (BadZipFile, zlib.error, KeyError, EOFError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BackupProblem(f"{file} is no backup of Consumo, or no longer whole.") from error
    except OSError as error:
        raise BackupProblem(f"{error.filename or file}: {error.strerror}.") from error


def _read_about(archive: ZipFile) -> About:
    """Read the metadata of a file that may have been altered."""
    for member in archive.infolist():
        # Python reads other methods without a bound, and these are the ones that backups use.
        if member.flag_bits & 1 or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadZipFile
    if archive.getinfo(_ABOUT).file_size > _MAX_ABOUT_BYTES:
        raise BadZipFile
    about = msgspec.json.decode(archive.read(_ABOUT), type=About)
    if not set(about.rows) <= set(metadata.tables) or not set(about.extensions) <= {"pg_trgm"}:
        raise BadZipFile
    return about


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
