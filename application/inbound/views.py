"""Views of inbound messages, and the query of their list."""

from dataclasses import dataclass
from datetime import datetime
from typing import NotRequired, TypedDict

from domain.interop.inbound_message import InboundState


class MessageFieldView(TypedDict):
    """A field of a message with its place, such as PV1-3."""

    place: str
    value: str


class InboundMessageView(TypedDict):
    """An inbound message and its state.

    ``code`` and ``params`` are the reason why it is held or was ignored, or which part could not be applied; ``why`` is
    the same in words. ``fields`` is only set if the message is read alone. It is empty once the text has been purged.
    """

    id: int
    source: str
    control_id: str
    kind: str
    event_at: datetime
    received_at: datetime
    state: InboundState
    code: str | None
    field: str | None
    params: dict[str, str | int]
    why: NotRequired[str | None]
    visit_number: str | None
    record_number: str | None
    location: str | None
    consumption_sheet_id: int | None
    patient_id: int | None
    tries: int
    decided_by: str | None
    decided_at: datetime | None
    note: str | None
    fields: NotRequired[list[MessageFieldView]]


class HeldReasonView(TypedDict):
    """A reason for which messages are held, and their number."""

    code: str
    messages: int


class InboundMessagesView(TypedDict):
    """A page of messages.

    ``next`` is the ``after`` parameter of the next page, or null. ``held`` is the number of all held messages, and
    ``reasons`` are the reasons for which they are held, the most frequent first.
    """

    items: list[InboundMessageView]
    next: int | None
    held: int
    reasons: list[HeldReasonView]


class DecidedMessagesView(TypedDict):
    """The result of a decision about several messages.

    ``done`` is the number of messages that are no longer held because of it, ``held`` that of messages that are still
    held, and ``decided`` that of messages that were not held any more.
    """

    done: int
    held: int
    decided: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessageQuery:
    """A query for inbound messages.

    ``q`` is the beginning of a visit number, a record number, a control id, a source or a location, or all of it.
    ``after`` is the ``next`` of the previous page.
    """

    state: InboundState | None = None
    kind: str | None = None
    reason: str | None = None
    q: str | None = None
    after: int | None = None

    @property
    def oldest_first(self) -> bool:
        """Whether the oldest messages come first: those that wait."""
        return self.state is InboundState.HELD

    @property
    def searches(self) -> bool:
        """Whether it has conditions for which there is no index."""
        return bool(self.kind or self.reason or self.prefix)

    @property
    def prefix(self) -> str:
        """The text of the search without spaces around it."""
        return (self.q or "").strip()
