"""SQLite backups: a copy of the file by one read transaction.

A restore copies its rows.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import URL, NullPool, create_engine

from adapters.files.whole_files import sync_folder, temporary_folder
from adapters.sql.analytics import VIEWS
from adapters.sql.backups.archive import NOT_WHAT_IT_SAYS, About, rows_of, write_about
from adapters.sql.backups.litestream import OWN_TABLES
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.engine.columns import metadata
from adapters.sql.migrate import migrate, revision_of

_DATABASE = "database.sqlite"
_PAGES_AT_A_TIME = 1_000
_MEBIBYTE = 2**20


def back_up(url: URL, archive: ZipFile, at: datetime, *, beside: Path) -> About:
    """Copy the database into the archive, through a temporary copy.

    The copy is on the disk of ``beside``.
    """
    original = path_of(url)
    if not original.exists():
        raise BackupProblem(f"{original}: there is no database to back up.")
    with temporary_folder(beside.parent) as folder:
        copy = folder / _DATABASE
        _copy(original, copy)
        about = _verify(copy, at.isoformat(timespec="seconds"))
        write_about(archive, about)
        member = ZipInfo(_DATABASE, at.timetuple()[:6])
        member.compress_type = ZIP_DEFLATED
        with copy.open("rb") as source, archive.open(member, "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target, _MEBIBYTE)
    return about


def restore(url: URL, archive: ZipFile, about: About, *, replace: bool, on_skipped: Callable[[str], None]) -> None:
    """Replace the database by a new file with the rows of the archive.

    The file gets the database's name once it is verified and on disk.
    """
    target = path_of(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _exclusive(target, replace=replace):
        pass
    with temporary_folder(target.parent) as folder:
        given, new = folder / "given", folder / "new"
        new.touch(0o600)
        with archive.open(_DATABASE) as source, given.open("wb") as out:
            shutil.copyfileobj(source, out, _MEBIBYTE)
        migrate(f"sqlite:///{new}", revision=about.revision)
        _copy_rows(given, new, about, on_skipped)
        if _verify(new, about.made_at).rows != about.rows:
            raise BackupProblem(NOT_WHAT_IT_SAYS)
        migrate(f"sqlite:///{new}")
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        with _exclusive(target, replace=replace):
            if target.exists():
                shutil.copymode(target, new)
                _keep_owner(target, new)
            new.replace(target)
        sync_folder(target.parent)


def _copy_rows(given: Path, new: Path, about: About, on_skipped: Callable[[str], None]) -> None:
    """Copy the rows of an untrusted file into tables made by our migrations."""
    try:
        with closing(_open_untrusted(given)) as source, closing(sqlite3.connect(new)) as ours:
            made_by_us = _schema(ours)
            for (kind, name), made_by in _schema(source).items():
                if (kind == "view" and name in VIEWS) or name in OWN_TABLES:
                    # The last migration makes our views, and Litestream its tables.
                    continue
                if (kind, name) not in made_by_us or (kind == "trigger" and made_by != made_by_us[kind, name]):
                    on_skipped(f"{kind} {name!r}")
            if _rows_of(source, ours, "alembic_version").fetchall() != [(about.revision,)]:
                raise BackupProblem(NOT_WHAT_IT_SAYS)
            # The whole file is synced to disk before it gets its name.
            ours.execute("PRAGMA synchronous = OFF")
            for name in sorted(name for kind, name in made_by_us if kind == "table" and name in metadata.tables):
                rows = _rows_of(source, ours, name)
                columns = [column for column, *_ in rows.description]
                names, values = ", ".join(f'"{column}"' for column in columns), ", ".join("?" * len(columns))
                ours.execute(f'DELETE FROM "{name}"')  # noqa: S608
                ours.executemany(f'INSERT INTO "{name}" ({names}) VALUES ({values})', rows)  # noqa: S608
            for name, last_id in source.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
                if ("table", name) in made_by_us and name in metadata.tables and isinstance(last_id, int):
                    ours.execute("DELETE FROM sqlite_sequence WHERE name = ?", [name])
                    ours.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", [name, last_id])
            ours.commit()
    except sqlite3.Error as error:
        raise BackupProblem(f"The backup holds what cannot be restored: {error}.") from error


def _open_untrusted(file: Path) -> sqlite3.Connection:
    """Open a file read-only and safely.

    Triggers never run, and views and indexes cannot call functions.
    """
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    for setting in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _schema(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return the statement of each schema object, without SQLite's own ones."""
    made = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    return {(kind, name): statement for kind, name, statement in made}


def _rows_of(source: sqlite3.Connection, ours: sqlite3.Connection, name: str) -> sqlite3.Cursor:
    """Return the rows of a table.

    Raise ``BackupProblem`` if it is no table, or has other columns than ours.
    """
    # Views and virtual tables have no root page. Some hidden columns are generated.
    of_source, of_ours = ({column[1]: column[6] for column in _columns(one, name)} for one in (source, ours))
    is_table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0"
    if not source.execute(is_table, [name]).fetchone() or of_source != of_ours:
        raise BackupProblem(f"The backup's table {name} is not as Consumo makes it.")
    names = ", ".join(f'"{column}"' for column in of_ours)
    return source.execute(f'SELECT {names} FROM "{name}" NOT INDEXED')  # noqa: S608


def _columns(connection: sqlite3.Connection, name: str) -> list[tuple[Any, ...]]:
    return connection.execute(f'PRAGMA table_xinfo("{name}")').fetchall()


def _copy(original: Path, copy: Path) -> None:
    """Copy the current state of the database while others write.

    Writers are not blocked. Within one read transaction the copy does not have to restart after a write.
    """
    with (
        closing(sqlite3.connect(f"{original.resolve().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.isolation_level = None
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master")
        source.backup(target, pages=_PAGES_AT_A_TIME, sleep=0)
        # A single file, without a log beside it.
        target.execute("PRAGMA journal_mode = DELETE")


def _verify(file: Path, made_at: str) -> About:
    """Verify the file and return its metadata."""
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    try:
        with engine.connect() as connection:
            whole = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            revision = revision_of(connection)
            if whole != ["ok"] or broken:
                raise BackupProblem(
                    f"The database is damaged: {whole[0] if whole != ['ok'] else 'references are broken'}."
                )
            if revision is None:
                raise BackupProblem("There are no tables of Consumo in it.")
            return About(
                made_at=made_at,
                database="sqlite",
                revision=revision,
                rows=rows_of(connection),
                tool=f"SQLite {sqlite3.sqlite_version}",
            )
    finally:
        engine.dispose()


@contextmanager
def _exclusive(target: Path, *, replace: bool) -> Iterator[None]:
    """Lock the database exclusively.

    Raise ``BackupProblem`` if it is in use, or has data that must be kept.
    """
    try:
        with closing(sqlite3.connect(target, timeout=1, isolation_level=None)) as connection:
            # Only the sole connection may leave WAL mode; this also writes the log into the file.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            if not replace and _holds_data(connection):
                raise BackupProblem(f"{target} holds data: give --replace to overwrite them.")
            yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BackupProblem(f"{target} cannot be used: {error}.") from error
        raise BackupProblem(f"{target} is in use: stop the server (and imports) first.") from None
    except sqlite3.DatabaseError as error:
        if not replace:
            raise BackupProblem(f"{target} is damaged ({error}): give --replace to overwrite it.") from None
        for beside in ("-wal", "-shm", "-journal"):
            target.with_name(target.name + beside).unlink(missing_ok=True)
        yield


def _holds_data(connection: sqlite3.Connection) -> bool:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    # The migrations fill two.
    filled = ("alembic_version", "installation", *OWN_TABLES)
    own = [name for name in tables if not name.startswith(("sqlite_", "products_words")) and name not in filled]
    return any(connection.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone() for name in own)  # noqa: S608


def _keep_owner(old: Path, new: Path) -> None:
    status = old.stat()
    if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        os.chown(new, status.st_uid, status.st_gid)


def path_of(url: URL) -> Path:
    if not url.database or url.database == ":memory:":
        raise BackupProblem("A database in memory can be neither backed up nor restored.")
    return Path(url.database)
