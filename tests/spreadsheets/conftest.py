"""A ward on the database that the files are brought into."""

from collections.abc import Iterator

import pytest

from adapters.sql.store import SqlStore
from tests.builders import ZONE, Ward, a_ward


@pytest.fixture
def ward(sqlite_url: str) -> Iterator[Ward]:
    store = SqlStore(sqlite_url, ZONE)
    yield a_ward(store)
    store.close()
