"""Identify a patient who was admitted without a name."""

from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from application.audit.audit_log import Changes, entry, entry_by_id
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.people.merge_patients import merge_records
from application.people.patients import PatientDraft, validate_patient
from application.people.views import PatientView
from application.people.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.people.patient import Patient
from domain.sheets.sheet import PatientSheet, of_patients


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityDraft(Draft):
    """Who it is: names, birth and number, or ``into_id``, a known patient."""

    name: str | None = None
    first_surname: str | None = None
    second_surname: str | None = None
    date_of_birth: date | None = None
    record_number: str | None = None
    into_id: int | None = None


@dataclass(frozen=True, slots=True)
class IdentifyPatient:
    """Identify a patient who was admitted without a name.

    With ``into_id`` the sheets move to that patient, with their lines and prices.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.WRITE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int, draft: IdentityDraft) -> PatientView:
        now = self.clock()
        with self.begin() as work:
            if draft.into_id is None:
                identified_id = self._name(work, actor, patient_id, draft, now)
            else:
                identified_id = _move_to(work, actor, patient_id, draft, now)
            view = work.views.patients.one(identified_id)
        assert view is not None, "it was saved just now"
        return view

    def _name(self, work: UnitOfWork, actor: Actor, patient_id: int, draft: IdentityDraft, now: datetime) -> int:
        """Give the record a name."""
        before = work.patients.lock(patient_id)
        if before is None:
            raise NotFound
        before.ensure_not_merged()
        before.ensure_unidentified()
        told = PatientDraft(
            name=draft.name,
            first_surname=draft.first_surname,
            second_surname=draft.second_surname,
            date_of_birth=draft.date_of_birth,
            record_number=draft.record_number or before.record_number,
            active=int(before.active),
            parse_errors=draft.parse_errors,
        )
        patient = validate_patient(work, told, before, day_of(now, self.zone), is_name_required=True)
        work.patients.save(patient)
        work.audit_log.append(entry(actor, now, AuditAction.PATIENT_IDENTIFIED, before=before, after=patient))
        _touch_open_sheets(work, patient)
        return patient.id


def _move_to(work: UnitOfWork, actor: Actor, patient_id: int, draft: IdentityDraft, now: datetime) -> int:
    """Move the sheets to a known patient."""
    checks = Validator(draft.parse_errors)
    into_id = checks.required_id("into_id", draft.into_id)
    checks.raise_if_invalid()
    # As merging does, before any row is locked.
    work.imports.acquire_lock()
    locked = {one.id: one for one in work.patients.find_many("id", {patient_id, into_id}, locked=True)}
    if patient_id not in locked:
        raise NotFound
    locked[patient_id].ensure_not_merged()
    locked[patient_id].ensure_unidentified()
    known = locked.get(into_id)
    if known is None or known.unidentified:
        raise Refused(Reason(Code.REFERENCE_UNKNOWN, "into_id"))
    known.ensure_not_merged("into_id")
    theirs = _open_sheets(work, into_id)
    if theirs and _open_sheets(work, patient_id):
        room = work.rooms.get(theirs[0].room_id)
        raise Refused(Reason(Code.PATIENT_HAS_OPEN_SHEET, "into_id", {"room": room.name if room else ""}))
    if not known.active:
        # The patient was discharged earlier, and is here again.
        active = replace(known, active=True)
        work.patients.save(active)
        work.audit_log.append(entry(actor, now, AuditAction.PATIENT_UPDATED, before=known, after=active))
    identified = merge_records(work, actor, patient_id, into_id, now)
    change: Changes = {"merged_into": (None, identified.id)}
    action = AuditAction.PATIENT_IDENTIFIED
    work.audit_log.append(entry_by_id(actor, now, action, patient_id, change, patient_id=identified.id))
    return identified.id


def _open_sheets(work: UnitOfWork, patient_id: int) -> list[PatientSheet]:
    return [sheet for sheet in of_patients(work.sheets.find_many("patient_id", [patient_id])) if not sheet.closed]


def _touch_open_sheets(work: UnitOfWork, patient: Patient) -> None:
    """Bump the versions of open sheets, so that clients notice the name."""
    sheets = [one for one in work.sheets.find_many("patient_id", [patient.id], locked=True) if not one.closed]
    for sheet in sheets:
        sheet.touch()
    work.sheets.save_all(sheets)
