"""The append-only audit log.

Each change adds an entry within the same unit of work.
"""

import dataclasses
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from application.common.entities import SHEET, AuditAction
from domain.common.policy import Actor

Value = str | int | bool | None
Changes = dict[str, tuple[Value, Value]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """An audit entry: who did what to which object.

    ``changes`` has each changed field with its value before and after.
    """

    at: datetime
    user_id: int | None
    action: str
    entity: str
    entity_id: int
    changes: Changes
    sheet_id: int | None = None
    # The import that made the change.
    import_id: int | None = None
    # The patient of the sheet, or the patient whose data was read.
    patient_id: int | None = None
    # The API key of the program that made the change.
    api_key_id: int | None = None


def entry(
    actor: Actor | None,
    at: datetime,
    action: AuditAction,
    *,
    before: Any = None,
    after: Any = None,
    **notes: str,
) -> AuditEntry:
    """Create the audit entry for an added, changed or removed entity.

    An added entity has only ``after``, a removed one only ``before``. ``notes`` are additional texts, such as the
    reason for reopening a sheet.
    """
    changes: Changes = {}
    kind: Any = type(before if after is None else after)
    for field in _audited_fields(kind):
        old = None if before is None else getattr(before, field)
        new = None if after is None else getattr(after, field)
        if old is new:
            continue
        values = to_audit_value(old), to_audit_value(new)
        if values[0] != values[1]:
            changes[field] = values
    for name, text in notes.items():
        changes[name] = (None, text)
    entity_id = (after if after is not None else before).id
    return entry_by_id(
        actor,
        at,
        action,
        entity_id,
        changes,
        # A change to a detail is part of its sheet's history.
        sheet_id=entity_id if action.entity == SHEET.name else getattr(after or before, "sheet_id", None),
        patient_id=getattr(after or before, "patient_id", None),
    )


def entry_by_id(
    actor: Actor | None,
    at: datetime,
    action: AuditAction,
    id: int,
    changes: Changes,
    *,
    sheet_id: int | None = None,
    patient_id: int | None = None,
) -> AuditEntry:
    """Create an entry for an object that is known only by its id.

    All entries are created here, with the actor and the API key.
    """
    return AuditEntry(
        at=at,
        user_id=actor.user_id if actor else None,
        action=action,
        entity=action.entity,
        entity_id=id,
        changes=changes,
        sheet_id=sheet_id,
        patient_id=patient_id,
        api_key_id=actor.api_key_id if actor else None,
    )


def access_entry(
    actor: Actor,
    at: datetime,
    action: AuditAction,
    id: int,
    *,
    sheet_id: int | None = None,
    patient_id: int | None = None,
) -> AuditEntry:
    """Create an entry about data that was read or exported.

    An ``id`` of 0 means a list.
    """
    return entry_by_id(actor, at, action, id, {}, sheet_id=sheet_id, patient_id=patient_id)


def failed_attempt_entry(at: datetime, action: AuditAction, id: int = 0, **notes: str | int) -> AuditEntry:
    """Create an entry about a failed attempt of an unknown user.

    An ``id`` of 0 means that the object is unknown too.
    """
    return entry_by_id(None, at, action, id, {name: (None, note) for name, note in notes.items()})


@cache
def _audited_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of a type that the audit log includes.

    Secrets, which have ``repr=False``, are left out.
    """
    return tuple(f.name for f in dataclasses.fields(kind) if f.repr and f.name not in ("id", "version"))


def to_audit_value(value: Any) -> Value:
    """Convert a field's value for the audit log."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return "; ".join(map(str, value)) or None
    return int(value) if isinstance(value, int) else str(value)
