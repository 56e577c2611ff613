"""Create, update and delete: use cases of the kinds of entities that have no rules beyond validation.

A kind names its rules once (``Crud``), and its use cases are subclasses (application/catalogue/areas.py).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from typing import Any, ClassVar, Generic, TypeVar

from application.audit.audit_log import entry
from application.audit.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.entities import AuditAction, EntityKind
from application.common.use_case import retried
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator

Entity = TypeVar("Entity")
Draft = TypeVar("Draft", bound=Any)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crud(Generic[Entity, Draft]):
    """The rules of a kind: the permission and the validation of drafts.

    ``validate`` gets the unit of work, the draft, the id (0 for a new entity) and the hospital's day. It raises
    ``Refused`` with all errors. ``optional`` are fields that keep their values if they are not sent.
    """

    kind: EntityKind
    permission: Permission
    validate: Callable[[Any, Draft, int, date], Entity]
    optional: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the audit actions at startup: an unknown one raises here."""
        for verb in ("created", "updated", "deleted"):
            self.kind.action(verb)


@dataclass(frozen=True, slots=True)
class Create(Generic[Entity, Draft]):
    """Create an entity."""

    rules: ClassVar[Crud[Any, Any]]
    begin: Begin
    clock: Clock
    zone: tzinfo

    @retried
    def __call__(self, actor: Actor, draft: Draft) -> Entity:
        actor.require(self.rules.permission)
        now, kind = self.clock(), self.rules.kind
        with self.begin() as work:
            entity: Entity = self.rules.validate(work, draft, 0, day_of(now, self.zone))
            kind.store_of(work).add(entity)
            work.audit_log.append(entry(actor, now, kind.action("created"), after=entity))
        return entity


@dataclass(frozen=True, slots=True)
class Update(Generic[Entity, Draft]):
    """Update an entity."""

    rules: ClassVar[Crud[Any, Any]]
    begin: Begin
    clock: Clock
    zone: tzinfo

    @retried
    def __call__(self, actor: Actor, id: int, draft: Draft) -> Entity:
        actor.require(self.rules.permission)
        now, kind = self.clock(), self.rules.kind
        with self.begin() as work:
            before = kind.store_of(work).lock(id)
            if before is None:
                raise NotFound
            draft = keep_unsent_fields(draft, before, *self.rules.optional)
            entity: Entity = self.rules.validate(work, draft, id, day_of(now, self.zone))
            if entity != before:
                kind.store_of(work).save(entity)
                work.audit_log.append(entry(actor, now, kind.action("updated"), before=before, after=entity))
        return entity


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete an entity that nothing refers to."""

    rules: ClassVar[Crud[Any, Any]]
    begin: Begin
    clock: Clock

    @retried
    def __call__(self, actor: Actor, id: int) -> None:
        actor.require(self.rules.permission)
        kind = self.rules.kind
        delete_unused(self.begin, actor, id, at=self.clock(), kind=kind, action=kind.action("deleted"))


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
