"""Backup and restore: a consistent snapshot in one file.

Backups are made while the server runs. A restore is complete or changes nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from adapters.sql.backups import on_postgresql, on_sqlite
from adapters.sql.backups.archive import About, open_backup, written
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.backups.scratch import scratch_database
from adapters.sql.engine.connections import is_sqlite, to_url
from adapters.sql.migrate import SchemaState, schema_state_at

__all__ = ["About", "BackupProblem", "back_up", "restore", "restored"]


def back_up(
    database_url: str, file: Path, at: datetime, *, replace: bool = False, encrypt_to: str | None = None
) -> About:
    """Write a snapshot of the database to ``file``, atomically.

    A file that exists is kept, unless it is to be replaced. With ``encrypt_to``, a key or a file with public keys, no
    plain copy of it is written to the file's disk.
    """
    url = to_url(database_url)
    with written(file, replace=replace, encrypt_to=encrypt_to) as archive:
        if is_sqlite(url):
            return on_sqlite.back_up(url, archive, at, beside=on_sqlite.path_of(url) if encrypt_to else file)
        return on_postgresql.back_up(url, archive, at)


@contextmanager
def restored(database_url: str, file: Path) -> Iterator[tuple[str, About]]:
    """Yield the URL of a scratch database with the rows of a backup."""
    with scratch_database(database_url) as url:
        yield url, restore(url, file, replace=False)


def restore(
    database_url: str,
    file: Path,
    *,
    replace: bool,
    as_schema: str | None = None,
    on_skipped: Callable[[str], None] = lambda _: None,
) -> About:
    """Replace the rows of the database by those of a backup file.

    The tables have the newest schema. They, their indexes and triggers are made only by our migrations: a backup may
    have been altered, so its own objects are skipped and reported to ``on_skipped``. A failed restore changes nothing.
    Existing data are replaced only with ``replace``. On PostgreSQL, a backup of another schema is restored only with
    the name of this one, ``as_schema``.
    """
    url = to_url(database_url)
    with open_backup(file) as (archive, about):
        if schema_state_at(about.revision) is SchemaState.AHEAD:
            raise BackupProblem(
                f"{file} was made by a newer version of Consumo (its tables are of revision {about.revision}): "
                "install that version first."
            )
        kind = "sqlite" if is_sqlite(url) else "postgresql"
        if about.database != kind:
            names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
            raise BackupProblem(
                f"{file} was made of a database on {names[about.database]}, "
                f"and CONSUMO_DATABASE_URL names one on {names[kind]}."
            )
        if is_sqlite(url):
            on_sqlite.restore(url, archive, about, replace=replace, on_skipped=on_skipped)
        else:
            on_postgresql.restore(url, archive, about, replace=replace, as_schema=as_schema, on_skipped=on_skipped)
    return about
