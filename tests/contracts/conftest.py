"""The stores on which each contract is tried: all of them must keep it alike."""

from collections.abc import Iterator

import pytest

from adapters.memory.store import MemoryStore
from adapters.sql.connections import Limits
from adapters.sql.store import SqlStore
from tests.builders import ZONE, AnyStore, Ward, a_ward
from tests.servers import EMPTY

# As in the server, no thread waits for a connection: a pool serves whoever asks again first, not who waits longest.
A_CONNECTION_EACH = Limits(pool_size=24)

POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgresql)


@pytest.fixture(params=["sqlite", POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated, empty database, of each kind in turn."""
    return str(request.getfixturevalue(EMPTY[request.param]))


@pytest.fixture(params=["memory", "sqlite", POSTGRESQL])
def store(request: pytest.FixtureRequest) -> Iterator[AnyStore]:
    """An empty store, of each kind in turn."""
    if request.param == "memory":
        yield MemoryStore(ZONE)
        return
    on_disk = SqlStore(request.getfixturevalue(EMPTY[request.param]), ZONE, A_CONNECTION_EACH)
    yield on_disk
    on_disk.close()


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """A ward on each store in turn."""
    return a_ward(store)
