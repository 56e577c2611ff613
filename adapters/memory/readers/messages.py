"""Read messages from and to other systems, in memory."""

from collections import Counter
from copy import copy
from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of
from application.paging import id_of_key
from application.ports.readers.messages import MessagePage
from application.views.messages import InboundMessageQuery, OutboundMessageQuery, OutboundMessageView
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.interop.outbound_message import OutboundMessage, OutboundState
from domain.text import fold


class MemoryMessagesView:
    """Reads inbound messages."""

    def __init__(self, data: MemoryData) -> None:
        self._messages: dict[int, InboundMessage] = data.inbound_messages

    def page(self, query: InboundMessageQuery, *, limit: int, max_searched: int) -> MessagePage:
        """List the latest messages, or those in one state; held ones oldest first."""
        there = [one for one in self._messages.values() if query.state in (None, one.state)]
        if query.after is not None:
            after = query.after
            there = [one for one in there if (one.id > after) == query.oldest_first and one.id != after]
        there.sort(key=lambda one: one.id, reverse=not query.oldest_first)
        searched = there[:max_searched] if query.searches else there
        found = [copy(one) for one in searched if _matches(one, query)]
        if len(found) > limit:
            return MessagePage(found[:limit], found[limit - 1].id)
        return MessagePage(found, searched[-1].id if len(searched) < len(there) else None)

    def held_by_reason(self) -> dict[str, int]:
        """Count the held messages by the code of the reason."""
        held = (one for one in self._messages.values() if one.state is InboundState.HELD)
        return Counter(one.reason.code.value for one in held if one.reason)

    def held(self, received_before: datetime | None = None) -> int:
        """Count the held messages, or those received before that time."""
        return sum(
            one.state is InboundState.HELD and (received_before is None or one.received_at < received_before)
            for one in self._messages.values()
        )

    def one(self, id: int) -> InboundMessage | None:
        return copy(self._messages.get(id))


def _matches(one: InboundMessage, query: InboundMessageQuery) -> bool:
    searched = (one.visit_number, one.record_number, one.control_id, one.source, one.location)
    return (
        (not query.kind or query.kind == one.kind)
        and (not query.reason or query.reason == (one.reason and one.reason.code.value))
        and any((text or "").lower().startswith(query.prefix.lower()) for text in searched)
    )


def read_outbound_messages(data: MemoryData) -> MemoryView[OutboundMessageView, OutboundMessageQuery]:
    def of(one: OutboundMessage) -> OutboundMessageView:
        decided_by = data.users.get(one.decided_by or 0)
        return OutboundMessageView(
            id=one.id,
            control_id=one.control_id,
            consumption_sheet_id=one.sheet_id,
            charges=one.charges,
            state=one.state,
            tries=one.tries,
            problem=one.problem,
            created_at=one.created_at,
            next_try_at=one.next_try_at if one.state is OutboundState.WAITING else None,
            sent_at=one.sent_at,
            decided_by=decided_by.email if decided_by else None,
            reason=one.reason,
        )

    return MemoryView(
        everything=lambda: [of(one) for one in data.outbound_messages.values()],
        matches=lambda item, query: (
            query.state in (None, item["state"]) and query.consumption_sheet_id in (None, item["consumption_sheet_id"])
        ),
        searched=lambda item: (fold(item["control_id"]),),
        order=id_of,
        sorts={},
        newest_first=True,
        cursor_key=id_of,
        read_key=id_of_key,
        bounded=False,
    )
