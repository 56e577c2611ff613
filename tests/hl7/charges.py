"""Charges of DFT messages, read with independent HL7 libraries."""

from decimal import Decimal
from typing import Any, NamedTuple

import hl7
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message


class SentCharge(NamedTuple):
    """A charge as the receiver reads it."""

    transaction_id: str
    kind: str
    total: Decimal
    quantity: Decimal
    record: str


def validated(body: str) -> Any:
    """The message, validated against HL7 2.5.1."""
    message = parse_message(body, validation_level=VALIDATION_LEVEL.STRICT)
    assert message.validate()
    return message


def read(body: str) -> hl7.Message:
    """The parsed message."""
    return hl7.parse(body)


def sheet_id_in(transaction_id: str) -> int:
    """The sheet in an FT1-2, which is in base 36 before the underscore."""
    return int(transaction_id.partition("_")[0], 36)


def charges_in(body: str) -> list[SentCharge]:
    message = read(body)
    return [
        SentCharge(
            transaction_id=str(one[2]),
            kind=str(one[6]),
            total=Decimal(str(one[11]).partition("&")[0]),
            quantity=Decimal(str(one[10])),
            record=str(message.segment("PID")[3][0][0]),
        )
        for one in message.segments("FT1")
    ]


def balance_of(reported: list[SentCharge]) -> Decimal:
    """Charges minus credits."""
    return sum((one.total if one.kind == "CG" else -one.total for one in reported), Decimal(0))
