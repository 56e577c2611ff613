"""DFT messages, read with independent HL7 libraries."""

from typing import Any

import hl7
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message


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
