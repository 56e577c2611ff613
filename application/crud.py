"""What all CRUD has in common: fields that were not sent, unique natural keys, nothing deleted that is in use."""

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


def keeping(draft: Draft, before: object, *optional: str) -> Draft:
    """The draft, with the ``optional`` fields that were not sent as they are: not every client knows of them."""
    if draft.sent is None:
        return draft
    kept: Draft = replace(draft, **{name: getattr(before, name) for name in optional if name not in draft.sent})
    return kept


def ensure_unique(work: UnitOfWork, checks: Validator, kind: EntityKind, entity: Any) -> None:
    """Refuse each unique natural key that another thing of the kind has already."""
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
    """Delete what nothing refers to, or refuse and say by how many it is used; ``may_go`` refuses what must stay."""
    with begin() as work:
        store = kind.store_of(work)
        entity = store.lock(id)
        if entity is None:
            raise NotFound
        may_go(entity)
        uses = store.uses(id)
        if uses:
            raise Refused(Reason(Code.IN_USE, params={"count": uses}))
        store.remove(entity)
        work.audit_log.append(entry(actor, at, action, before=entity))
