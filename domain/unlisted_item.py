"""Something that was used and is not in the catalogue, until a supervisor decides which product it is."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from domain.errors import Code, Reason, Refused
from domain.policy import Actor

MAX_OPEN_ON_SHEET = 100


class UnlistedState(StrEnum):
    """What became of an unlisted item."""

    OPEN = "open"
    # It is an ordinary detail now.
    RESOLVED = "resolved"
    DISCARDED = "discarded"
    # The person who noted it took it back.
    WITHDRAWN = "withdrawn"


@dataclass(slots=True, kw_only=True)
class UnlistedItem:
    """Something that a patient consumed and that the catalogue does not have, in the words of the person who used it.

    It has no price and is in no total. ``occurred_at`` is when it was used, ``room_id`` where the patient lay when it
    was noted, ``detail_id`` the detail that it became. ``digest`` identifies the request that noted it.
    """

    id: int = 0
    sheet_id: int
    user_id: int
    staff_id: int | None
    area_id: int | None
    room_id: int
    description: str
    quantity: Decimal
    occurred_at: datetime
    created_at: datetime
    state: UnlistedState = UnlistedState.OPEN
    decided_at: datetime | None = None
    decided_by: int | None = None
    reason: str | None = None
    detail_id: int | None = None
    digest: bytes | None = field(default=None, repr=False)

    @property
    def open(self) -> bool:
        """Whether a supervisor has yet to decide."""
        return self.state is UnlistedState.OPEN

    def raise_if_decided(self) -> None:
        """Raise ``Refused`` (unlisted_item.decided) unless it is open."""
        if not self.open:
            raise Refused(Reason(Code.UNLISTED_ITEM_DECIDED))

    def resolve(self, detail_id: int, *, by: Actor, at: datetime) -> None:
        """Note which detail it became."""
        self._decide(UnlistedState.RESOLVED, by, at)
        self.detail_id = detail_id

    def discard(self, reason: str, *, by: Actor, at: datetime) -> None:
        """Decide that it becomes no detail."""
        self._decide(UnlistedState.DISCARDED, by, at)
        self.reason = reason

    def withdraw(self, *, by: Actor, at: datetime) -> None:
        """Take it back. Only the person who noted it may."""
        if by.user_id != self.user_id:
            raise Refused(Reason(Code.DETAIL_NOT_OWN))
        self._decide(UnlistedState.WITHDRAWN, by, at)

    def _decide(self, state: UnlistedState, by: Actor, at: datetime) -> None:
        self.raise_if_decided()
        self.state, self.decided_by, self.decided_at = state, by.user_id, at
