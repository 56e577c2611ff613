"""Create, update and delete product categories."""

from dataclasses import dataclass
from datetime import date

from application.catalogue.views import CATEGORY_SORTS, CategoryView
from application.catalogue.work import UnitOfWork
from application.common.draft import Draft
from application.common.entities import CATEGORY
from application.common.paging import ListQuery
from application.records.crud import Create, Crud, Delete, Update, ensure_unique
from application.records.list_reader import ListReader
from domain.catalogue.product import Category
from domain.common.policy import Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDraft(Draft):
    """The form of a category."""

    code: str | None = None
    name: str | None = None


def _validate(work: UnitOfWork, draft: CategoryDraft, id: int, today: date) -> Category:  # noqa: ARG001
    checks = Validator(draft.parse_errors)
    category = Category(
        id=id, code=checks.required_line("code", draft.code), name=checks.required_line("name", draft.name)
    )
    ensure_unique(work, checks, CATEGORY, category)
    checks.raise_if_invalid()
    return category


CATEGORIES = Crud(kind=CATEGORY, permission=Permission.MANAGE_CATALOGUE, validate=_validate)


class CreateCategory(Create[Category, CategoryDraft]):
    """Create a category."""

    rules = CATEGORIES


class UpdateCategory(Update[Category, CategoryDraft]):
    """Update a category."""

    rules = CATEGORIES


class DeleteCategory(Delete):
    """Delete a category that nothing refers to."""

    rules = CATEGORIES


class ListCategories(ListReader[CategoryView, ListQuery]):
    """The categories of products, by name."""

    kind = CATEGORY
    permission = Permission.READ_CATALOGUE
    item_type = CategoryView
    sorts = CATEGORY_SORTS
