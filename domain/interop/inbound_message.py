"""Inbound messages of another system, such as ADT messages."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor


class InboundState(StrEnum):
    """The state of an inbound message."""

    APPLIED = "applied"
    IGNORED = "ignored"
    # It waits for a decision of a user, or for another message.
    HELD = "held"
    DISMISSED = "dismissed"
    # Rejected with a reason. Only what identifies the message is kept.
    REFUSED = "refused"


@dataclass(slots=True, kw_only=True)
class InboundMessage:
    """A message as it arrived, with the result of applying it.

    ``digest`` distinguishes it from another message with the same ``source`` and ``control_id``. ``reason`` is why it
    is held or was ignored, or which part of it could not be applied. If ``waiting`` is set, it is tried again when data
    arrives that it may need. ``sheet_id`` and ``patient_id`` are set as far as they are known. ``answered_patient_id``
    and ``answered_room_id`` are the patient and the room that a user chose for it alone. ``user_id`` is the account in
    whose name it is applied.
    """

    id: int = 0
    source: str
    control_id: str
    digest: str
    kind: str
    event_at: datetime
    received_at: datetime
    user_id: int
    # None once the hospital's retention period is over, and for refused messages.
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
    answered_room_id: int | None = None
    # A user decided that the message opens its sheet, although it is no admission.
    opens_sheet: bool = False
    tries: int = 1
    decided_by: int | None = None
    decided_at: datetime | None = None
    note: str | None = None

    def ensure_held(self) -> None:
        """Raise ``Refused`` (message.decided) unless the message is held."""
        if self.state is not InboundState.HELD:
            raise Refused(Reason(Code.MESSAGE_DECIDED))

    def hold(self, reason: Reason) -> None:
        """Keep the message until data or a decision arrives."""
        self.state, self.reason, self.waiting = InboundState.HELD, reason, True

    def dismiss(self, by: Actor, at: datetime, note: str) -> None:
        """Decide that the message has no effect, with a reason."""
        self.ensure_held()
        self.state, self.waiting = InboundState.DISMISSED, False
        self.decided_by, self.decided_at, self.note = by.user_id, at, note
