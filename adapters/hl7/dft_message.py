"""Writer of DFT^P03 messages, "post detail financial transactions".

It writes HL7 v2.5.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from adapters.hl7.charset import ENCODINGS
from adapters.hl7.segments import (
    Field,
    Raw,
    Repeated,
    day,
    moment,
    money,
    quantity,
    segment,
    shortened,
    to_charset,
)
from application.billing.ports import ChargesMessage
from application.sheets.admission_data import DOCTOR, PATIENT_CLASS, SEGMENTS
from application.sheets.detail_views import DetailView
from application.sheets.summary_views import SheetDocument
from domain.billing.charges import Charge, ChargedLine, ChargeKind

# Assigning authority of our own numbers: the sheet's, and the patient's if the hospital gave no record number.
_OURS = "CONSUMO"
# Lengths of HL7 2.5.1 that longer contents exceed. Some receivers cut off the rest of a field.
_LONG = 250  # CE, XCN, XPN
_LOCATION = 80
_QUANTITY = 6
_AMOUNT = 12


class PackSegment(StrEnum):
    """The segment for lot, serial number and expiry."""

    OBX = "OBX"
    ZCO = "ZCO"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """Settings agreed with the receiver.

    ``sender`` and ``receiver`` are application and facility (MSH-3 to 6).
    """

    sender: tuple[str, str] = ("CONSUMO", "")
    receiver: tuple[str, str] = ("", "")
    charset: str = "UNICODE UTF-8"
    processing: str = "P"
    authority: str = ""
    pack: PackSegment = PackSegment.OBX


@dataclass(frozen=True, slots=True, kw_only=True)
class DftMessageWriter:
    """Writes DFT messages in the hospital's currency and time zone."""

    conventions: Conventions
    currency: str
    zone: tzinfo

    def __call__(self, message: ChargesMessage) -> str:
        """Return the whole message. Each segment ends with a carriage return."""
        text = "".join(f"{one}\r" for one in self._segments(message))
        return to_charset(text, ENCODINGS[self.conventions.charset])

    def _segments(self, message: ChargesMessage) -> Iterator[str]:
        yield self._header(message)
        yield segment("EVN", {2: self._moment(message.written_at)})
        yield self._patient(message.document)
        yield self._visit(message)
        for number, charge in enumerate(message.charges, 1):
            yield from self._transaction(number, charge, message)
        for name in SEGMENTS:
            if name in message.admission:
                yield from message.admission[name].split("\r")

    def _header(self, message: ChargesMessage) -> str:
        agreed = self.conventions
        fields: dict[int, Field] = {
            3: agreed.sender[0],
            4: agreed.sender[1],
            5: agreed.receiver[0],
            6: agreed.receiver[1],
            7: self._moment(message.written_at),
            9: ["DFT", "P03", "DFT_P03"],
            10: message.control_id,
            11: agreed.processing,
            12: "2.5.1",
            18: agreed.charset,
        }
        # The first two fields are the delimiters. Fields are counted from the separator after the segment's name.
        written = segment("MSH", {number - 2: field for number, field in fields.items()})
        return written.replace("MSH|", "MSH|^~\\&|", 1)

    def _patient(self, document: SheetDocument) -> str:
        patient, record_number, born = (
            document["sheet"]["patient"],
            document["record_number"],
            document["date_of_birth"],
        )
        fields: dict[int, Field] = {
            1: "1",
            3: [record_number, "", "", self.conventions.authority, "MR"]
            if record_number
            else [str(patient["id"]), "", "", _OURS, "PI"],
            5: shortened([patient["first_surname"], patient["name"]], (0, 1), _LONG),
            # A second surname that is stored apart from the first one.
            6: shortened([patient["second_surname"] or ""], (0,), _LONG),
            7: day(born) if born else "",
        }
        return segment("PID", fields)

    def _visit(self, message: ChargesMessage) -> str:
        sheet, number = message.document["sheet"], message.account.visit_number
        closed_at = sheet["deleted_at"]
        fields: dict[int, Field] = {
            1: "1",
            2: message.admission.get(PATIENT_CLASS, "I"),
            3: _location(message, sheet["room_id"], sheet["room"]["name"]),
            17: _doctor(message),
            19: [number] if number else [str(sheet["id"]), "", "", _OURS, "VN"],
            44: day(sheet["admission_date"]),
            45: self._moment(closed_at) if closed_at else "",
        }
        return segment("PV1", fields)

    def _transaction(self, number: int, charge: Charge, message: ChargesMessage) -> Iterator[str]:
        line = charge.line
        fields: dict[int, Field] = {
            1: str(number),
            2: charge.transaction_id,
            3: f"{charge.sheet_id}.{charge.turn}",
            4: self._moment(line.occurred_at),
            5: self._moment(message.written_at),
            6: charge.kind.value,
            7: _product(line),
            9: charge.reason.value.upper() if charge.reason else "",
            10: quantity(line.quantity),
            11: money(line.total, self.currency, _AMOUNT),
            12: money(line.unit_price, self.currency, _AMOUNT),
        }
        if line.area_id:
            code = message.area_codes.get(line.area_id, str(line.area_id))
            fields[13] = shortened([code, line.area or "", "L"], (1,), _LONG)
        detail = message.lines.get(line.detail_id)
        if detail and charge.kind is ChargeKind.CHARGE:
            fields |= _context_fields(detail, message)
        yield segment("FT1", fields)
        if notes := _notes(charge):
            yield segment("NTE", {1: "1", 3: Repeated(notes)})
        yield from self._pack(line)

    def _pack(self, line: ChargedLine) -> Iterator[str]:
        if not (line.gtin or line.lot or line.serial or line.expiry):
            return
        if self.conventions.pack is PackSegment.OBX:
            yield segment("OBX", {1: "1", 2: "ST", 3: ["UDI", "UDI", "L"], 5: _udi(line), 11: "F"})
        elif self.conventions.pack is PackSegment.ZCO:
            expiry = day(line.expiry) if line.expiry else ""
            yield segment("ZCO", {1: "1", 2: line.gtin or "", 3: line.lot or "", 4: expiry, 5: line.serial or ""})

    def _moment(self, at: datetime) -> str:
        return moment(at, self.zone)


def _context_fields(detail: DetailView, message: ChargesMessage) -> dict[int, Field]:
    """Return the patient's room, the staff member, the doctor and the author."""
    room_id, staff = detail.get("room_id"), detail["staff"]
    known: dict[int, Field] = {21: _doctor(message)}
    if room_id:
        known[16] = _location(message, room_id, message.rooms.get(room_id, ""))
    if staff:
        surnames = " ".join(filter(None, (staff["first_surname"], staff["second_surname"])))
        known[20] = _person(str(staff["id"]), surnames, staff["name"])
    known[24] = _person(str(detail["user_id"]), message.people.get(detail["user_id"], ""))
    return known


def _notes(charge: Charge) -> list[str]:
    """Return what a credit reverses, why, and long numbers.

    A receiver that cuts off fields still has these numbers in the note.
    """
    line, notes = charge.line, []
    if charge.reverses:
        notes += [f"REVERSES {charge.reverses}", *([charge.note] if charge.note else [])]
    if len(quantity(line.quantity)) > _QUANTITY:
        notes.append(f"QUANTITY {quantity(line.quantity)}")
    if len(f"{line.total:f}") > _AMOUNT:
        notes.append(f"AMOUNT {line.total:f}")
    return notes


def _product(line: ChargedLine) -> Field:
    """Return the product's code, and the billing code if it is another one.

    Without a code of the hospital it is our product number.
    """
    coded = [line.product_code or f"P{line.product_id}", line.product_name, "L"]
    if line.billing_code:
        return shortened([*coded, line.billing_code, line.product_name, "billing"], (1, 4), _LONG)
    return shortened(coded, (1,), _LONG)


def _location(message: ChargesMessage, room_id: int, room: str) -> Field:
    """Return the hospital system's code of the room, otherwise area and room.

    The area is only known of the room that the patient has now.
    """
    code = message.room_codes.get(room_id)
    if code:
        return code.split("^")
    current, area = message.document["sheet"]["room"], ""
    if room_id == current["id"]:
        area = message.area_codes.get(current["area_id"]) or message.document["area"] or ""
    # The room's name matters more than the area's.
    return shortened(shortened([area, room], (0,), _LOCATION), (1,), _LOCATION)


def _doctor(message: ChargesMessage) -> Field:
    """Return the doctor as the admission message has it, else by name."""
    return Raw(message.admission.get(DOCTOR, "")) or _person("", message.document["sheet"]["doctor"])


def _person(number: str, surname: str, name: str = "") -> Field:
    return shortened([number, surname, name], (1, 2), _LONG)


def _udi(line: ChargedLine) -> str:
    """Return the known data of the pack as a GS1 element string."""
    elements = {
        "01": line.gtin and line.gtin.zfill(14),
        "17": line.expiry and f"{line.expiry:%y%m%d}",
        "10": line.lot,
        "21": line.serial,
    }
    return "".join(f"({ai}){value}" for ai, value in elements.items() if value)
