"""A ward in memory, without a server and without waiting."""

import pytest

from tests.builders import ZONE, AnyStore, Ward, a_ward
from tests.stores import InMemoryStore


@pytest.fixture
def store() -> AnyStore:
    """An empty store."""
    return InMemoryStore(ZONE)


@pytest.fixture
def ward() -> Ward:
    return a_ward()
