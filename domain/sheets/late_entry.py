"""Late entries: entries that arrived after their sheet was closed.

An entry that arrives after its author's recording window is a late entry too. It waits for a supervisor's decision.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor


class Decision(StrEnum):
    """What a supervisor decided about a late entry."""

    RECORDED = "recorded"
    DISMISSED = "dismissed"


@dataclass(slots=True, kw_only=True)
class LateEntry:
    """A supply that was used for a patient whose sheet no longer accepted it.

    ``body`` is the request body as sent. ``digest`` identifies the request by its idempotency key.
    """

    id: int = 0
    sheet_id: int
    user_id: int
    digest: bytes = field(repr=False)
    body: str = field(repr=False)
    occurred_at: datetime
    arrived_at: datetime
    decided_at: datetime | None = None
    decided_by: int | None = None
    decision: Decision | None = None
    reason: str | None = None

    def ensure_pending(self) -> None:
        """Raise ``Refused`` (late_entry.decided) if a decision was made."""
        if self.decision is not None:
            raise Refused(Reason(Code.LATE_ENTRY_DECIDED))

    def decide(self, decision: Decision, by: Actor, at: datetime, reason: str | None = None) -> None:
        """Store the decision. It is final."""
        self.ensure_pending()
        self.decision, self.decided_by, self.decided_at, self.reason = decision, by.user_id, at, reason
