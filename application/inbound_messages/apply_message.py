"""Apply an ADT message to patients and sheets.

Everything happens in one unit of work, and by the same rules as the use cases.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from application.audit.audit_log import entry
from application.entities import PATIENT, AuditAction
from application.inbound_messages.admission_message import AdmissionMessage
from application.people.merge_patients import merge_into
from application.people.patients import PatientDraft, correct_patient, create_patient
from application.ports.unit_of_work import UnitOfWork
from application.sheets.open_sheet import open_sheet
from application.sheets.sheet_draft import SheetDraft
from application.sheets.update_sheet import first_day
from application.views.people import PatientQuery
from domain.day import day_of, start_of
from domain.errors import Code, Reason, Refused
from domain.interop.external_record import ExternalRecord, RoomEvent, RoomEventKind, Value, event_sort_key, room_periods
from domain.interop.inbound_message import InboundState
from domain.patient import Patient
from domain.policy import Actor, Permission
from domain.sheet import Sheet, check_not_before_admission
from domain.stay import Transfer
from domain.text import fold, unique_key
from domain.validation import Validator

OPENING = frozenset({"A01", "A04"})
CORRECTING = OPENING | {"A08"}
MOVING = {"A02": RoomEventKind.MOVED, "A12": RoomEventKind.MOVED_BACK}
VISITS = CORRECTING | MOVING.keys() | {"A03", "A11", "A13"}
PATIENTS = frozenset({"A28", "A31"})
MERGES = frozenset({"A18", "A34", "A40"})

# The personal data that the hospital's system sends. The record number is not part of it, because it identifies the
# patient.
_PERSON = ("name", "first_surname", "second_surname", "date_of_birth")
# A sheet that was opened by hand belongs to the visit if the days of admission differ by at most this.
_SAME_ADMISSION = timedelta(days=1)
# The questions that hold a message until an administrator retries it, in the order in which they are checked.
_QUESTIONS = (Code.CONTROL_ID_REUSED, Code.MOMENT_UNREADABLE, Code.PATIENT_UNCLEAR, Code.SHEET_UNCLEAR)
# Without these moments a message of these kinds cannot be applied. Other invalid moments are ignored.
_NEEDED_MOMENTS = {"event_at": VISITS | PATIENTS | MERGES, "admitted_at": OPENING, "discharged_at": frozenset({"A03"})}
_MAX_NAMESAKES = 100
# Words in a surname that do not count as a surname of their own.
_PARTICLES = frozenset(
    {"de", "del", "la", "las", "lo", "los", "y", "e", "i", "da", "das", "do", "dos", "di", "du", "van", "von", "der"}
)


class ApplyResult(NamedTuple):
    """The result of applying a message.

    ``waiting`` means that the message is tried again when the missing data arrives.
    """

    state: InboundState
    reason: Reason | None = None
    waiting: bool = False
    sheet_id: int | None = None
    patient_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyMessage:
    """Applies one message as ``actor``.

    If that is impossible, it raises ``Refused``, and nothing is stored.
    """

    work: UnitOfWork
    actor: Actor
    message: AdmissionMessage
    message_id: int
    now: datetime
    zone: tzinfo
    # The patient that a user chose for the message.
    answered_patient_id: int | None = None
    # The questions that a retry answered.
    settled: frozenset[Code] = frozenset()

    def __call__(self) -> ApplyResult:
        kind = self.message.kind
        if kind not in VISITS | PATIENTS | MERGES:
            return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_EVENT, params={"kind": kind}))
        if kind in VISITS:
            result = self._visit()
        elif kind in PATIENTS:
            result = self._register()
        else:
            result = self._merge()
        if self.message.unreadable_moments and result.reason is None:
            left_out = self.message.unreadable_moments[0]
            note = Reason(Code.MOMENT_LEFT_OUT, params={"place": left_out.place, "value": left_out.value})
            result = result._replace(reason=note)
        return result

    def _require_readable_moments(self) -> None:
        """Raise ``Refused`` (message.moment_unreadable) for a required moment."""
        for one in self.message.unreadable_moments:
            if self.message.kind in _NEEDED_MOMENTS.get(one.name, ()):
                self._ask(Code.MOMENT_UNREADABLE, place=one.place, value=one.value)

    def _ask(self, code: Code, **params: object) -> None:
        """Raise ``Refused`` unless that question was answered."""
        if code not in self.settled:
            raise Refused(Reason(code, params=params))

    @property
    def _order(self) -> str:
        return event_sort_key(
            self.message.event_at,
            recorded_at=self.message.recorded_at,
            sent_at=self.message.sent_at,
            sequence=self.message_id,
        )

    @property
    def _notes(self) -> dict[str, str]:
        """Notes for every audit entry of the message."""
        return {"message_id": str(self.message_id)}

    # --- patients ----------------------------------------------------------------------------------------------------

    def _patient_by_number(self) -> Patient | None:
        """Return the patient with the message's record number, locked."""
        if self.answered_patient_id is not None:
            return self._ongoing_visit(self.answered_patient_id)
        if self.message.record_number is None:
            raise Refused(Reason(Code.RECORD_NUMBER_MISSING))
        patient_id = patient_by_record_number(self.work, self.message.record_number)
        return None if patient_id is None else self._ongoing_visit(patient_id)

    def _find_patient(self) -> Patient | None:
        """Return the patient of the message, locked.

        It is the one with the record number, or else one who was registered before without a record number.
        """
        patient = self._patient_by_number()
        return self._registered_by_hand() if patient is None and self.message.record_number is not None else patient

    def _registered_by_hand(self) -> Patient | None:
        """Return the unnumbered patient with these names and birth date, locked.

        A patient who may be the same person, but not certainly, causes a question.
        """
        person = self.message.person
        given, surname = person.get("name"), person.get("first_surname")
        if not given or not surname:
            return None
        wanted = Patient(name=given, first_surname=surname, second_surname=person.get("second_surname"))
        query = PatientQuery(q=f"{given} {surname}", unnumbered=True, limit=_MAX_NAMESAKES)
        listed = [one["id"] for one in self.work.views.patients.page(query)["items"]]
        namesakes = [
            one
            for one in self.work.patients.find_many("id", listed, locked=True)
            if one.merged_into is None and one.record_number is None and _may_be_called_alike(one, wanted)
        ]
        assert self.message.record_number is not None, "asked by whom it is called"
        meanwhile = patient_by_record_number(self.work, self.message.record_number)
        if meanwhile is not None:
            return self._ongoing_visit(meanwhile)
        born = person.get("date_of_birth")
        possible = [one for one in namesakes if not born or one.date_of_birth in (None, date.fromisoformat(born))]
        if len(possible) == 1 and born and possible[0].date_of_birth and _names_key(possible[0]) == _names_key(wanted):
            return possible[0]
        if possible:
            self._ask(Code.PATIENT_UNCLEAR, patients=", ".join(str(one.id) for one in possible))
        return None

    def _ongoing_visit(self, patient_id: int) -> Patient | None:
        """Return the patient, or the record that it was merged into; locked."""
        patient = self.work.patients.lock(patient_id)
        return self.work.patients.lock(patient.merged_into) if patient and patient.merged_into else patient

    def _register(self) -> ApplyResult:
        self._require_readable_moments()
        return ApplyResult(InboundState.APPLIED, patient_id=self._person(self._find_patient()).id)

    def _person(self, patient: Patient | None) -> Patient:
        """Update the patient with newer data of the message, or create one."""
        person = self.message.person
        record, news = ExternalRecord.from_json(patient.external_record if patient else None).merge(self._order, person)
        number = self.message.record_number
        if patient is None:
            draft = _draft(_without_repeated_surname(dict.fromkeys(_PERSON) | news), record_number=number, active=1)
            return create_patient(
                self.work,
                self.actor,
                draft,
                self.now,
                self.zone,
                external_record=record.to_json,
                is_name_required=False,
                **self._notes,
            )
        if (
            patient.record_number is not None
            or number is None
            or patient_by_record_number(self.work, number) is not None
        ):
            number = patient.record_number
        if news or number != patient.record_number:
            as_it_is = {name: _text(getattr(patient, name)) for name in _PERSON}
            draft = _draft(self._surnames(patient, as_it_is | news), record_number=number, active=int(patient.active))
            patient = correct_patient(self.work, self.actor, patient, draft, self.now, self.zone, **self._notes)
        return self._keep_record(patient, record)

    def _surnames(self, patient: Patient, person: Mapping[str, Value]) -> dict[str, Value]:
        """Remove the second surname from a first surname that includes it.

        PID-5 may have both surnames in one. Raise ``Refused`` (message.surnames_unclear) if PID-5 may have a second
        surname other than the known one.
        """
        single = _without_repeated_surname(person)
        first, second = single["first_surname"] or "", single["second_surname"] or ""
        is_sent = {"first_surname", "second_surname"} <= self.message.person.keys()
        is_known = (fold(first), fold(second)) == (fold(patient.first_surname), fold(patient.second_surname or ""))
        is_compound = len([word for word in first.split() if fold(word) not in _PARTICLES]) > 1
        if second and is_compound and single == person and not is_sent and not is_known:
            raise Refused(Reason(Code.SURNAMES_UNCLEAR, params={"value": first, "known": second}))
        return single

    def _keep_record(self, patient: Patient, record: ExternalRecord) -> Patient:
        if patient.external_record != record.to_json:
            patient = replace(patient, external_record=record.to_json)
            self.work.patients.save(patient)
        return patient

    def _merge(self) -> ApplyResult:
        self._require_readable_moments()
        prior_number, number = self.message.prior_number, self.message.record_number
        if prior_number is None or number is None:
            raise Refused(Reason(Code.RECORD_NUMBER_MISSING))
        if self.message.merges > 1:
            raise Refused(Reason(Code.MERGE_OF_SEVERAL))
        prior_id, into_id = (
            patient_by_record_number(self.work, prior_number),
            patient_by_record_number(self.work, number),
        )
        if prior_id and into_id and prior_id != into_id:
            return ApplyResult(InboundState.APPLIED, patient_id=self._merge_two(prior_id, into_id).id)
        patient = self._ongoing_visit(prior_id or into_id or 0)
        if patient is None:
            reason = Reason(Code.MERGE_OF_UNKNOWN, params={"prior": prior_number, "number": number})
            return ApplyResult(InboundState.IGNORED, reason, waiting=True)
        if into_id is None:
            patient = self._renumber(patient, number)
        elif prior_id is None:
            patient = self._set_record_number(patient, prior_number)
        return ApplyResult(InboundState.APPLIED, patient_id=self._person(patient).id)

    def _renumber(self, patient: Patient, number: str) -> Patient:
        """Give the patient an unused record number; the former one stays valid."""
        former = patient.record_number
        draft = _draft({name: _text(getattr(patient, name)) for name in _PERSON}, number, int(patient.active))
        patient = correct_patient(self.work, self.actor, patient, draft, self.now, self.zone, **self._notes)
        return patient if former is None else self._set_record_number(patient, former)

    def _set_record_number(self, patient: Patient, number: str) -> Patient:
        """Make the number find the patient from now on."""
        set_record_number(self.work, self.actor, patient, number, self.now, **self._notes)
        return patient

    def _merge_two(self, prior_id: int, into_id: int) -> Patient:
        """Merge two records.

        Data that the surviving record has is not overwritten by older messages about either record.
        """
        prior, survivor = self.work.patients.get(prior_id), self.work.patients.get(into_id)
        assert prior is not None, "its number finds it"
        assert survivor is not None, "its number finds it"
        reason = f"ADT^{self.message.kind} {self.message.control_id}"
        merged = merge_into(
            self.work, self.actor, prior.id, survivor.id, self.now, reason=reason, message_id=str(self.message_id)
        )
        of_prior = ExternalRecord.from_json(prior.external_record).fields
        fields = dict(ExternalRecord.from_json(survivor.external_record).fields)
        fields |= {name: of_prior[name] for name in survivor.blank_fields_known_by(prior) if name in of_prior}
        merged = self._person(replace(merged, external_record=ExternalRecord(fields).to_json))
        fields = dict(ExternalRecord.from_json(merged.external_record).fields)
        for name in _PERSON:
            value = _text(getattr(merged, name))
            if getattr(survivor, name) and (name not in fields or fields[name][0] < self._order):
                fields[name] = (self._order, value)
        return self._keep_record(merged, ExternalRecord(fields))

    # --- visits ------------------------------------------------------------------------------------------------------

    def _visit(self) -> ApplyResult:
        visit_number = self.message.visit_number
        if visit_number is None:
            raise Refused(Reason(Code.VISIT_MISSING))
        sheet = self.work.sheets.find("visit_number", visit_number)
        if sheet is None and not self.message.class_taken:
            return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_PATIENT_CLASS))
        self._require_readable_moments()
        if sheet is not None:
            return self._apply_to_known_visit(sheet)
        if self.message.kind not in OPENING:
            raise Refused(Reason(Code.VISIT_UNKNOWN, params={"visit": visit_number}))
        return self._admit(visit_number)

    def _admit(self, visit_number: str) -> ApplyResult:
        room_id = self._room_id()
        patient = self._person(self._find_patient())
        day = self.message.admission_date or day_of(self.message.event_at, self.zone)
        others = self._manually_opened_sheet(patient)
        near = [sheet for sheet in others if abs(sheet.admission_date - day) <= _SAME_ADMISSION]
        if len(near) == 1:
            mine = near[0]
            mine.visit_number = visit_number
            return self._update_sheet(mine, patient)
        if near:
            self._ask(Code.SHEET_UNCLEAR, sheets=_numbers_of(near), patient=patient.id)
        fields = self._stay_fields()
        record, _ = ExternalRecord().merge(self._order, fields)
        sheet = open_sheet(
            self.work,
            self.actor,
            SheetDraft(
                patient_id=patient.id,
                room_id=room_id,
                admission_date=day,
                diagnosis=fields.get("diagnosis"),
                doctor=fields.get("doctor"),
            ),
            self.now,
            visit_number=visit_number,
            external_record=record.add_room_event(self._room_event(RoomEventKind.ADMITTED, room_id)).to_json,
            **self._notes,
        )
        note = Reason(Code.OTHER_SHEET_OPEN, params={"sheets": _numbers_of(others)}) if others else None
        return ApplyResult(InboundState.APPLIED, note, sheet_id=sheet.id, patient_id=patient.id)

    def _manually_opened_sheet(self, patient: Patient) -> list[Sheet]:
        """Return the patient's open sheets without a visit number, locked."""
        return [
            sheet
            for sheet in self.work.sheets.find_many("patient_id", [patient.id], locked=True)
            if not sheet.closed and sheet.visit_number is None
        ]

    def _apply_to_known_visit(self, sheet: Sheet) -> ApplyResult:
        """Apply the message to the sheet of a known visit.

        The patient in the message must be the sheet's patient.
        """
        self.actor.require(Permission.EDIT_SHEETS)
        if self.message.record_number is None and self.answered_patient_id is None:
            patient = self.work.patients.lock(sheet.patient_id)
        else:
            patient = self._patient_by_number()
        if patient is None or patient.id != sheet.patient_id:
            number = self.message.record_number or ""
            raise Refused(Reason(Code.VISIT_OF_ANOTHER, params={"number": number, "patient": sheet.patient_id}))
        if self.message.kind in CORRECTING:
            patient = self._person(patient)
        locked = self.work.sheets.lock(sheet.id)
        assert locked is not None, "its patient is locked, so it cannot be deleted"
        return self._update_sheet(locked, patient)

    def _stay_fields(self) -> dict[str, Value]:
        """Return the stay's data in the message, with the data for billing."""
        return {**self.message.billing, **self._event_fields()}

    def _event_fields(self) -> dict[str, Value]:
        """Return the stay's data that an event of this kind changes."""
        match self.message.kind:
            case "A03":
                return {"discharged": (self.message.discharged_at or self.message.event_at).isoformat()}
            case "A13":
                return {"discharged": None}
            case "A11":
                return {"cancelled": self.message.event_at.isoformat()}
            case "A02" | "A12":
                return {}
        fields = dict(self.message.particulars)
        if self.message.admission_date is not None:
            fields["admission_date"] = self.message.admission_date.isoformat()
        return fields | ({"cancelled": None} if self.message.kind in OPENING else {})

    def _update_sheet(self, sheet: Sheet, patient: Patient) -> ApplyResult:
        """Apply new data to the sheet, which is locked."""
        about = partial(ApplyResult, sheet_id=sheet.id, patient_id=patient.id)
        kind = self.message.kind
        before = replace(sheet)
        known = ExternalRecord.from_json(sheet.external_record)
        record, news = known.merge(self._order, self._stay_fields())
        if sheet.closed and kind in CORRECTING:
            # Billing gets it if the sheet is reopened and closed again.
            sheet.external_record = known.merge(self._order, self.message.billing)[0].to_json
            self.work.sheets.save(sheet)
            return about(InboundState.APPLIED, Reason(Code.SHEET_CLOSED))
        if sheet.closed and kind in MOVING:
            return about(InboundState.IGNORED, Reason(Code.SHEET_CLOSED))
        if sheet.closed and kind == "A13" and "discharged" in news:
            raise Refused(Reason(Code.DISCHARGE_UNDONE, params={"sheet": sheet.id}))
        note = self._correct(sheet, news)
        if "discharged" in news:
            sheet.discharge_proposed_at = _moment(news["discharged"])
        if "cancelled" in news:
            sheet.admission_cancelled_at = _moment(news["cancelled"])
        event = self._room_event_of(sheet)
        is_moved = False
        if event is not None:
            record, is_moved = self._move(sheet, known, record, event)
        if is_moved or replace(sheet, version=before.version) != before:
            if sheet.version == before.version:
                sheet.touch()
            action = AuditAction.SHEET_TRANSFERRED if kind in MOVING else AuditAction.SHEET_UPDATED
            moved_at = {"moved_at": self.message.event_at.isoformat()} if kind in MOVING else {}
            audit_entry = entry(self.actor, self.now, action, before=before, after=sheet, **moved_at, **self._notes)
            self.work.audit_log.append(audit_entry)
        elif self._order < known.last_sort_key:
            note = note or Reason(Code.MESSAGE_OUTDATED)
        sheet.external_record = record.to_json
        self.work.sheets.save(sheet)
        is_outdated = note is not None and note.code is Code.MESSAGE_OUTDATED
        return about(InboundState.IGNORED if is_outdated else InboundState.APPLIED, note)

    def _correct(self, sheet: Sheet, news: Mapping[str, Value]) -> Reason | None:
        """Correct the admission data.

        A day of admission after the first use is not applied.
        """
        if not news.keys() & {"doctor", "diagnosis", "admission_date"}:
            return None
        day, note = sheet.admission_date, None
        if news.get("admission_date"):
            day = date.fromisoformat(news["admission_date"] or "")
            used = first_day(self.work, sheet.id, self.zone)
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

    # --- rooms -------------------------------------------------------------------------------------------------------

    def _room_event_of(self, sheet: Sheet) -> RoomEvent | None:
        kind = self.message.kind
        if kind in MOVING:
            return self._room_event(MOVING[kind], self._room_id())
        if kind not in CORRECTING or self.message.location is None:
            return None
        # The first event makes a sheet that was opened by hand part of the visit.
        return self._room_event(
            RoomEventKind.CORRECTED if sheet.external_record else RoomEventKind.ADMITTED, self._room_id()
        )

    def _room_event(self, kind: RoomEventKind, room_id: int) -> RoomEvent:
        return RoomEvent(self._order, kind, room_id, min(self.message.event_at, self.now))

    def _move(
        self, sheet: Sheet, known: ExternalRecord, record: ExternalRecord, event: RoomEvent
    ) -> tuple[ExternalRecord, bool]:
        """Compute the transfers again, with the event in its place.

        Transfers that users recorded by hand count as events too.
        """
        transfers = self.work.transfers.of_sheet(sheet.id)
        went_to = [*(transfer.left_room_id for transfer in transfers[1:]), sheet.room_id]
        by_hand = [
            RoomEvent(event_sort_key(transfer.at), RoomEventKind.MOVED, room_id, transfer.at, transfer.user_id)
            for transfer, room_id in zip(transfers, went_to, strict=False)
            if transfer.user_id != self.actor.user_id
        ]
        first = transfers[0].left_room_id if transfers else sheet.room_id
        if room_periods(first, [*known.rooms, *by_hand])[-1].room_id != sheet.room_id:
            # A user corrected the room by hand after all events so far.
            latest = max((one.order for one in (*known.rooms, *by_hand)), default="")
            record = record.add_room_event(RoomEvent(f"{latest}~", RoomEventKind.CORRECTED, sheet.room_id, self.now))
        record = record.add_room_event(event)
        now = room_periods(first, [*record.rooms, *by_hand])
        earliest = start_of(sheet.admission_date, self.zone)
        wanted = [
            Transfer(
                sheet_id=sheet.id,
                left_room_id=left.room_id,
                at=max(entered.since or earliest, earliest),
                user_id=entered.by or self.actor.user_id,
            )
            for left, entered in pairwise(now)
        ]
        same = 0
        while same < min(len(wanted), len(transfers)) and replace(transfers[same], id=0) == wanted[same]:
            same += 1
        for gone in reversed(transfers[same:]):
            self.work.transfers.remove(gone)
        for added in wanted[same:]:
            self.work.transfers.add(added)
        is_moved = len(wanted) != same or len(transfers) != same
        if sheet.room_id != now[-1].room_id:
            sheet.room_id = now[-1].room_id
            is_moved = True
        return record, is_moved

    def _room_id(self) -> int:
        """Return the room of the message's location.

        Raise ``Refused`` if the location is unknown and no administrator has mapped it yet.
        """
        location = self.message.location
        if location is None:
            raise Refused(Reason(Code.LOCATION_MISSING))
        ward, room, *_ = [*location.split("^"), ""]
        for code in (location, f"{ward}^{room}", room):
            known = self.work.rooms.find("code", code) if code.strip("^") else None
            if known is not None:
                return known.id
        mapped = self.work.room_mappings.room(self.message.source, location)
        if mapped is not None:
            return mapped
        area = self.work.areas.find("code", ward) or self.work.areas.find("name", unique_key(ward))
        named = self.work.rooms.find_many("name", [fold(room)]) if area and room else []
        here = [one for one in named if area and one.area_id == area.id]
        if len(here) == 1:
            return here[0].id
        raise Refused(Reason(Code.LOCATION_UNKNOWN, params={"location": location}))


def patient_by_record_number(work: UnitOfWork, number: str) -> int | None:
    """Return the patient with a current or former record number.

    For a merged record it is the surviving one.
    """
    known = work.patients.find("record_number", unique_key(number))
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


def settled_by_retrying(reason: Reason | None) -> frozenset[Code]:
    """Return the questions that retrying a held message answers."""
    if reason is not None and reason.code in _QUESTIONS:
        return frozenset(_QUESTIONS[: _QUESTIONS.index(reason.code) + 1])
    # All other errors are found after these questions were checked.
    return frozenset(_QUESTIONS[:2])


def _without_repeated_surname(person: Mapping[str, Value]) -> dict[str, Value]:
    """Remove the second surname from the end of the first (see PID-5)."""
    words, ending = (person["first_surname"] or "").split(), (person["second_surname"] or "").split()
    length = len(words) - len(ending)
    is_repeated = ending and length > 0 and fold(" ".join(words[length:])) == fold(" ".join(ending))
    # In “Cruz de la Rosa”, no surname ends before “Rosa”.
    if not is_repeated or fold(words[length - 1]) in _PARTICLES:
        return dict(person)
    return dict(person) | {"first_surname": " ".join(words[:length])}


_names_key = PATIENT.keys["full_name"]


def _may_be_called_alike(one: Patient, other: Patient) -> bool:
    """Return whether two patients may have the same names.

    One of them may lack the second surname.
    """
    without_second = [_names_key(replace(patient, second_surname=None)) for patient in (one, other)]
    is_partial = not (one.second_surname and other.second_surname)
    return bool(_names_key(one) == _names_key(other)) or (is_partial and without_second[0] == without_second[1])


def _numbers_of(sheets: Iterable[Sheet]) -> str:
    return ", ".join(str(sheet.id) for sheet in sheets)


def _text(value: Any) -> Value:
    return value.isoformat() if isinstance(value, date) else value


def _draft(person: Mapping[str, Value], record_number: str | None, active: int) -> PatientDraft:
    born = person.get("date_of_birth")
    return PatientDraft(
        name=person.get("name"),
        first_surname=person.get("first_surname"),
        second_surname=person.get("second_surname"),
        date_of_birth=date.fromisoformat(born) if born else None,
        record_number=record_number,
        active=active,
    )


def _moment(text: Value) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
