"""A look behind the use cases: all that the ward's store keeps, and what the trail tells."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from adapters.memory.shelves import Shelves
from adapters.memory.store import MemoryStore
from application.audit import Entry
from tests.builders import Ward


def kept(ward: Ward) -> Shelves:
    """Everything, as it is now."""
    assert isinstance(ward.store, MemoryStore)
    return deepcopy(ward.store._shelves)


def trail(ward: Ward) -> list[Entry]:
    """What the trail tells, the oldest first."""
    return kept(ward).trail


@contextmanager
def nothing_written(ward: Ward) -> Iterator[None]:
    """What is done here leaves everything as it was, the trail included; a try that failed is counted and noted."""
    before = kept(ward)
    yield
    after = kept(ward)
    after.failures = before.failures
    after.trail = [one for one in after.trail if one in before.trail or one.action != "session.sign_in_failed"]
    assert after == before
