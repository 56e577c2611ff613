"""Find patients by their current and former record numbers."""

from dataclasses import replace
from datetime import datetime

from application.audit.audit_log import entry
from application.entities import AuditAction
from application.ports.unit_of_work import UnitOfWork
from domain.patient import Patient
from domain.policy import Actor, Permission
from domain.text import code_key
from domain.validation import Validator


def patient_by_record_number(work: UnitOfWork, number: str) -> int | None:
    """Return the patient with a current or former record number.

    For a merged record it is the surviving one.
    """
    known = work.patients.find("record_number", code_key(number))
    return (known.merged_into or known.id) if known else work.former_record_numbers.whose(number)


def set_record_number(
    work: UnitOfWork, actor: Actor, patient: Patient, number: str, at: datetime, **notes: str
) -> None:
    """Make the number find the patient from now on.

    It becomes the record number if the patient has none, otherwise a former one.
    """
    if patient.record_number is None:
        _give_number(work, actor, patient, number, at, **notes)
        return
    actor.require(Permission.MERGE_PATIENTS)
    work.former_record_numbers.add(patient.id, number)
    audit_entry = entry(
        actor, at, AuditAction.PATIENT_UPDATED, before=patient, after=patient, former_record_number=number, **notes
    )
    work.audit_log.append(audit_entry)


def _give_number(work: UnitOfWork, actor: Actor, patient: Patient, number: str, at: datetime, **notes: str) -> None:
    actor.require(Permission.WRITE_PATIENTS)
    checks = Validator()
    numbered = replace(patient, record_number=checks.optional_line("record_number", number))
    checks.raise_if_invalid()
    work.patients.save(numbered)
    work.audit_log.append(entry(actor, at, AuditAction.PATIENT_UPDATED, before=patient, after=numbered, **notes))
