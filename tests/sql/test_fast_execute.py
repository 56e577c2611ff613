"""Statements on the driver's own cursor behave as with SQLAlchemy.

Rows, types and errors are the same.
"""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError

from adapters.sql.connections import Limits, connect_for_writing, to_url
from adapters.sql.driver_execute import execute, execute_one
from adapters.sql.store import SqlStore
from adapters.sql.tables import areas, details, metadata
from tests.builders import ZONE, a_ward
from tests.servers import EMPTY


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
