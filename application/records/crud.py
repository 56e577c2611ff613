"""Create, update and delete: use cases of the kinds of entities that have few rules beyond validation.

A kind names its rules once (``Crud``), and its use cases are subclasses (application/catalogue/areas.py). One with a
rule of its own overrides ``validate`` or ``ensure_removable`` (application/people/patients.py).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from typing import Any, ClassVar, Generic, TypeVar

from application.audit.audit_log import entry
from application.audit.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.entities import EntityKind
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
            add_entity(work, actor, kind, entity, now)
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
            entity = self.validate(work, draft, before, day_of(now, self.zone))
            save_entity(work, actor, kind, before, entity, now)
        return entity

    def validate(self, work: Any, draft: Draft, before: Any, today: date) -> Entity:
        """Validate the draft of an entity that exists."""
        entity: Entity = self.rules.validate(work, draft, before.id, today)
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
        now, kind = self.clock(), self.rules.kind
        with self.begin() as work:
            store = kind.store_of(work)
            entity = store.lock(id)
            if entity is None:
                raise NotFound
            self.ensure_removable(entity)
            uses = store.reference_count(id)
            if uses:
                raise Refused(Reason(Code.IN_USE, params={"count": uses}))
            store.remove(entity)
            work.audit_log.append(entry(actor, now, kind.action("deleted"), before=entity))

    def ensure_removable(self, entity: Any) -> None:
        """Raise ``Refused`` for an entity that must stay, used or not."""


def add_entity(work: Any, actor: Actor, kind: EntityKind, entity: object, at: datetime, **notes: str) -> None:
    """Add an entity within a unit of work, and log it."""
    kind.store_of(work).add(entity)
    work.audit_log.append(entry(actor, at, kind.action("created"), after=entity, **notes))


def save_entity(
    work: Any, actor: Actor, kind: EntityKind, before: object, after: object, at: datetime, **notes: str
) -> None:
    """Save an entity within a unit of work if it differs, and log it."""
    if after != before:
        kind.store_of(work).save(after)
        work.audit_log.append(entry(actor, at, kind.action("updated"), before=before, after=after, **notes))


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
