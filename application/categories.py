"""Create, update and delete product categories."""

from dataclasses import dataclass

from application.audit_log import entry
from application.crud import delete_unused, ensure_unique
from application.draft import Draft
from application.entities import CATEGORY, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from domain.errors import NotFound
from domain.policy import Actor, Permission
from domain.product import Category
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDraft(Draft):
    """The form of a category."""

    code: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class CreateCategory:
    """Create a category."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: CategoryDraft) -> Category:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            category = _validate(work, draft, id=0)
            work.categories.add(category)
            work.audit_log.append(entry(actor, now, AuditAction.CATEGORY_CREATED, after=category))
        return category


@dataclass(frozen=True, slots=True)
class UpdateCategory:
    """Update a category."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, category_id: int, draft: CategoryDraft) -> Category:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            before = work.categories.lock(category_id)
            if before is None:
                raise NotFound
            category = _validate(work, draft, id=category_id)
            if category != before:
                work.categories.save(category)
                work.audit_log.append(entry(actor, now, AuditAction.CATEGORY_UPDATED, before=before, after=category))
        return category


@dataclass(frozen=True, slots=True)
class DeleteCategory:
    """Delete a category that nothing refers to."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, category_id: int) -> None:
        actor.require(Permission.MANAGE_CATALOGUE)
        delete_unused(
            self.begin, actor, category_id, at=self.clock(), kind=CATEGORY, action=AuditAction.CATEGORY_DELETED
        )


def _validate(work: UnitOfWork, draft: CategoryDraft, *, id: int) -> Category:
    """Validate the draft. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    category = Category(
        id=id, code=checks.required_line("code", draft.code), name=checks.required_line("name", draft.name)
    )
    ensure_unique(work, checks, CATEGORY, category)
    checks.raise_if_invalid()
    return category
