"""A look behind the use cases: all that the ward's store keeps, and what the audit log tells."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from adapters.memory.data import MemoryData
from adapters.memory.store import MemoryStore
from application.audit_log import AuditEntry
from tests.builders import Ward


def kept(ward: Ward) -> MemoryData:
    """Everything, as it is now."""
    assert isinstance(ward.store, MemoryStore)
    return deepcopy(ward.store._data)


def audit_log(ward: Ward) -> list[AuditEntry]:
    """What the audit log tells, the oldest first."""
    return kept(ward).audit_log


def put_back(ward: Ward, data: MemoryData) -> None:
    """Have the ward's store hold that again. What lies in it is never changed, only replaced."""
    assert isinstance(ward.store, MemoryStore)
    ward.store._data = data


@contextmanager
def nothing_written(ward: Ward) -> Iterator[None]:
    """What is done here leaves everything as it was, the audit log included; a try that failed is counted and noted."""
    before = kept(ward)
    yield
    after = kept(ward)
    after.failed_attempts = before.failed_attempts
    after.audit_log = [
        one for one in after.audit_log if one in before.audit_log or one.action != "session.sign_in_failed"
    ]
    assert after == before
