"""Parsing messages of other systems."""

from collections.abc import Callable
from typing import NamedTuple

from application.inbound.admission_message import AdmissionMessage

ParseMessage = Callable[[str], AdmissionMessage]
"""Parses the text of a message about an admission.

Stored texts were parsed before, so they are valid.
"""


class MessageField(NamedTuple):
    """One field of a message, with its place, such as PV1-3, and its value."""

    place: str
    value: str


DescribeMessage = Callable[[str], list[MessageField]]
"""Returns all fields with a value, in the order of the text."""
