"""Create, update and delete patients."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import PATIENT, AuditAction
from application.common.use_case import permitted
from application.people.patient_access import PatientAccess
from application.people.views import PATIENT_SORTS, PatientQuery, PatientView
from application.people.work import Begin, UnitOfWork
from application.records.crud import delete_unused, ensure_unique, keep_unsent_fields
from application.records.list_reader import ListReader
from domain.common.day import day_of
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.people.patient import Patient


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientDraft(Draft):
    """The form of a patient; ``active`` is 1 or 0."""

    name: str | None = None
    first_surname: str | None = None
    second_surname: str | None = None
    date_of_birth: date | None = None
    active: int | None = None
    record_number: str | None = None


@dataclass(frozen=True, slots=True)
class CreatePatient:
    """Register a patient. The date of birth must not be in the future."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.WRITE_PATIENTS)
    def __call__(self, actor: Actor, draft: PatientDraft) -> Patient:
        now = self.clock()
        with self.begin() as work:
            return create_patient(work, actor, draft, now, self.zone)


@dataclass(frozen=True, slots=True)
class UpdatePatient:
    """Update a patient's data."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.WRITE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int, draft: PatientDraft) -> Patient:
        now = self.clock()
        with self.begin() as work:
            before = work.patients.lock(patient_id)
            if before is None:
                raise NotFound
            return correct_patient(
                work, actor, before, keep_unsent_fields(draft, before, "record_number", "active"), now, self.zone
            )


@dataclass(frozen=True, slots=True)
class DeletePatient:
    """Delete a patient that nothing refers to."""

    begin: Begin
    clock: Clock

    @permitted(Permission.DELETE_PATIENTS)
    def __call__(self, actor: Actor, patient_id: int) -> None:
        delete_unused(
            self.begin,
            actor,
            patient_id,
            at=self.clock(),
            kind=PATIENT,
            action=AuditAction.PATIENT_DELETED,
            may_go=Patient.ensure_not_merged,
        )


def create_patient(
    work: UnitOfWork,
    actor: Actor,
    draft: PatientDraft,
    at: datetime,
    zone: tzinfo,
    *,
    external_record: str | None = None,
    is_name_required: bool = True,
    **notes: str,
) -> Patient:
    """Create a patient within a unit of work.

    ``external_record`` is the data of the hospital's system.
    """
    actor.require(Permission.WRITE_PATIENTS)
    known = Patient(name="", first_surname="", external_record=external_record)
    patient = validate_patient(work, draft, known, day_of(at, zone), is_name_required=is_name_required)
    work.patients.add(patient)
    work.audit_log.append(entry(actor, at, AuditAction.PATIENT_CREATED, after=patient, **notes))
    return patient


def correct_patient(
    work: UnitOfWork,
    actor: Actor,
    before: Patient,
    draft: PatientDraft,
    at: datetime,
    zone: tzinfo,
    **notes: str,
) -> Patient:
    """Update a patient, who is locked, within a unit of work.

    A patient without a name may stay without one.
    """
    actor.require(Permission.WRITE_PATIENTS)
    before.ensure_not_merged()
    patient = validate_patient(work, draft, before, day_of(at, zone), is_name_required=bool(before.name))
    if patient != before:
        work.patients.save(patient)
        work.audit_log.append(entry(actor, at, AuditAction.PATIENT_UPDATED, before=before, after=patient, **notes))
    return patient


def validate_patient(
    work: UnitOfWork, draft: PatientDraft, known: Patient, today: date, *, is_name_required: bool
) -> Patient:
    """Validate the form of a patient. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    name = checks.required_line("name", draft.name) if is_name_required else checks.optional_line("name", draft.name)
    patient = Patient(
        id=known.id,
        name=name or "",
        first_surname=checks.required_line("first_surname", draft.first_surname),
        second_surname=checks.optional_line("second_surname", draft.second_surname),
        date_of_birth=checks.date_not_in_future("date_of_birth", draft.date_of_birth, today),
        active=checks.boolean("active", draft.active),
        record_number=checks.optional_line("record_number", draft.record_number),
        # A patient with a given name is identified.
        unidentified_number=None if name else known.unidentified_number,
        external_record=known.external_record,
    )
    ensure_unique(work, checks, PATIENT, patient)
    checks.raise_if_invalid()
    return patient


class ListPatients(ListReader[PatientView, PatientQuery]):
    """The patients, by name. Each access is in the audit log."""

    kind = PATIENT
    permission = Permission.READ_PATIENTS
    item_type = PatientView
    sorts = PATIENT_SORTS
    recorded = True
    access = PatientAccess
