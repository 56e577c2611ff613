"""Create, update and delete areas."""

from dataclasses import dataclass
from datetime import date

from application.catalogue.views import AREA_SORTS, AreaView
from application.catalogue.work import UnitOfWork
from application.common.draft import Draft
from application.common.entities import AREA
from application.common.paging import ListQuery
from application.records.crud import Create, Crud, Delete, Update, ensure_unique
from application.records.list_reader import ListReader
from domain.catalogue.area import CODE_LENGTH, Area
from domain.common.policy import Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDraft(Draft):
    """The form of an area."""

    name: str | None = None
    code: str | None = None


def _validate(work: UnitOfWork, draft: AreaDraft, id: int, today: date) -> Area:  # noqa: ARG001
    checks = Validator(draft.parse_errors)
    code = checks.optional_line("code", draft.code, longest=CODE_LENGTH)
    area = Area(id=id, name=checks.required_line("name", draft.name), code=code)
    ensure_unique(work, checks, AREA, area)
    checks.raise_if_invalid()
    return area


AREAS = Crud(kind=AREA, permission=Permission.MANAGE_CATALOGUE, validate=_validate, optional=("code",))


class CreateArea(Create[Area, AreaDraft]):
    """Create an area."""

    rules = AREAS


class UpdateArea(Update[Area, AreaDraft]):
    """Update an area."""

    rules = AREAS


class DeleteArea(Delete):
    """Delete an area that nothing refers to."""

    rules = AREAS


class ListAreas(ListReader[AreaView, ListQuery]):
    """The areas, by name."""

    kind = AREA
    permission = Permission.READ_CATALOGUE
    item_type = AreaView
    sorts = AREA_SORTS
