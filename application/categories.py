"""Upkeep of the product categories."""

from dataclasses import dataclass

from application.audit import entry
from application.ports import Begin, Clock
from domain.checks import Checks
from domain.policy import Actor, Permission
from domain.product import Category
from domain.refusal import Code, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDraft:
    """What is filled in for a category."""

    code: str | None = None
    name: str | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateCategory:
    """Add a category to the catalogue."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: CategoryDraft) -> Category:
        actor.must(Permission.MANAGE_CATALOGUE)
        checks = Checks(draft.unreadable)
        category = Category(code=checks.text("code", draft.code), name=checks.text("name", draft.name))
        with self.begin() as work:
            if work.categories.coded(category.code):
                checks.refuse(Code.TAKEN, "code", value=category.code)
            checks.done()
            work.categories.add(category)
            work.trail.append(entry(actor, self.clock(), "category.created", "category", after=category))
        return category
