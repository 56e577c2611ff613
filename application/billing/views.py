"""Views of messages to billing, and the query of their list."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from application.common.paging import ListQuery
from application.common.redaction import Redacted
from domain.interop.outbound_message import OutboundState


class OutboundMessageView(TypedDict):
    """A message to billing, without its text.

    ``charges`` is its number of charges and credits. ``problem`` is the error of the last attempt. ``decided_by`` is
    the administrator who marked it as sent, for a ``reason``.
    """

    id: int
    control_id: str
    consumption_sheet_id: int
    charges: int
    state: OutboundState
    tries: int
    problem: str | None
    created_at: datetime
    next_try_at: datetime | None
    sent_at: datetime | None
    decided_by: str | None
    reason: str | None


class WholeOutboundMessageView(OutboundMessageView):
    """A message with its text, which has prices.

    Only users who may see prices get it.
    """

    body: Annotated[str, Redacted.FIELD]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessageQuery(ListQuery):
    """A query for messages to billing."""

    state: OutboundState | None = None
    consumption_sheet_id: int | None = None


OUTBOUND_MESSAGE_SORTS: frozenset[str] = frozenset()
