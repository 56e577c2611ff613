"""Apply a message to the sheet of its visit."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial

from application.audit.audit_log import entry
from application.common.entities import AuditAction
from application.inbound.admission_message import visit_of_admission
from application.inbound.message_context import (
    ADMITTING,
    CORRECTING,
    MOVING,
    OF_CLASS,
    OPENING,
    ApplyResult,
    MessageContext,
    leaves_sheet_unopened,
)
from application.inbound.patient_of_message import (
    find_patient,
    patient_by_number,
    require_same_person,
    update_patient,
)
from application.inbound.record_numbers import patient_by_assigned_number
from application.inbound.rooms_of_visit import find_room_id, move, room_event, room_event_of
from application.sheets.admission_data import PATIENT_CLASS
from application.sheets.open_sheet import open_sheet
from application.sheets.sheet_draft import SheetDraft
from application.sheets.update_sheet import first_day
from domain.common.day import day_of
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Permission
from domain.interop.external_record import ExternalRecord, RoomEventKind, Value
from domain.interop.inbound_message import InboundState
from domain.people.patient import Patient
from domain.sheets.sheet import PatientSheet, check_not_before_admission, of_patients

# A sheet that was opened by hand belongs to the visit if the days of admission differ by at most this.
_SAME_ADMISSION = timedelta(days=1)


def apply_to_visit(context: MessageContext) -> ApplyResult:
    """Apply the message to the sheet of its visit, or open that sheet."""
    visit_number = context.message.visit_number
    if visit_number is None:
        return _apply_without_visit(context)
    sheet = _sheet_of_visit(context, visit_number)
    if sheet is None and not context.message.class_taken and not context.opens_sheet:
        _require_known_class(context)
        # It is applied if a later message opens the visit's sheet.
        return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_PATIENT_CLASS), waiting=True)
    context.require_readable_moments()
    if sheet is not None:
        return _apply_to_known_visit(context, sheet)
    if not (context.message.kind in OPENING or context.opens_sheet or _takes_the_place_of_admission(context)):
        raise Refused(Reason(Code.VISIT_UNKNOWN, params={"visit": visit_number}))
    return _admit(context, visit_number)


def _apply_without_visit(context: MessageContext) -> ApplyResult:
    """Correct a known patient, or open a sheet if a user decided that."""
    if context.opens_sheet:
        context.require_readable_moments()
        return _admit(context, None)
    if context.message.kind == "A08":
        context.require_readable_moments()
        patient = patient_by_number(context)
        if patient is not None:
            return ApplyResult(InboundState.APPLIED, patient_id=update_patient(context, patient).id)
        return ApplyResult(InboundState.IGNORED, Reason(Code.VISIT_MISSING), waiting=True)
    if not context.message.class_taken:
        _require_known_class(context)
        return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_PATIENT_CLASS))
    raise Refused(Reason(Code.VISIT_MISSING))


def _require_known_class(context: MessageContext) -> None:
    """Raise ``Refused`` (message.class_unknown) for a class that is in no map."""
    if context.message.unknown_class is not None:
        raise Refused(Reason(Code.PATIENT_CLASS_UNKNOWN, params={"value": context.message.unknown_class}))


def _sheet_of_visit(context: MessageContext, visit_number: str) -> PatientSheet | None:
    """Return the sheet of the visit.

    If record number and admission are the visit, it may have a former record number of the patient. Unless the message
    admits the patient, it may also be their only open sheet of about that day: the admission may have been corrected.
    """
    message = context.message
    sheet = _find_sheet(context, visit_number)
    if sheet is not None or not message.is_visit_of_admission or not (message.record_number and message.admitted_at):
        return sheet
    patient_id = patient_by_assigned_number(context.work, message.record_number, message.authority)
    patient = patient_id and context.work.patients.get(patient_id)
    if not patient:
        return None
    for number in filter(None, [patient.record_number, *context.work.former_record_numbers.of(patient.id)]):
        visit = visit_of_admission(number, message.admitted_at, context.zone)
        if (sheet := _find_sheet(context, visit)) is not None:
            return sheet
    if message.kind in ADMITTING or message.admission_date is None:
        return None
    near = [
        one
        for one in of_patients(context.work.sheets.find_many("patient_id", [patient.id]))
        if one.visit_number and not one.closed and abs(one.admission_date - message.admission_date) <= _SAME_ADMISSION
    ]
    return near[0] if len(near) == 1 else None


def _find_sheet(context: MessageContext, visit_number: str) -> PatientSheet | None:
    return next(iter(of_patients(context.work.sheets.find_many("visit_number", [visit_number]))), None)


def _takes_the_place_of_admission(context: MessageContext) -> bool:
    """Return whether the message opens the sheet instead of the admission.

    That is so if the admission had another class, or no bed.
    """
    message = context.message
    if message.kind not in ("A02", "A08") or message.location is None:
        return False
    assert message.visit_number is not None, "the caller checks it"
    return any(
        leaves_sheet_unopened(code, kind) and (message.class_sent or code not in OF_CLASS)
        for code, kind in context.work.inbound_messages.waiting_reasons(
            message.visit_number, besides=context.message_id
        )
    )


def _admit(context: MessageContext, visit_number: str | None) -> ApplyResult:
    room_id = find_room_id(context)
    patient = update_patient(context, find_patient(context))
    day = context.message.admission_date or day_of(context.message.event_at, context.zone)
    others = _manually_opened_sheets(context, patient)
    near = [sheet for sheet in others if abs(sheet.admission_date - day) <= _SAME_ADMISSION]
    if len(near) == 1 and visit_number is not None:
        mine = near[0]
        mine.visit_number = visit_number
        return _update_sheet(context, mine, patient)
    if near:
        context.ask(Code.SHEET_UNCLEAR, sheets=_numbers_of(near), patient=patient.id)
    fields = _stay_fields(context)
    record, _ = ExternalRecord().merge(context.order, fields)
    if context.message.kind not in ADMITTING:
        record = record.add_room_event(room_event(context, RoomEventKind.OPENED, room_id))
    kind = RoomEventKind.ADMITTED if context.message.kind in ADMITTING else _kind_of_first_event(context)
    sheet = open_sheet(
        context.work,
        context.actor,
        SheetDraft(
            patient_id=patient.id,
            room_id=room_id,
            admission_date=day,
            diagnosis=fields.get("diagnosis"),
            doctor=fields.get("doctor"),
        ),
        context.now,
        visit_number=visit_number,
        external_record=record.add_room_event(room_event(context, kind, room_id)).to_json,
        **context.notes,
    )
    note = Reason(Code.OTHER_SHEET_OPEN, params={"sheets": _numbers_of(others)}) if others else None
    return ApplyResult(InboundState.APPLIED, note, sheet_id=sheet.id, patient_id=patient.id)


def _kind_of_first_event(context: MessageContext) -> RoomEventKind:
    return RoomEventKind.CORRECTED if context.message.kind == "A08" else RoomEventKind.MOVED


def _manually_opened_sheets(context: MessageContext, patient: Patient) -> list[PatientSheet]:
    """Return the patient's open sheets without a visit number, locked."""
    return [
        sheet
        for sheet in of_patients(context.work.sheets.find_many("patient_id", [patient.id], locked=True))
        if not sheet.closed and sheet.visit_number is None
    ]


def _apply_to_known_visit(context: MessageContext, sheet: PatientSheet) -> ApplyResult:
    """Apply the message to the sheet of a known visit.

    The patient in the message must be the sheet's patient.
    """
    context.actor.require(Permission.EDIT_SHEETS)
    if context.message.record_number is None and context.answered_patient_id is None:
        patient = context.work.patients.lock(sheet.patient_id)
        if patient is not None:
            require_same_person(context, patient)
    else:
        patient = patient_by_number(context)
    if patient is None or patient.id != sheet.patient_id:
        number = context.message.record_number or ""
        raise Refused(Reason(Code.VISIT_OF_ANOTHER, params={"number": number, "patient": sheet.patient_id}))
    if context.message.kind in CORRECTING:
        patient = update_patient(context, patient)
    locked = context.work.sheets.lock(sheet.id)
    assert isinstance(locked, PatientSheet), "its patient is locked, so it cannot be deleted"
    return _update_sheet(context, locked, patient)


def _stay_fields(context: MessageContext) -> dict[str, Value]:
    """Return the stay's data in the message, with the data for billing."""
    return {**context.message.billing, **_event_fields(context)}


def _event_fields(context: MessageContext) -> dict[str, Value]:
    """Return the stay's data that an event of this kind changes."""
    match context.message.kind:
        case "A03":
            return {"discharged": (context.message.discharged_at or context.message.event_at).isoformat()}
        case "A13":
            return {"discharged": None}
        case "A11":
            return {"cancelled": context.message.event_at.isoformat()}
        case "A02" | "A12":
            return {}
    fields = dict(context.message.particulars)
    if context.message.admission_date is not None:
        fields["admission_date"] = context.message.admission_date.isoformat()
    return fields | ({"cancelled": None} if context.message.kind in ADMITTING else {})


def _update_sheet(context: MessageContext, sheet: PatientSheet, patient: Patient) -> ApplyResult:
    """Apply new data to the sheet, which is locked."""
    about = partial(ApplyResult, sheet_id=sheet.id, patient_id=patient.id)
    kind = context.message.kind
    before = replace(sheet)
    known = ExternalRecord.from_json(sheet.external_record)
    record, news = known.merge(context.order, _stay_fields(context))
    told = {PATIENT_CLASS: news[PATIENT_CLASS] or ""} if PATIENT_CLASS in news and known.fields else {}
    if sheet.closed and kind in CORRECTING:
        # Billing gets it if the sheet is reopened and closed again.
        sheet.external_record = known.merge(context.order, context.message.billing)[0].to_json
        context.work.sheets.save(sheet)
        if told:
            _log_update(context, AuditAction.SHEET_UPDATED, before, sheet, told)
        return about(InboundState.APPLIED, Reason(Code.SHEET_CLOSED))
    if sheet.closed and kind in MOVING:
        return about(InboundState.IGNORED, Reason(Code.SHEET_CLOSED))
    if sheet.closed and kind == "A13" and "discharged" in news:
        raise Refused(Reason(Code.DISCHARGE_UNDONE, params={"sheet": sheet.id}))
    note = _correct(context, sheet, news)
    if "discharged" in news:
        sheet.discharge_proposed_at = _moment(news["discharged"])
    if "cancelled" in news:
        sheet.admission_cancelled_at = _moment(news["cancelled"])
    if news.keys() & {"discharged", "admission_date"}:
        note = note or _note_on_discharge(context, sheet)
    event = room_event_of(context, sheet)
    is_moved = False
    if event is not None:
        record, is_moved = move(context, sheet, known, record, event)
    if is_moved or told or replace(sheet, version=before.version) != before:
        if sheet.version == before.version:
            sheet.touch()
        is_transfer = is_moved and kind in MOVING
        action = AuditAction.SHEET_TRANSFERRED if is_transfer else AuditAction.SHEET_UPDATED
        moved_at = {"moved_at": context.message.event_at.isoformat()} if is_transfer else {}
        _log_update(context, action, before, sheet, told | moved_at)
    elif kind == "A12" and event is not None and known.rooms and event.room_id == sheet.room_id:
        note = note or Reason(Code.ALREADY_IN_ROOM)
    elif context.order < known.last_sort_key:
        note = note or Reason(Code.MESSAGE_OUTDATED)
    sheet.external_record = record.to_json
    context.work.sheets.save(sheet)
    is_outdated = note is not None and note.code is Code.MESSAGE_OUTDATED
    return about(InboundState.IGNORED if is_outdated else InboundState.APPLIED, note)


def _log_update(
    context: MessageContext, action: AuditAction, before: PatientSheet, after: PatientSheet, notes: dict[str, str]
) -> None:
    """Log a change of the sheet, with notes about what no field of it shows."""
    audit_entry = entry(context.actor, context.now, action, before=before, after=after, **notes, **context.notes)
    context.work.audit_log.append(audit_entry)


def _correct(context: MessageContext, sheet: PatientSheet, news: Mapping[str, Value]) -> Reason | None:
    """Correct the admission data.

    A day of admission after the first use is not applied.
    """
    if not news.keys() & {"doctor", "diagnosis", "admission_date"}:
        return None
    day, note = sheet.admission_date, None
    if news.get("admission_date"):
        day = date.fromisoformat(news["admission_date"] or "")
        used = first_day(context.work, sheet.id, context.zone)
        if used is not None and (speaks_against := check_not_before_admission(used, day)):
            day, note = sheet.admission_date, speaks_against[0]
    sheet.update_admission(
        patient_id=sheet.patient_id,
        room_id=sheet.room_id,
        admission_date=day,
        diagnosis=news.get("diagnosis", sheet.diagnosis) or "",
        doctor=news.get("doctor", sheet.doctor) or "",
        first_used=None,
    )
    return note


def _note_on_discharge(context: MessageContext, sheet: PatientSheet) -> Reason | None:
    """Return a note on a discharge before the admission."""
    at = sheet.discharge_proposed_at
    if at is None:
        return None
    local = at.astimezone(context.zone)
    admitted_at = context.message.admitted_at if at == context.message.discharged_at else None
    # A day without a time cannot be compared with a time of that day.
    is_earlier = local.time() > time.min and admitted_at is not None and at < admitted_at
    if local.date() < sheet.admission_date or is_earlier:
        return Reason(Code.PROPOSED_DISCHARGE_TOO_EARLY, params={"value": f"{local:%Y-%m-%d %H:%M}"})
    return None


def _numbers_of(sheets: Iterable[PatientSheet]) -> str:
    return ", ".join(str(sheet.id) for sheet in sheets)


def _moment(text: Value) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
