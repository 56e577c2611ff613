"""Failed sign-ins in the audit log, limited per address."""

from datetime import datetime

from application.accounts.sessions.throttle import THROTTLE_WINDOW, digest
from application.accounts.work import UnitOfWork
from application.audit.audit_log import failed_attempt_entry
from application.common.entities import AuditAction

MAX_SINGLE_ENTRIES = 10


def record_failure(
    work: UnitOfWork, now: datetime, action: AuditAction, entity_id: int, *, address: str, client: str, **notes: str
) -> None:
    """Add an entry about a failed attempt, or only count it.

    The first failures of an address get an entry each. After that, the 20th, the 40th, the 80th and so on within a
    quarter of an hour get one, with the number so far in ``failures``. No entry is ever updated, because it may be
    sealed.
    """
    period = now.timestamp() // THROTTLE_WINDOW.total_seconds()
    subject = digest(f"{action} from {address} in {period}")
    work.failed_attempts.lock([subject])
    work.failed_attempts.add([subject], now)
    number = len(work.failed_attempts.since(subject, now - THROTTLE_WINDOW))
    if number <= MAX_SINGLE_ENTRIES:
        work.audit_log.append(failed_attempt_entry(now, action, entity_id, address=address, client=client, **notes))
    elif _is_doubled(number):
        work.audit_log.append(
            failed_attempt_entry(now, action, entity_id, address=address, client=client, failures=number, **notes)
        )
    else:
        work.audit_log.count(action)


def _is_doubled(number: int) -> bool:
    """Return whether it is ``MAX_SINGLE_ENTRIES`` times a power of two."""
    times, rest = divmod(number, MAX_SINGLE_ENTRIES)
    return rest == 0 and times.bit_count() == 1
