"""Fixtures that run each contract test on both databases."""

from collections.abc import Iterator

import pytest

from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from tests.builders import ZONE, AnyStore, Ward, a_ward
from tests.servers import EMPTY

# One connection per thread, as in the server. Waiting for the pool is unfair: it serves the thread that asks again
# first, not the one that waits longest.
A_CONNECTION_EACH = Limits(pool_size=24)

POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgresql)


@pytest.fixture(params=["sqlite", POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a migrated, empty database, for each engine."""
    return str(request.getfixturevalue(EMPTY[request.param]))


@pytest.fixture
def store(database_url: str) -> Iterator[AnyStore]:
    """Return an empty store on each database."""
    on_disk = SqlStore(database_url, ZONE, A_CONNECTION_EACH)
    yield on_disk
    on_disk.close()


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """Return a ward on each database."""
    return a_ward(store)
