"""ADT messages as a hospital system sends them, and their receiver."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from adapters.hl7.adt_parser import AdtParser
from adapters.hl7.receiver import Receiver
from adapters.simulator.adt_message import AdtMessage, write_moment
from application.catalogue.rooms import RoomDraft
from application.sheets.views import SheetView
from application.use_cases import UseCases
from domain.interop.inbound_message import InboundMessage
from domain.people.patient import Patient
from domain.sheets.sheet import PatientSheet, of_patients
from tests.builders import NOON, ZONE, Ward

_NUMBERS = count(1)
VISIT, NUMBER = "V-7", "MRN-7"
_DEFAULTS = {
    "visit": VISIT,
    "number": NUMBER,
    "location": "Urgencias^101",
    "name": "Paz^Ana",
    "born": "19800229",
}


def stamp(at: datetime) -> str:
    return write_moment(at.astimezone(ZONE))


def adt(kind: str, *, at: datetime = NOON, control_id: str | None = None, **fields: Any) -> str:
    """One ADT message, with the fields of ``AdtMessage``."""
    if kind in ("A28", "A31"):
        fields["visit"] = ""
    control_id = control_id or f"C{next(_NUMBERS)}"
    return AdtMessage(kind=kind, at=at.astimezone(ZONE), control_id=control_id, **{**_DEFAULTS, **fields}).text()


def a_receiver(use_cases: UseCases) -> Receiver:
    return Receiver(
        parse=AdtParser(zone=ZONE),
        receive=use_cases.inbound_messages.receive,
        note_refused=use_cases.inbound_messages.note_refused,
        reprocess=use_cases.inbound_messages.reprocess_held,
        actor=use_cases.service_accounts.ensure_receiver(),
        zone=ZONE,
    )


@dataclass
class Post:
    """Delivers messages to a ward as if they arrived over the network."""

    ward: Ward
    at: datetime = NOON
    kept: list[InboundMessage] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.receiver = a_receiver(self.ward.use_cases)

    def send(self, message: str) -> InboundMessage:
        """Deliver a message; returns it as stored after processing."""
        [taken] = self.receiver.process(message.encode())
        assert taken.kept is not None, taken
        with self.ward.store.begin_read_only() as work:
            kept = work.inbound_messages.get(taken.kept.id)
        assert kept is not None
        return kept

    def read_by(self, **settings: Any) -> None:
        """Parse messages by other settings, also when they are retried."""
        parse = replace(self.receiver.parse, **settings)
        reprocess = replace(self.receiver.reprocess, parse_message=parse)
        self.receiver = replace(self.receiver, parse=parse, reprocess=reprocess)

    def after(self, **passed: float) -> datetime:
        """A time after noon."""
        return NOON + timedelta(**passed)


def a_post(ward: Ward) -> Post:
    """A post for a ward with rooms 102 and 103; messages date from yesterday."""
    for name in ("102", "103"):
        ward.use_cases.rooms.create(ward.admin, RoomDraft(name=name, status=1, type=1, area_id=ward.area_id))
    ward.clock.advance(days=1)
    return Post(ward)


def sheet_of(ward: Ward, visit: str = VISIT) -> PatientSheet | None:
    with ward.store.begin_read_only() as work:
        return next(iter(of_patients(work.sheets.find_many("visit_number", [visit]))), None)


def the_sheet(ward: Ward) -> PatientSheet:
    sheet = sheet_of(ward)
    assert sheet is not None
    return sheet


def patient_of(ward: Ward, number: str = NUMBER) -> Patient:
    with ward.store.begin_read_only() as work:
        patient = work.patients.find("record_number", number.casefold())
    assert patient is not None
    return patient


def view_of(ward: Ward) -> SheetView:
    return ward.use_cases.sheets.reader.one(ward.admin, the_sheet(ward).id)


def rooms_of(ward: Ward) -> list[str]:
    return [stay["room"]["name"] for stay in view_of(ward)["stays"]]


def message(ward: Ward, message_id: int) -> InboundMessage:
    with ward.store.begin_read_only() as work:
        kept = work.inbound_messages.get(message_id)
    assert kept is not None
    return kept
