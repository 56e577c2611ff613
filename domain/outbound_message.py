"""An outbound message of the transactional outbox, from its writing until the other system has it.

One that is ``DEAD`` is a dead letter: it is tried no more until somebody decides.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from domain.errors import Code, Reason, Refused
from domain.policy import Actor

# How long after each failure it is tried again; from then on each time after the last of these.
PAUSES: tuple[timedelta, ...] = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
)
# After so long without success it is tried no more.
GIVE_UP_AFTER = timedelta(hours=24)
# For so long whoever sends it has it alone: longer than an answer is awaited.
LEASE = timedelta(seconds=90)
MAX_ERROR_LENGTH = 2_000


class OutboundState(StrEnum):
    """What became of a message."""

    WAITING = "waiting"
    SENT = "sent"
    # A dead letter: it will not be tried again, unless somebody says so.
    DEAD = "dead"


@dataclass(slots=True, kw_only=True)
class OutboundMessage:
    """A message about a sheet. It is sent as it was written, however often: its text and its number stay.

    ``problem`` is why the last try came to nothing. ``decided_by`` said with a ``reason`` that it counts as sent.
    """

    id: int = 0
    sheet_id: int
    control_id: str
    body: str = field(repr=False)
    charges: int
    state: OutboundState = OutboundState.WAITING
    tries: int = 0
    created_at: datetime
    next_try_at: datetime
    first_tried_at: datetime | None = None
    problem: str | None = None
    sent_at: datetime | None = None
    decided_by: int | None = None
    reason: str | None = None

    def start_attempt(self, at: datetime) -> None:
        """Somebody sends it now; if nothing is heard of that, it is due again once the lease is over."""
        self.tries += 1
        self.first_tried_at = self.first_tried_at or at
        self.next_try_at = at + LEASE

    def accept(self, at: datetime) -> None:
        """Whoever it is for has it."""
        if self.state is not OutboundState.SENT:
            self.state, self.sent_at, self.problem = OutboundState.SENT, at, None

    def fail(self, at: datetime, problem: str, *, for_good: bool = False) -> None:
        """It came to nothing, and is tried again later; not where that cannot help, nor where it was tried for long."""
        if self.state is not OutboundState.WAITING:
            return
        self.problem = problem[:MAX_ERROR_LENGTH]
        if for_good or at - (self.first_tried_at or at) >= GIVE_UP_AFTER:
            self.state = OutboundState.DEAD
        else:
            self.next_try_at = at + PAUSES[min(self.tries, len(PAUSES)) - 1]

    def retry(self, at: datetime) -> None:
        """Try it again, from now on."""
        self._ensure_not_sent()
        self.state, self.tries, self.first_tried_at, self.next_try_at = OutboundState.WAITING, 0, None, at

    def settle(self, by: Actor, at: datetime, reason: str) -> None:
        """Somebody saw to it otherwise: it counts as sent."""
        self._ensure_not_sent()
        self.state, self.sent_at, self.decided_by, self.reason = OutboundState.SENT, at, by.user_id, reason

    def _ensure_not_sent(self) -> None:
        if self.state is OutboundState.SENT:
            raise Refused(Reason(Code.MESSAGE_SENT))
