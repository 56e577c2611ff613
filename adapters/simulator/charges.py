"""Reader of charges in DFT messages, as a billing system books them."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from adapters.hl7.charset import encoding_of
from adapters.hl7.escapes import Delimiters, unescape

CHARGE, CREDIT = "CG", "CD"
_DELIMITERS = Delimiters()


class InvalidCharge(Exception):
    """A message or one of its charges cannot be booked; it says why."""


class SentCharge(NamedTuple):
    """A charge or credit of a message: FT1, with PID-3 and PV1-19."""

    transaction_id: str
    kind: str
    total: Decimal
    quantity: Decimal
    record: str
    visit: str
    code: str


class ChargeMessage(NamedTuple):
    """The control id and the charges of a message."""

    control_id: str
    charges: list[SentCharge]


def read_segments(message: bytes) -> list[list[str]]:
    """Return the fields of each segment; field 0 is the segment's name.

    MSH has its own separator as field 1, so that fields have their numbers. Raise ``InvalidCharge``.
    """
    try:
        text = message.decode(encoding_of(message.decode("latin-1")))
    except UnicodeDecodeError:
        raise InvalidCharge("MSH-18: the text is not in that character set") from None
    if not text.startswith("MSH|"):
        raise InvalidCharge("MSH: this is no HL7 message with | as separator")
    segments = [line.split("|") for line in text.replace("\n", "\r").split("\r") if line]
    return [["MSH", "|", *fields[1:]] if fields[0] == "MSH" else fields for fields in segments]


def read_charges(segments: list[list[str]]) -> ChargeMessage:
    """Return the charges of a message. Raise ``InvalidCharge``."""
    return ChargeMessage(_text(_first(segments, "MSH"), 10), list(_charges(segments)))


def charges_in(body: str) -> list[SentCharge]:
    """Return the charges of a message's text. Raise ``InvalidCharge``."""
    return read_charges(read_segments(body.encode())).charges


def balance_of(charges: Iterable[SentCharge]) -> Decimal:
    """Return the charges minus the credits."""
    return sum((one.total if one.kind == CHARGE else -one.total for one in charges), Decimal(0))


def _charges(segments: list[list[str]]) -> Iterator[SentCharge]:
    record, visit = _text(_first(segments, "PID"), 3), _text(_first(segments, "PV1"), 19)
    for fields in segments:
        if fields[0] != "FT1":
            continue
        transaction_id, kind = _text(fields, 2), _text(fields, 6)
        if not transaction_id:
            raise InvalidCharge("FT1-2: a charge has no transaction id")
        if kind not in (CHARGE, CREDIT):
            raise InvalidCharge(f"FT1-6: “{kind}” is neither {CHARGE} nor {CREDIT}")
        yield SentCharge(
            transaction_id=transaction_id,
            kind=kind,
            total=_number(fields, 11),
            quantity=_number(fields, 10),
            record=record,
            visit=visit,
            code=_text(fields, 7),
        )


def _first(segments: list[list[str]], name: str) -> list[str]:
    return next((fields for fields in segments if fields[0] == name), [])


def _text(fields: list[str], number: int) -> str:
    """Return the first component of a field, without escapes."""
    field = fields[number] if number < len(fields) else ""
    component = field.partition("~")[0].partition("^")[0].partition("&")[0]
    return unescape(component, _DELIMITERS, lambda content: content.decode("latin-1")).strip()


def _number(fields: list[str], number: int) -> Decimal:
    text = _text(fields, number)
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0:
        raise InvalidCharge(f"FT1-{number}: “{text}” is no positive number")
    return value
