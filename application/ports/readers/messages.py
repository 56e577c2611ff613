"""Read messages from other systems."""

from datetime import datetime
from typing import Protocol

from domain.interop.inbound_message import InboundMessage, InboundState


class MessagesView(Protocol):
    """Reads inbound messages."""

    def page(self, state: InboundState | None, *, after: int | None, most: int) -> list[InboundMessage]:
        """Return the latest messages, or those in one state.

        Held messages are sorted oldest first. ``after`` is the id of the last message of the previous page.
        """

    def held(self, received_before: datetime | None = None) -> int:
        """Return the number of held messages received before that moment."""

    def one(self, id: int) -> InboundMessage | None: ...
