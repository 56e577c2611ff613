"""What charges are told in, as a receiver reads it: by libraries that others wrote."""

from decimal import Decimal
from typing import Any, NamedTuple

import hl7
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message


class Told(NamedTuple):
    """A charge as the receiver takes it down."""

    transaction_id: str
    kind: str
    total: Decimal
    quantity: Decimal
    record: str


def validated(body: str) -> Any:
    """The message, which is one by the tables of HL7 2.5.1."""
    message = parse_message(body, validation_level=VALIDATION_LEVEL.STRICT)
    assert message.validate()
    return message


def read(body: str) -> hl7.Message:
    """The message, taken apart."""
    return hl7.parse(body)


def charges_in(body: str) -> list[Told]:
    """The charges of a message."""
    message = read(body)
    return [
        Told(
            transaction_id=str(one[2]),
            kind=str(one[6]),
            total=Decimal(str(one[11]).partition("&")[0]),
            quantity=Decimal(str(one[10])),
            record=str(message.segment("PID")[3][0][0]),
        )
        for one in message.segments("FT1")
    ]


def balance_of(told: list[Told]) -> Decimal:
    """What they come to."""
    return sum((one.total if one.kind == "CG" else -one.total for one in told), Decimal(0))
