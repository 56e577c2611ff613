"""Statements on the driver's own cursor behave as with SQLAlchemy.

Rows, types and errors are the same.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH, MAX_CACHED_STATEMENT_PARAMS
from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import IntegrityError

from adapters.sql.catalogue.tables import areas
from adapters.sql.common import pending_writes
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import Limits, connect_for_writing, to_url
from adapters.sql.engine.driver_execute import execute, execute_one
from adapters.sql.sheets import recording
from adapters.sql.sheets.tables import details
from adapters.sql.store import SqlStore
from tests.builders import ZONE, a_ward
from tests.servers import EMPTY

# The modules in which the time of a statement counts (docs/performance.md).
HOT = {"audit_log", "lists", "pending_writes", "recording", "sessions", "sheets", "versions"}
# The version with which the private calls of SQLAlchemy were verified: `connection.dispatch`,
# `connection._handle_dbapi_exception` and the attributes of a compiled statement.
VERIFIED_SQLALCHEMY = "2.1"
IMPORTS_DRIVER_EXECUTE = re.compile(r"^\s*(from|import)\b.*\bdriver_execute\b", re.MULTILINE)


def test_only_hot_modules_execute_on_the_driver() -> None:
    sources = [*Path("adapters").rglob("*.py"), *Path("application").rglob("*.py")]
    importers = {source.stem for source in sources if IMPORTS_DRIVER_EXECUTE.search(source.read_text())}
    assert importers == HOT


@pytest.mark.parametrize(
    "statement",
    [recording._LOOK, recording._REFERENCES, recording._RECORD, pending_writes._INSERT_ALL, pending_writes._RECORD],
    ids=["look", "references", "insert detail", "insert all", "record"],
)
def test_hot_statements_fit_the_cache_of_the_driver(statement: Any) -> None:
    compiled = statement.compile(dialect=PGDialect_psycopg())  # type: ignore[no-untyped-call]
    # psycopg parses a longer statement again for each execution.
    assert len(str(compiled)) <= MAX_CACHED_STATEMENT_LENGTH
    assert len(compiled.params) <= MAX_CACHED_STATEMENT_PARAMS


def test_private_calls_are_verified_with_this_sqlalchemy() -> None:
    assert sqlalchemy.__version__.rpartition(".")[0] == VERIFIED_SQLALCHEMY, (
        "verify the private calls, then change this"
    )


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    """Return a connection to a ward with a recorded detail."""
    url = request.getfixturevalue(EMPTY[request.param])
    store = SqlStore(url, ZONE)
    ward = a_ward(store)
    ward.use_cases.details.add(ward.nurse, ward.detail_draft("0.125"), sheet_id=ward.sheet()["id"])
    store.close()
    engine = connect_for_writing(to_url(url), Limits(pool_size=1))
    with engine.connect() as connected:
        yield connected
    engine.dispose()


@pytest.mark.parametrize("name", sorted(metadata.tables))
def test_every_column_reads_the_same(connection: Connection, name: str) -> None:
    statement = select(metadata.tables[name])
    ours, theirs = execute(connection, statement, {}), connection.execute(statement, {}).all()
    assert [tuple(row) for row in ours] == [tuple(row) for row in theirs]
    assert [list(map(type, row)) for row in ours] == [list(map(type, row)) for row in theirs]


def test_parameters_are_named_and_may_be_lists(connection: Connection) -> None:
    by_quantity = select(details.c.id, details.c.total).where(details.c.quantity == bindparam("quantity"))
    quantity = connection.execute(select(details.c.quantity)).scalar_one()
    row = execute_one(connection, by_quantity, {"quantity": quantity})
    assert row is not None
    assert (row.id, row.total) == tuple(connection.execute(by_quantity, {"quantity": quantity}).one())
    several = select(details.c.id).where(details.c.id.in_(bindparam("ids", expanding=True)))
    assert execute(connection, several, {"ids": [row.id, 0]}) == connection.execute(several, {"ids": [row.id, 0]}).all()


def test_a_database_error_is_the_same(connection: Connection) -> None:
    taken = connection.execute(select(areas.c.name, areas.c.name_key, areas.c.name_folded)).first()
    assert taken is not None
    with pytest.raises(IntegrityError) as ours:
        execute(connection, areas.insert(), taken._asdict())
    connection.rollback()
    with pytest.raises(IntegrityError) as theirs:
        connection.execute(areas.insert(), taken._asdict())
    assert str(ours.value.orig) == str(theirs.value.orig)
