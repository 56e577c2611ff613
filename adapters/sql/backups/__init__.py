"""Backup and restore: a consistent snapshot in one file.

Backups are made while the server runs. A restore is complete or changes nothing.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from adapters.sql.backups import on_postgresql, on_sqlite
from adapters.sql.backups.archive import About, BackupProblem, open_backup, written
from adapters.sql.engine.connections import is_sqlite, to_url
from adapters.sql.migrate import SchemaState, schema_state_at

__all__ = ["About", "BackupProblem", "back_up", "restore"]


def back_up(database_url: str, file: Path, at: datetime) -> About:
    """Write a snapshot of the database to ``file``, atomically."""
    url = to_url(database_url)
    with written(file) as archive:
        if is_sqlite(url):
            return on_sqlite.back_up(url, archive, at, beside=file)
        return on_postgresql.back_up(url, archive, at)


def restore(
    database_url: str, file: Path, *, replace: bool, on_skipped: Callable[[str], None] = lambda _: None
) -> About:
    """Replace the rows of the database by those of a backup file.

    The tables have the newest schema. They, their indexes and triggers are made only by our migrations: a backup may
    have been altered, so its own objects are skipped and reported to ``on_skipped``. A failed restore changes nothing.
    Existing data are replaced only with ``replace``.
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
            on_postgresql.restore(url, archive, about, replace=replace, on_skipped=on_skipped)
    return about
