"""Reading what other systems send."""

from collections.abc import Callable
from typing import NamedTuple

from application.inbound_messages.admission_message import AdmissionMessage

ParseMessage = Callable[[str], AdmissionMessage]
"""What a message says of an admission, from its text. A text that was kept was read before."""


class MessageField(NamedTuple):
    """One field of a message: where it stands, such as PV1-3, what that place is for, and what stands there."""

    place: str
    value: str


DescribeMessage = Callable[[str], list[MessageField]]
"""All fields that are filled in, in the order of the text."""
