"""The time of day of a moment, on the clock of a time zone."""

import sqlite3
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Integer, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

_NAME = "minute_of_day"


class minute_of_day(GenericFunction[int]):  # noqa: N801 (named like the functions of ``func``)
    """The minutes since midnight on the clock of a time zone.

    The zone is part of the statement, because PostgreSQL compares grouped expressions by their text.
    """

    inherit_cache = True
    type = Integer()

    def __init__(self, moment: ColumnElement[Any], zone: tzinfo) -> None:
        super().__init__(moment, literal_column("'" + str(zone).replace("'", "''") + "'"))


@compiles(minute_of_day)
def _on_postgresql(element: minute_of_day, compiler: SQLCompiler, **options: Any) -> str:
    moment, zone = (compiler.process(clause, **options) for clause in element.clauses)
    return f"CAST(extract(epoch FROM CAST(timezone({zone}, {moment}) AS time)) AS integer) / 60"


@compiles(minute_of_day, "sqlite")
def _on_sqlite(element: minute_of_day, compiler: SQLCompiler, **options: Any) -> str:
    return f"{_NAME}({compiler.process(element.clauses, **options)})"


def register(connection: sqlite3.Connection) -> None:
    """Add the function to a connection of SQLite, which has no time zones."""
    connection.create_function(_NAME, 2, _minute_of, deterministic=True)


def _minute_of(stored: str, zone: str) -> int:
    # Up to the minute: an offset changes only at full minutes.
    return _minute_at(stored[:16], zone)


@lru_cache(maxsize=65_536)
def _minute_at(stored: str, zone: str) -> int:
    shown = datetime.fromisoformat(stored).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    return shown.hour * 60 + shown.minute
