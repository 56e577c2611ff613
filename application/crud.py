"""Shared CRUD rules: unsent fields, unique keys, deletion of unused data."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from application.audit_log import entry
from application.entities import AuditAction, EntityKind
from application.ports.unit_of_work import Begin, UnitOfWork
from domain.errors import Code, NotFound, Reason, Refused
from domain.policy import Actor
from domain.validation import Validator

Entity = TypeVar("Entity")
Draft = TypeVar("Draft", bound=Any)


def keep_unsent_fields(draft: Draft, before: object, *optional: str) -> Draft:
    """Return the draft with ``optional`` fields that were not sent kept.

    Not every client knows these fields.
    """
    if draft.sent_fields is None:
        return draft
    kept: Draft = replace(draft, **{name: getattr(before, name) for name in optional if name not in draft.sent_fields})
    return kept


def ensure_unique(work: UnitOfWork, checks: Validator, kind: EntityKind, entity: Any) -> None:
    """Report each unique key that another entity already has."""
    for key in kind.unique:
        value = kind.keys[key](entity)
        twin = None if value in (None, "") else kind.store_of(work).find(key, value)
        if twin and twin.id != entity.id:
            checks.add_error(Code.TAKEN, key, what=f"{kind.store}.{key}", value=getattr(entity, key))


def delete_unused(
    begin: Begin,
    actor: Actor,
    id: int,
    *,
    at: datetime,
    kind: EntityKind,
    action: AuditAction,
    may_go: Callable[[Any], None] = lambda _: None,
) -> None:
    """Delete an entity, or refuse with the number of references to it.

    ``may_go`` raises ``Refused`` for an entity that must stay.
    """
    with begin() as work:
        store = kind.store_of(work)
        entity = store.lock(id)
        if entity is None:
            raise NotFound
        may_go(entity)
        uses = store.reference_count(id)
        if uses:
            raise Refused(Reason(Code.IN_USE, params={"count": uses}))
        store.remove(entity)
        work.audit_log.append(entry(actor, at, action, before=entity))
