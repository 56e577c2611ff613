"""Create, update and delete patients."""

from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from application.common.draft import Draft
from application.common.entities import PATIENT
from application.people.patient_access import PatientAccess
from application.people.views import PATIENT_SORTS, PatientQuery, PatientView
from application.people.work import UnitOfWork
from application.records.crud import Create, Crud, Delete, Update, add_entity, ensure_unique, save_entity
from application.records.list_reader import ListReader
from domain.common.day import day_of
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
    add_entity(work, actor, PATIENT, patient, at, **notes)
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
    """Update a patient, who is locked, within a unit of work."""
    actor.require(Permission.WRITE_PATIENTS)
    patient = _validate_changes(work, draft, before, day_of(at, zone))
    save_entity(work, actor, PATIENT, before, patient, at, **notes)
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


def _validate_new(work: UnitOfWork, draft: PatientDraft, id: int, today: date) -> Patient:
    return validate_patient(work, draft, Patient(id=id, name="", first_surname=""), today, is_name_required=True)


def _validate_changes(work: UnitOfWork, draft: PatientDraft, before: Patient, today: date) -> Patient:
    """Validate the form of a known patient.

    One without a name may stay without one.
    """
    before.ensure_not_merged()
    return validate_patient(work, draft, before, today, is_name_required=bool(before.name))


PATIENTS = Crud(
    kind=PATIENT,
    permission=Permission.WRITE_PATIENTS,
    validate=_validate_new,
    optional=("record_number", "active"),
)


class CreatePatient(Create[Patient, PatientDraft]):
    """Register a patient. The date of birth must not be in the future."""

    rules = PATIENTS


class UpdatePatient(Update[Patient, PatientDraft]):
    """Update a patient's data."""

    rules = PATIENTS

    def validate(self, work: UnitOfWork, draft: PatientDraft, before: Patient, today: date) -> Patient:
        """Validate the draft. Refuse it for a patient who was merged."""
        return _validate_changes(work, draft, before, today)


class DeletePatient(Delete):
    """Delete a patient that nothing refers to."""

    rules = replace(PATIENTS, permission=Permission.DELETE_PATIENTS)

    def ensure_removable(self, patient: Patient) -> None:
        """Refuse a patient who was merged."""
        patient.ensure_not_merged()


class ListPatients(ListReader[PatientView, PatientQuery]):
    """The patients, by name. Each access is in the audit log."""

    kind = PATIENT
    permission = Permission.READ_PATIENTS
    item_type = PatientView
    sorts = PATIENT_SORTS
    recorded = True
    access = PatientAccess
