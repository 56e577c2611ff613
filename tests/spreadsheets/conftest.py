"""A ward on the database that the files are brought into, and where real files lie."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.sql.store import SqlStore
from tests.builders import ZONE, Ward, a_ward


@pytest.fixture
def ward(sqlite_url: str) -> Iterator[Ward]:
    store = SqlStore(sqlite_url, ZONE)
    yield a_ward(store)
    store.close()


@pytest.fixture(scope="session")
def real_files() -> Path:
    """Files that hospitals and generators publish; no part of this project."""
    folder = Path(__file__).parents[2] / ".." / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real files are not beside this project (../shared/data)")
    return folder.resolve()
