"""At which version that is of which devices keep a copy."""

from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.driver_execute import execute_one
from adapters.sql.tables import versions

CATALOGUE = "catalogue"

_VERSION = select(versions.c.version).where(versions.c.name == bindparam("name"))


def _advance(insert: Any) -> Any:
    return insert(versions).on_conflict_do_update(index_elements=["name"], set_={"version": versions.c.version + 1})


_ADVANCE = {"postgresql": _advance(postgresql.insert), "sqlite": _advance(sqlite.insert)}


def version_of(connection: Connection, name: str) -> int:
    """At which version that is; 0 while it has never changed."""
    row = execute_one(connection, _VERSION, {"name": name})
    return int(row.version) if row else 0


def advance(connection: Connection, name: str) -> None:
    """It has changed. Whoever else changes it waits until this unit of work has ended."""
    connection.execute(_ADVANCE[connection.dialect.name], {"name": name, "version": 1})
