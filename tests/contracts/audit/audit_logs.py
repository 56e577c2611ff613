"""Read the whole audit log directly from a store.

No use case returns it in full yet.
"""

import json

from sqlalchemy import select

from adapters.sql.audit.tables import audit
from adapters.sql.store import SqlStore
from application.audit.audit_log import AuditEntry
from tests.builders import AnyStore


def trail_of(store: AnyStore) -> list[AuditEntry]:
    """Return all entries of the audit log, oldest first."""
    assert isinstance(store, SqlStore)
    with store._reading.connect() as connection:
        return [
            AuditEntry(
                at=row.at,
                user_id=row.user_id,
                action=row.action,
                entity=row.entity,
                entity_id=row.entity_id,
                changes={field: (before, after) for field, (before, after) in json.loads(row.changes).items()},
            )
            for row in connection.execute(select(audit).order_by(audit.c.id))
        ]
