"""Recalls by a manufacturer or the hospital."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from domain.common.policy import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallNotice:
    """The recall of a pack that is about to be recorded."""

    recall_id: int
    reason: str
    opened_at: datetime


@dataclass(slots=True, kw_only=True)
class Recall:
    """A lot of a product, or all of it, that must no longer be used.

    Without a ``lot`` it covers the whole product. It is in force until it is closed.
    """

    id: int = 0
    product_id: int
    lot: str | None
    reason: str
    opened_at: datetime
    opened_by: int
    closed_at: datetime | None = None
    closed_by: int | None = None

    def close(self, at: datetime, by: Actor) -> None:
        """Close the recall. A closed recall is not changed."""
        if self.closed_at is None:
            self.closed_at, self.closed_by = at, by.user_id

    def reactivate(self) -> None:
        """Put the recall in force again."""
        self.closed_at = self.closed_by = None


@dataclass(slots=True, kw_only=True)
class SetAside:
    """Units of a recalled lot that were taken out of use, and not charged.

    ``room_id`` and ``area_id`` are where they were found, if that is known. ``digest`` identifies the request.
    """

    id: int = 0
    recall_id: int
    product_id: int
    lot: str | None
    quantity: Decimal
    user_id: int
    at: datetime
    room_id: int | None = None
    area_id: int | None = None
    digest: bytes | None = field(default=None, repr=False)
