"""Messages of other systems: parse them, and read those that were received."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Protocol

from application.inbound.admission_message import AdmissionMessage
from application.inbound.views import InboundMessageQuery
from domain.interop.inbound_message import InboundMessage

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


class MessagePage(NamedTuple):
    """A page of messages, and the ``after`` of the next page."""

    items: list[InboundMessage]
    next: int | None


class MessagesView(Protocol):
    """Reads inbound messages."""

    def page(self, query: InboundMessageQuery, *, limit: int, max_searched: int) -> MessagePage:
        """Return the latest messages, or those in one state.

        Held messages are sorted oldest first. A query by kind, reason or text looks through ``max_searched`` messages.
        If there are more, the next page continues behind them, even if this page has fewer than ``limit``.
        """

    def held_by_reason(self) -> dict[str, int]:
        """Return the numbers of held messages by the code of the reason."""

    def held(self, received_before: datetime | None = None) -> int:
        """Return the number of held messages received before that moment."""

    def one(self, id: int) -> InboundMessage | None: ...
