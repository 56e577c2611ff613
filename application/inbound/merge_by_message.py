"""Merge patients as a message says."""

from dataclasses import replace

from application.inbound.message_context import ApplyResult, MessageContext
from application.inbound.patient_of_message import (
    PERSON,
    draft_of,
    require_same_person,
    save_external_record,
    surviving_patient,
    text_of,
    update_patient,
)
from application.inbound.record_numbers import (
    patient_by_assigned_number,
    patient_by_record_number,
    record_authority,
    set_record_number,
)
from application.people.merge_patients import merge_into
from application.people.patients import correct_patient
from domain.common.errors import Code, Reason, Refused
from domain.common.text import code_key
from domain.interop.external_record import ExternalRecord
from domain.interop.inbound_message import InboundState
from domain.people.patient import Patient

# Events that replace a number, and do not merge two patients.
_RENUMBERING = ("A47",)
# The field of the external record with the number that the newest merge keeps.
_SURVIVING = "record_number"


def merge_patients(context: MessageContext) -> ApplyResult:
    """Merge two patients, or give one its new record number."""
    context.require_readable_moments()
    prior_number, number = context.message.prior_number, context.message.record_number
    if prior_number is None or number is None:
        raise Refused(Reason(Code.RECORD_NUMBER_MISSING))
    if context.message.merges > 1:
        raise Refused(Reason(Code.MERGE_OF_SEVERAL))
    message = context.message
    prior_id, into_id = (
        patient_by_assigned_number(context.work, prior_number, message.prior_authority),
        patient_by_assigned_number(context.work, number, message.authority),
    )
    named = surviving_patient(context, into_id or prior_id or 0)
    if named is not None:
        require_same_person(context, named)
    if prior_id and into_id and prior_id != into_id:
        if context.message.kind in _RENUMBERING:
            raise Refused(Reason(Code.MERGE_UNCLEAR, params={"prior": prior_number, "number": number}))
        patient = _merge_two(context, prior_id, into_id)
    elif named is None:
        reason = Reason(Code.MERGE_OF_UNKNOWN, params={"prior": prior_number, "number": number})
        return ApplyResult(InboundState.IGNORED, reason, waiting=True)
    else:
        patient = named
        if into_id is None:
            patient = _renumber(context, patient, number)
        elif prior_id is None:
            patient = _set_record_number(context, patient, prior_number)
        patient = update_patient(context, patient)
    patient = _keep_surviving_number(context, patient, number)
    for assigned, authority in ((prior_number, message.prior_authority), (number, message.authority)):
        record_authority(context.work, assigned, authority, patient.id)
    return ApplyResult(InboundState.APPLIED, patient_id=patient.id)


def _keep_surviving_number(context: MessageContext, patient: Patient, number: str) -> Patient:
    """Make the number of the newest merge the record number.

    The other one stays valid. Two merges may be in opposite directions. A number that another authority gave to another
    patient stays with that one.
    """
    if patient_by_record_number(context.work, number) not in (None, patient.id):
        return patient
    record, news = ExternalRecord.from_json(patient.external_record).merge(context.order, {_SURVIVING: number})
    if news and code_key(number) != code_key(patient.record_number or ""):
        absorbed = context.work.patients.find("record_number", code_key(number))
        if absorbed is not None:
            context.work.patients.save(replace(absorbed, record_number=None))
        context.work.former_record_numbers.remove(number)
        patient = _renumber(context, patient, number)
    return save_external_record(context, patient, record)


def _renumber(context: MessageContext, patient: Patient, number: str) -> Patient:
    """Give the patient an unused record number; the former one stays valid."""
    former = patient.record_number
    draft = draft_of({name: text_of(getattr(patient, name)) for name in PERSON}, number, int(patient.active))
    patient = correct_patient(context.work, context.actor, patient, draft, context.now, context.zone, **context.notes)
    return patient if former is None else _set_record_number(context, patient, former)


def _set_record_number(context: MessageContext, patient: Patient, number: str) -> Patient:
    """Make the number find the patient from now on."""
    set_record_number(context.work, context.actor, patient, number, context.now, **context.notes)
    return patient


def _merge_two(context: MessageContext, prior_id: int, into_id: int) -> Patient:
    """Merge two records.

    Data that the surviving record has is not overwritten by older messages about either record.
    """
    prior, survivor = context.work.patients.get(prior_id), context.work.patients.get(into_id)
    assert prior is not None, "its number finds it"
    assert survivor is not None, "its number finds it"
    reason = f"ADT^{context.message.kind} {context.message.control_id}"
    merged = merge_into(
        context.work,
        context.actor,
        prior.id,
        survivor.id,
        context.now,
        reason=reason,
        message_id=str(context.message_id),
    )
    of_prior = ExternalRecord.from_json(prior.external_record).fields
    fields = dict(ExternalRecord.from_json(survivor.external_record).fields)
    fields |= {name: of_prior[name] for name in survivor.blank_fields_known_by(prior) if name in of_prior}
    merged = update_patient(context, replace(merged, external_record=ExternalRecord(fields).to_json))
    fields = dict(ExternalRecord.from_json(merged.external_record).fields)
    for name in PERSON:
        value = text_of(getattr(merged, name))
        if getattr(survivor, name) and (name not in fields or fields[name][0] < context.order):
            fields[name] = (context.order, value)
    return save_external_record(context, merged, ExternalRecord(fields))
