"""Create, update and delete staff members."""

from dataclasses import dataclass
from datetime import date

from application.common.draft import Draft
from application.common.entities import STAFF
from application.people.views import STAFF_SORTS, StaffQuery, StaffView
from application.people.work import UnitOfWork
from application.records.crud import Create, Crud, Delete, Update
from application.records.list_reader import ListReader
from domain.common.policy import Permission
from domain.common.validation import Validator
from domain.people.staff import Staff


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffDraft(Draft):
    """The form of a staff member, for supervisors and for the own profile."""

    name: str | None = None
    first_surname: str | None = None
    second_surname: str | None = None
    telephone_number: str | None = None
    job_title: str | None = None
    date_of_birth: date | None = None


def staff_filled_in(draft: StaffDraft, *, id: int, today: date) -> Staff:
    """Validate the draft. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    staff = Staff(
        id=id,
        name=checks.required_line("name", draft.name),
        first_surname=checks.required_line("first_surname", draft.first_surname),
        second_surname=checks.optional_line("second_surname", draft.second_surname),
        telephone_number=checks.optional_line("telephone_number", draft.telephone_number),
        job_title=checks.optional_line("job_title", draft.job_title),
        date_of_birth=checks.date_not_in_future("date_of_birth", draft.date_of_birth, today),
    )
    checks.raise_if_invalid()
    return staff


def _validate(work: UnitOfWork, draft: StaffDraft, id: int, today: date) -> Staff:  # noqa: ARG001
    return staff_filled_in(draft, id=id, today=today)


STAFF_MEMBERS = Crud(kind=STAFF, permission=Permission.MANAGE_STAFF, validate=_validate)


class CreateStaff(Create[Staff, StaffDraft]):
    """Create a staff member."""

    rules = STAFF_MEMBERS


class UpdateStaff(Update[Staff, StaffDraft]):
    """Update a staff member."""

    rules = STAFF_MEMBERS


class DeleteStaff(Delete):
    """Delete a staff member that nothing refers to."""

    rules = STAFF_MEMBERS


class ListStaff(ListReader[StaffView, StaffQuery]):
    """The staff, by name."""

    kind = STAFF
    permission = Permission.MANAGE_STAFF
    item_type = StaffView
    sorts = STAFF_SORTS


class ListPractitioners(ListStaff):
    """Staff by name only, for the FHIR API, which refers to them."""

    permission = Permission.READ_FHIR
