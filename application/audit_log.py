"""The append-only audit log: what each change leaves in it, within the same unit of work."""

import dataclasses
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from application.entities import SHEET, AuditAction
from domain.policy import Actor

Value = str | int | bool | None
Changes = dict[str, tuple[Value, Value]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Who did what to which thing; ``changes`` holds before and after of each field."""

    at: datetime
    user_id: int | None
    action: str
    entity: str
    entity_id: int
    changes: Changes
    sheet_id: int | None = None
    # The import that did it.
    import_id: int | None = None
    # Whose sheet it is, of what is done to sheets and of who looks at patients.
    patient_id: int | None = None
    # The key with which a program came that did it.
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
    """An entry about an entity that was added (``after`` alone), changed, or removed (``before`` alone).

    ``notes`` are said beside the fields, such as the reason for reopening a sheet.
    """
    changes: Changes = {}
    kind: Any = type(before if after is None else after)
    for field in _audited_fields(kind):
        old = None if before is None else getattr(before, field)
        new = None if after is None else getattr(after, field)
        if old is new:
            continue
        told = plain(old), plain(new)
        if told[0] != told[1]:
            changes[field] = told
    for name, text in notes.items():
        changes[name] = (None, text)
    entity_id = (after if after is not None else before).id
    return entry_by_id(
        actor,
        at,
        action,
        entity_id,
        changes,
        # What befalls a detail is part of its sheet's history.
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
    """An entry about something that is known by its id alone. All are made here, with who acts and by which key."""
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
    """An entry about something that was looked at or taken out; 0 as ``id`` stands for a list."""
    return entry_by_id(actor, at, action, id, {}, sheet_id=sheet_id, patient_id=patient_id)


def failed_attempt_entry(at: datetime, action: AuditAction, id: int = 0, **notes: str | int) -> AuditEntry:
    """An entry about something that was tried by nobody we know; 0 as ``id`` where it is about nothing we know."""
    return entry_by_id(None, at, action, id, {name: (None, note) for name, note in notes.items()})


@cache
def _audited_fields(kind: type) -> tuple[str, ...]:
    """The fields that are told of things of that kind; secrets, which their ``repr`` hides, are left out."""
    return tuple(f.name for f in dataclasses.fields(kind) if f.repr and f.name not in ("id", "version"))


def plain(value: Any) -> Value:
    """A field's value as the audit log tells it."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return "; ".join(map(str, value)) or None
    return int(value) if isinstance(value, int) else str(value)
