"""Recalls by a manufacturer or the hospital."""

from dataclasses import dataclass
from datetime import datetime

from domain.policy import Actor


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
