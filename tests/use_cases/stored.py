"""Helpers that read the data and the audit log of the ward's store."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from adapters.memory.data import MemoryData
from adapters.memory.store import MemoryStore
from application.audit.audit_log import AuditEntry
from tests.builders import Ward


def kept(ward: Ward) -> MemoryData:
    """Return a copy of all stored data."""
    assert isinstance(ward.store, MemoryStore)
    return deepcopy(ward.store._data)


def audit_log(ward: Ward) -> list[AuditEntry]:
    """Return all entries of the audit log, oldest first."""
    return kept(ward).audit_log


def put_back(ward: Ward, data: MemoryData) -> None:
    """Replace the data of the ward's store.

    The data may be shared between tests: stored objects are only replaced, never changed.
    """
    assert isinstance(ward.store, MemoryStore)
    ward.store._data = data


@contextmanager
def nothing_written(ward: Ward) -> Iterator[None]:
    """Assert that the block writes nothing, not even to the audit log.

    Only failed attempts and the entries of failed sign-ins may be added.
    """
    before = kept(ward)
    yield
    after = kept(ward)
    after.failed_attempts = before.failed_attempts
    after.audit_log = [
        one for one in after.audit_log if one in before.audit_log or one.action != "session.sign_in_failed"
    ]
    assert after == before
