"""Create, update and delete staff members."""

from dataclasses import dataclass
from datetime import date, tzinfo

from application.audit_log import entry
from application.crud import delete_unused
from application.draft import Draft
from application.entities import STAFF, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from domain.day import day_of
from domain.errors import NotFound
from domain.policy import Actor, Permission
from domain.staff import Staff
from domain.validation import Validator


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


@dataclass(frozen=True, slots=True)
class CreateStaff:
    """Create a staff member."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    def __call__(self, actor: Actor, draft: StaffDraft) -> Staff:
        actor.require(Permission.MANAGE_STAFF)
        now = self.clock()
        staff = staff_filled_in(draft, id=0, today=day_of(now, self.zone))
        with self.begin() as work:
            work.staff.add(staff)
            work.audit_log.append(entry(actor, now, AuditAction.STAFF_CREATED, after=staff))
        return staff


@dataclass(frozen=True, slots=True)
class UpdateStaff:
    """Update a staff member's data."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    def __call__(self, actor: Actor, staff_id: int, draft: StaffDraft) -> Staff:
        actor.require(Permission.MANAGE_STAFF)
        now = self.clock()
        with self.begin() as work:
            before = work.staff.lock(staff_id)
            if before is None:
                raise NotFound
            staff = staff_filled_in(draft, id=staff_id, today=day_of(now, self.zone))
            if staff != before:
                work.staff.save(staff)
                work.audit_log.append(entry(actor, now, AuditAction.STAFF_UPDATED, before=before, after=staff))
        return staff


@dataclass(frozen=True, slots=True)
class DeleteStaff:
    """Delete a staff member to whom nothing refers."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, staff_id: int) -> None:
        actor.require(Permission.MANAGE_STAFF)
        delete_unused(self.begin, actor, staff_id, at=self.clock(), kind=STAFF, action=AuditAction.STAFF_DELETED)
