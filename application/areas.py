"""Create, update and delete areas."""

from dataclasses import dataclass

from application.audit_log import entry
from application.crud import delete_unused, ensure_unique, keep_unsent_fields
from application.draft import Draft
from application.entities import AREA, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from domain.area import CODE_LENGTH, Area
from domain.errors import NotFound
from domain.policy import Actor, Permission
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDraft(Draft):
    """The form of an area.

    A ``code`` that is not in ``sent`` stays as it is.
    """

    name: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class CreateArea:
    """Create an area."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: AreaDraft) -> Area:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            area = _validate(work, draft, id=0)
            work.areas.add(area)
            work.audit_log.append(entry(actor, now, AuditAction.AREA_CREATED, after=area))
        return area


@dataclass(frozen=True, slots=True)
class UpdateArea:
    """Update the name or code of an area."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, area_id: int, draft: AreaDraft) -> Area:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            before = work.areas.lock(area_id)
            if before is None:
                raise NotFound
            area = _validate(work, keep_unsent_fields(draft, before, "code"), id=area_id)
            if area != before:
                work.areas.save(area)
                work.audit_log.append(entry(actor, now, AuditAction.AREA_UPDATED, before=before, after=area))
        return area


@dataclass(frozen=True, slots=True)
class DeleteArea:
    """Delete an area that nothing refers to."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, area_id: int) -> None:
        actor.require(Permission.MANAGE_CATALOGUE)
        delete_unused(self.begin, actor, area_id, at=self.clock(), kind=AREA, action=AuditAction.AREA_DELETED)


def _validate(work: UnitOfWork, draft: AreaDraft, *, id: int) -> Area:
    """Validate the draft. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    code = checks.optional_line("code", draft.code, longest=CODE_LENGTH)
    area = Area(id=id, name=checks.required_line("name", draft.name), code=code)
    ensure_unique(work, checks, AREA, area)
    checks.raise_if_invalid()
    return area
