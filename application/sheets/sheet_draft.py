"""The form of a sheet, for opening and updating."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from application.common.draft import Draft
from application.sheets.work import UnitOfWork
from domain.common.errors import Code
from domain.common.validation import Validator
from domain.people.patient import Patient
from domain.sheets.sheet import PatientSheet, check_not_before_admission


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetDraft(Draft):
    """The form of a sheet."""

    diagnosis: str | None = None
    doctor: str | None = None
    patient_id: int | None = None
    room_id: int | None = None
    admission_date: date | None = None


class Admission(NamedTuple):
    """The validated admission data of a sheet."""

    patient_id: int
    room_id: int
    admission_date: date
    diagnosis: str
    doctor: str


def locked_patient(work: UnitOfWork, draft: SheetDraft) -> Patient | None:
    """Return the patient in the draft, locked.

    With the lock, a concurrent merge of this patient either moves this sheet too, or finishes before.
    """
    return work.patients.lock(draft.patient_id) if draft.patient_id else None


def admission(
    work: UnitOfWork,
    draft: SheetDraft,
    *,
    patient: Patient | None,
    current: PatientSheet | None,
    first_used: date | None = None,
) -> Admission:
    """Validate the admission data. Raise ``Refused`` with all errors.

    ``patient`` is the one in the draft. An inactive patient is refused on a new sheet, and on the ``current`` one if
    the patient changes. A day of admission after ``first_used``, the first day of use, is refused too.
    """
    checks = Validator(draft.parse_errors)
    filled_in = Admission(
        patient_id=checks.required_id("patient_id", draft.patient_id),
        room_id=checks.required_id("room_id", draft.room_id),
        admission_date=checks.day("admission_date", draft.admission_date),
        diagnosis=checks.optional_text("diagnosis", draft.diagnosis) or "",
        doctor=checks.optional_line("doctor", draft.doctor) or "",
    )
    if filled_in.patient_id:
        if patient is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "patient_id")
        elif patient.merged_into is not None:
            checks.add_error(Code.PATIENT_MERGED, "patient_id", patient=patient.merged_into)
        elif not patient.active and (current is None or current.patient_id != patient.id):
            checks.add_error(Code.PATIENT_INACTIVE, "patient_id")
    if filled_in.room_id and work.rooms.get(filled_in.room_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
    if first_used is not None and draft.admission_date is not None:
        checks.add(check_not_before_admission(first_used, draft.admission_date))
    if current is not None:
        checks.add(current.check_open())
    checks.raise_if_invalid()
    return filled_in
