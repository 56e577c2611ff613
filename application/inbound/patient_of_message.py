"""Find and update the patient of a message."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from application.common.nothing import may_mean_no_day
from application.inbound.message_context import ApplyResult, MessageContext
from application.inbound.names import may_be_called_alike, names_key
from application.inbound.record_numbers import (
    patient_by_assigned_number,
    patient_by_record_number,
    record_authority,
)
from application.people.patients import PatientDraft, correct_patient, create_patient
from application.people.views import PatientQuery
from domain.common.errors import Code, Reason, Refused
from domain.common.text import fold_person
from domain.interop.external_record import ExternalRecord, Value
from domain.interop.inbound_message import InboundState
from domain.people.patient import Patient
from domain.people.surnames import place_surnames, without_second

# The personal data that the hospital's system sends. The record number is not part of it, because it identifies the
# patient.
PERSON = ("name", "first_surname", "second_surname", "date_of_birth")
_MAX_NAMESAKES = 100


def register_patient(context: MessageContext) -> ApplyResult:
    context.require_readable_moments()
    return ApplyResult(InboundState.APPLIED, patient_id=update_patient(context, find_patient(context)).id)


def find_patient(context: MessageContext) -> Patient | None:
    """Return the patient of the message, locked.

    It is the one with the record number, or else one who was registered before without a record number.
    """
    patient = patient_by_number(context)
    return _registered_by_hand(context) if patient is None and context.message.record_number is not None else patient


def patient_by_number(context: MessageContext) -> Patient | None:
    """Return the patient with the message's record number, locked."""
    message = context.message
    if context.answered_patient_id is not None:
        answered = surviving_patient(context, context.answered_patient_id)
        if answered is not None and message.record_number is not None:
            record_authority(context.work, message.record_number, message.authority, answered.id)
        return answered
    if message.record_number is None:
        raise Refused(Reason(Code.RECORD_NUMBER_MISSING))
    patient_id = patient_by_assigned_number(context.work, message.record_number, message.authority)
    patient = None if patient_id is None else surviving_patient(context, patient_id)
    if patient is not None:
        require_same_person(context, patient)
        record_authority(context.work, message.record_number, message.authority, patient.id)
    return patient


def require_same_person(context: MessageContext, patient: Patient) -> None:
    """Raise ``Refused`` (message.person_differs) for another person.

    That is so if surname, given name and birth date all differ, unless a user selected the patient. Values that the
    hospital's system sent before do not count: a user may have corrected them since.
    """
    sent, known = context.message.person, ExternalRecord.from_json(patient.external_record)
    born = patient.date_of_birth
    has = {
        "first_surname": patient.first_surname,
        "name": patient.name,
        "date_of_birth": None if born is None or may_mean_no_day(born, is_birthday=True) else born.isoformat(),
    }
    if context.answered_patient_id is None and all(
        sent.get(name)
        and value
        and fold_person(sent[name] or "") not in map(fold_person, (value, known.value(name) or ""))
        for name, value in has.items()
    ):
        raise Refused(Reason(Code.PERSON_DIFFERS, params={"patient": patient.id}))


def _registered_by_hand(context: MessageContext) -> Patient | None:
    """Return the unnumbered patient with these names and birth date, locked.

    A patient who may be the same person, but not certainly, causes a question.
    """
    person = context.message.person
    given, surname = person.get("name"), person.get("first_surname")
    if not given or not surname:
        return None
    wanted = Patient(name=given, first_surname=surname, second_surname=person.get("second_surname"))
    query = PatientQuery(q=f"{given} {surname}", unnumbered=True, limit=_MAX_NAMESAKES)
    listed = [one["id"] for one in context.work.views.patients.page(query)["items"]]
    namesakes = [
        one
        for one in context.work.patients.find_many("id", listed, locked=True)
        if one.merged_into is None and one.record_number is None and may_be_called_alike(one, wanted)
    ]
    assert context.message.record_number is not None, "the caller checks it"
    meanwhile = patient_by_record_number(context.work, context.message.record_number)
    if meanwhile is not None:
        return surviving_patient(context, meanwhile)
    born = person.get("date_of_birth")
    possible = [one for one in namesakes if not born or one.date_of_birth in (None, date.fromisoformat(born))]
    if len(possible) == 1 and born and possible[0].date_of_birth and names_key(possible[0]) == names_key(wanted):
        return possible[0]
    if possible:
        context.ask(Code.PATIENT_UNCLEAR, patients=", ".join(str(one.id) for one in possible))
    return None


def surviving_patient(context: MessageContext, patient_id: int) -> Patient | None:
    """Return the patient, or the record that it was merged into; locked."""
    patient = context.work.patients.lock(patient_id)
    return context.work.patients.lock(patient.merged_into) if patient and patient.merged_into else patient


def update_patient(context: MessageContext, patient: Patient | None) -> Patient:
    """Update the patient with newer data of the message, or create one."""
    person = context.message.person
    record, news = ExternalRecord.from_json(patient.external_record if patient else None).merge(context.order, person)
    number = context.message.record_number
    if patient is None:
        draft = draft_of(_without_repeated_surname(dict.fromkeys(PERSON) | news), record_number=number, active=1)
        created = create_patient(
            context.work,
            context.actor,
            draft,
            context.now,
            context.zone,
            external_record=record.to_json,
            is_name_required=False,
            **context.notes,
        )
        if number is not None:
            record_authority(context.work, number, context.message.authority, created.id)
        return created
    if (
        patient.record_number is not None
        or number is None
        or patient_by_record_number(context.work, number) is not None
    ):
        number = patient.record_number
    if news or number != patient.record_number:
        as_it_is = {name: text_of(getattr(patient, name)) for name in PERSON}
        draft = draft_of(
            _separate_surnames(context, patient, as_it_is | news), record_number=number, active=int(patient.active)
        )
        patient = correct_patient(
            context.work, context.actor, patient, draft, context.now, context.zone, **context.notes
        )
    return save_external_record(context, patient, record)


def _separate_surnames(context: MessageContext, patient: Patient, person: Mapping[str, Value]) -> dict[str, Value]:
    """Remove the second surname from a first surname that includes it.

    PID-5 may have both surnames in one. Raise ``Refused`` (message.surnames_unclear) if PID-5 may have a second
    surname other than the known one.
    """
    if {"first_surname", "second_surname"} <= context.message.person.keys():
        return _without_repeated_surname(person)
    told, known = person["first_surname"] or "", person["second_surname"]
    placed = place_surnames(told, patient.first_surname, known)
    if placed is None:
        raise Refused(Reason(Code.SURNAMES_UNCLEAR, params={"value": told, "known": known}))
    return dict(person) | {"first_surname": placed[0], "second_surname": placed[1]}


def _without_repeated_surname(person: Mapping[str, Value]) -> dict[str, Value]:
    first, second = person["first_surname"], person["second_surname"]
    return dict(person) | {"first_surname": without_second(first, second) if first else first}


def save_external_record(context: MessageContext, patient: Patient, record: ExternalRecord) -> Patient:
    if patient.external_record != record.to_json:
        patient = replace(patient, external_record=record.to_json)
        context.work.patients.save(patient)
    return patient


def text_of(value: Any) -> Value:
    return value.isoformat() if isinstance(value, date) else value


def draft_of(person: Mapping[str, Value], record_number: str | None, active: int) -> PatientDraft:
    born = person.get("date_of_birth")
    return PatientDraft(
        name=person.get("name"),
        first_surname=person.get("first_surname"),
        second_surname=person.get("second_surname"),
        date_of_birth=date.fromisoformat(born) if born else None,
        record_number=record_number,
        active=active,
    )
