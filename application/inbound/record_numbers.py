"""Find patients by their current and former record numbers."""

from dataclasses import replace
from datetime import datetime

from application.audit.audit_log import entry
from application.common.entities import AuditAction
from application.inbound.admission_message import Authority
from application.inbound.work import UnitOfWork
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.common.validation import Validator
from domain.people.patient import Patient, is_same_authority


def patient_by_record_number(work: UnitOfWork, number: str) -> int | None:
    """Return the patient with a current or former record number.

    For a merged record it is the surviving one.
    """
    known = work.patients.find("record_number", code_key(number))
    return (known.merged_into or known.id) if known else work.former_record_numbers.whose(number)


def patient_by_assigned_number(work: UnitOfWork, number: str, authority: Authority) -> int | None:
    """Return the patient whom an authority's number means.

    Raise ``Refused`` (record_number.of_another_authority) if the number is known, but of another authority.
    """
    holder = patient_by_record_number(work, number)
    if not authority.names:
        return holder
    known = work.number_authorities.patients_by_authority(number)
    for name, patient_id in known.items():
        if any(is_same_authority(name, one) for one in authority.names):
            return _surviving_id(work, patient_id)
    others = [name for name, patient_id in known.items() if _surviving_id(work, patient_id) == holder]
    others = others or [authority.hospital] if authority.hospital else others
    if holder is not None and others:
        raise Refused(
            Reason(
                Code.RECORD_NUMBER_OF_ANOTHER_AUTHORITY,
                params={"number": number, "value": authority.names[0], "known": ", ".join(others), "patient": holder},
            )
        )
    return holder


def record_authority(work: UnitOfWork, number: str, authority: Authority, patient_id: int) -> None:
    """Store that the authority's number means this patient."""
    known = work.number_authorities.patients_by_authority(number)
    same = [name for name in known if any(is_same_authority(name, one) for one in authority.names)]
    for name in same or authority.names[:1]:
        if name not in known or _surviving_id(work, known[name]) != patient_id:
            work.number_authorities.set_patient(number, name, patient_id)


def _surviving_id(work: UnitOfWork, patient_id: int) -> int:
    known = work.patients.get(patient_id)
    return (known.merged_into if known else None) or patient_id


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
