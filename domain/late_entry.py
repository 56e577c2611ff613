"""What arrived after its sheet was closed, or too late for whoever used it, until somebody decides."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from domain.errors import Code, Reason, Refused
from domain.policy import Actor


class Decision(StrEnum):
    """What became of a late entry."""

    RECORDED = "recorded"
    DISMISSED = "dismissed"


@dataclass(slots=True, kw_only=True)
class LateEntry:
    """What somebody used for the patient of a sheet that took it no more.

    ``body`` is what was filled in, as it was sent; ``digest`` tells the promise apart that it was sent under.
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
        """Raise ``Refused`` (late_entry.decided) once somebody has decided."""
        if self.decision is not None:
            raise Refused(Reason(Code.LATE_ENTRY_DECIDED))

    def decide(self, decision: Decision, by: Actor, at: datetime, reason: str | None = None) -> None:
        """Settle it, once and for all."""
        self.ensure_pending()
        self.decision, self.decided_by, self.decided_at, self.reason = decision, by.user_id, at, reason
