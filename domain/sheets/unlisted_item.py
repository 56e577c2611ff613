"""Unlisted items: used supplies that are not in the catalogue.

A supervisor decides which product they are.
"""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor
from domain.hospital.use_reason import UseReason

MAX_OPEN_ON_SHEET = 100


class UnlistedState(StrEnum):
    """The state of an unlisted item."""

    OPEN = "open"
    # It is an ordinary detail now.
    RESOLVED = "resolved"
    DISCARDED = "discarded"
    # Its author took it back.
    WITHDRAWN = "withdrawn"


@dataclass(slots=True, kw_only=True)
class UnlistedItem:
    """A used supply that the catalogue lacks, in its user's words.

    It has no price and is in no total. ``occurred_at`` is the time of use. ``room_id`` is the patient's room when it
    was noted; an area has none. ``use_reason`` is that of the detail that it becomes. ``detail_id`` is the detail that
    it became. ``digest`` identifies the request that noted it.
    """

    id: int = 0
    sheet_id: int
    user_id: int
    staff_id: int | None
    area_id: int | None
    room_id: int | None
    description: str
    quantity: Decimal
    occurred_at: datetime
    created_at: datetime
    state: UnlistedState = UnlistedState.OPEN
    decided_at: datetime | None = None
    decided_by: int | None = None
    reason: str | None = None
    detail_id: int | None = None
    use_reason: UseReason | None = None
    digest: bytes | None = field(default=None, repr=False)

    @property
    def open(self) -> bool:
        """Whether it waits for a supervisor's decision."""
        return self.state is UnlistedState.OPEN

    def raise_if_decided(self) -> None:
        """Raise ``Refused`` (unlisted_item.decided) unless it is open."""
        if not self.open:
            raise Refused(Reason(Code.UNLISTED_ITEM_DECIDED))

    def resolve(self, detail_id: int, *, by: Actor, at: datetime) -> None:
        """Store the detail that it became."""
        self._decide(UnlistedState.RESOLVED, by, at)
        self.detail_id = detail_id

    def discard(self, reason: str, *, by: Actor, at: datetime) -> None:
        """Decide that it becomes no detail."""
        self._decide(UnlistedState.DISCARDED, by, at)
        self.reason = reason

    def withdraw(self, *, by: Actor, at: datetime) -> None:
        """Take the item back. Only its author may."""
        if by.user_id != self.user_id:
            raise Refused(Reason(Code.DETAIL_NOT_OWN))
        self._decide(UnlistedState.WITHDRAWN, by, at)

    def _decide(self, state: UnlistedState, by: Actor, at: datetime) -> None:
        self.raise_if_decided()
        self.state, self.decided_by, self.decided_at = state, by.user_id, at
