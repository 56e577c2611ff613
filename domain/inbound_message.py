"""An inbound message of another system, such as an ADT message: as it came, and what became of it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from domain.errors import Code, Reason, Refused
from domain.policy import Actor


class InboundState(StrEnum):
    """What became of a message."""

    APPLIED = "applied"
    IGNORED = "ignored"
    # Somebody has to decide, or another message has to come.
    HELD = "held"
    DISMISSED = "dismissed"


@dataclass(slots=True, kw_only=True)
class InboundMessage:
    """A message as it came, from ``source`` under its ``control_id``; ``digest`` tells it from another one so called.

    ``reason`` says why it is held or was ignored, or what of it could not be done. ``waiting``: it is tried again when
    something comes that it may wait for. ``sheet_id`` and ``patient_id`` are what it was about, as far as that is
    known; ``answered_patient_id`` is whom somebody said it is about. ``user_id`` is in whose name it is done.
    """

    id: int = 0
    source: str
    control_id: str
    digest: str
    kind: str
    event_at: datetime
    received_at: datetime
    user_id: int
    # None once it was kept for as long as the hospital keeps them.
    body: str | None = field(repr=False)
    state: InboundState = InboundState.HELD
    reason: Reason | None = None
    waiting: bool = False
    visit_number: str | None = None
    record_number: str | None = None
    prior_number: str | None = None
    location: str | None = None
    sheet_id: int | None = None
    patient_id: int | None = None
    answered_patient_id: int | None = None
    tries: int = 1
    decided_by: int | None = None
    decided_at: datetime | None = None
    note: str | None = None

    def ensure_held(self) -> None:
        """Raise ``Refused`` (message.decided) unless it waits for a decision."""
        if self.state is not InboundState.HELD:
            raise Refused(Reason(Code.MESSAGE_DECIDED))

    def hold(self, reason: Reason) -> None:
        """Somebody has to decide."""
        self.state, self.reason, self.waiting = InboundState.HELD, reason, True

    def dismiss(self, by: Actor, at: datetime, note: str) -> None:
        """It is not done, and somebody said why."""
        self.ensure_held()
        self.state, self.waiting = InboundState.DISMISSED, False
        self.decided_by, self.decided_at, self.note = by.user_id, at, note
