"""Backup and restore: one moment in one file, made while others work, and brought back whole or not at all."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from adapters.sql.backups import on_postgresql, on_sqlite
from adapters.sql.backups.archive import About, BackupProblem, opened, written
from adapters.sql.connections import is_sqlite, to_url
from adapters.sql.migrate import SchemaState, schema_state_at

__all__ = ["About", "BackupProblem", "back_up", "restore"]


def back_up(database_url: str, file: Path, at: datetime) -> About:
    """Write the database to that file, as it was when this began. Until it is whole, nothing has that name."""
    url = to_url(database_url)
    with written(file) as archive:
        if is_sqlite(url):
            return on_sqlite.back_up(url, archive, at, beside=file)
        return on_postgresql.back_up(url, archive, at)


def restore(database_url: str, file: Path, *, replace: bool, tell: Callable[[str], None] = lambda _: None) -> About:
    """Put the rows that are in that file in the place of those of the database, in the newest shape.

    Tables, indexes and triggers are made by our migrations alone: a backup may have been altered, and what it brings of
    its own is left out and named to ``tell``. What cannot be restored changes nothing. Data that are there are given up
    only where ``replace`` says so.
    """
    url = to_url(database_url)
    with opened(file) as (archive, about):
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
            on_sqlite.restore(url, archive, about, replace=replace, tell=tell)
        else:
            on_postgresql.restore(url, archive, about, replace=replace, tell=tell)
    return about
