"""Fixtures that run each contract test on both databases."""

import os
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from tests.builders import ZONE, AnyStore, Ward, a_ward
from tests.poolers import pooling
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
    # Another way to PostgreSQL, which TEST_POOLER asks for: transaction or session.
    mode = os.environ.get("TEST_POOLER") if database_url.startswith("postgresql") else None
    with pooling(database_url, mode) if mode else nullcontext() as pooler:
        on_disk = SqlStore(database_url, ZONE, A_CONNECTION_EACH, pooler_url=pooler.url if pooler else None)
        yield on_disk
        on_disk.close()


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """Return a ward on each database."""
    return a_ward(store)
