"""Admit a patient whose name is unknown."""

from dataclasses import dataclass, replace
from datetime import date, tzinfo

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.use_case import permitted
from application.people.unidentified_numbers import take_unidentified_number
from application.sheets.open_sheet import open_once, open_sheet
from application.sheets.sheet_draft import SheetDraft
from application.sheets.views import SheetView
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.people.patient import Patient
from domain.people.unidentified import MAX_AGE, Sex, unidentified_name
from domain.sheets.sheet import PatientSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class UnidentifiedDraft(Draft):
    """The form of an unidentified patient; only the room is required.

    ``sex`` is female or male, and ``age`` approximate, if they are known.
    """

    sex: str | None = None
    age: int | None = None
    room_id: int | None = None
    doctor: str | None = None
    diagnosis: str | None = None
    admission_date: date | None = None


@dataclass(frozen=True, slots=True)
class AdmitUnidentified:
    """Create a patient without a name, and open the sheet, in one step.

    The name has a number that no other unidentified patient has: *Sin identificar 3*. The default day of admission is
    today. With ``idempotency_key``, a repeated request admits no second patient.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.OPEN_SHEETS, Permission.WRITE_PATIENTS)
    def __call__(
        self, actor: Actor, draft: UnidentifiedDraft, idempotency_key: IdempotencyKey | None = None
    ) -> Replayable[SheetView]:
        with self.begin() as work:
            return open_once(work, actor, idempotency_key, self.clock(), lambda: self._admit(work, actor, draft))

    def _admit(self, work: UnitOfWork, actor: Actor, draft: UnidentifiedDraft) -> PatientSheet:
        now = self.clock()
        checks = Validator(draft.parse_errors)
        sex = checks.str_enum("sex", draft.sex, Sex) if draft.sex else None
        if draft.age is not None and draft.age < 0:
            checks.add_error(Code.NEGATIVE, "age")
        if draft.age is not None and draft.age > MAX_AGE:
            checks.add_error(Code.AGE_TOO_HIGH, "age", value=draft.age, most=MAX_AGE)
        room_id = checks.required_id("room_id", draft.room_id)
        if room_id and work.rooms.get(room_id) is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
        doctor = checks.optional_line("doctor", draft.doctor)
        diagnosis = checks.optional_text("diagnosis", draft.diagnosis)
        checks.raise_if_invalid()
        number = take_unidentified_number(work)
        name = unidentified_name(number, sex, draft.age)
        patient = Patient(name="", first_surname=name, unidentified_number=number)
        work.patients.add(patient)
        work.audit_log.append(entry(actor, now, AuditAction.PATIENT_CREATED, after=replace(patient)))
        admission = SheetDraft(
            patient_id=patient.id,
            room_id=room_id,
            admission_date=draft.admission_date or day_of(now, self.zone),
            doctor=doctor,
            diagnosis=diagnosis,
        )
        return open_sheet(work, actor, admission, now)
