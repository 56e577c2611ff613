"""Up to which entry the audit log is complete."""

import time
from collections.abc import Callable

from sqlalchemy import Connection, func, select, text

from adapters.sql.audit.tables import audit

_WAIT_SECONDS = 60
LAST_GIVEN_ID = text("SELECT last_value FROM audit_trail_id_seq")


class WritesInProgress(Exception):
    """Transactions in progress may still add entries with earlier ids."""


def last_complete_id(connection: Connection, pause: Callable[[float], None] = time.sleep) -> int:
    """Return the id up to which no more entries can appear.

    On PostgreSQL an entry gets its id before it is committed, so this waits for the transactions that had begun.
    Raise ``WritesInProgress`` if they do not end.
    """
    if connection.dialect.name == "sqlite":
        return int(connection.execute(select(func.coalesce(func.max(audit.c.id), 0))).scalar_one())
    connection = connection.execution_options(isolation_level="AUTOCOMMIT")
    last_id: int = connection.execute(LAST_GIVEN_ID).scalar_one()
    # A transaction that writes an entry holds this lock from before the id is assigned until the commit.
    writers = text(
        "SELECT virtualtransaction FROM pg_locks "
        "WHERE relation = 'audit_trail'::regclass AND mode = 'RowExclusiveLock' AND granted"
    )
    begun = set(connection.execute(writers).scalars())
    deadline = time.monotonic() + _WAIT_SECONDS
    while not begun.isdisjoint(connection.execute(writers).scalars()):
        if time.monotonic() > deadline:
            raise WritesInProgress
        pause(0.2)
    return last_id
