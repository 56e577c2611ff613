"""Read messages from other systems."""

from datetime import datetime
from typing import NamedTuple, Protocol

from application.inbound.views import InboundMessageQuery
from domain.interop.inbound_message import InboundMessage


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
