"""Outbound messages of the transactional outbox.

A ``DEAD`` message is a dead letter: it is not retried until an administrator decides.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor

# The delay before each retry. The last delay is used for all further retries.
RETRY_DELAYS: tuple[timedelta, ...] = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
)
# After this time without success the message is dead.
GIVE_UP_AFTER = timedelta(hours=24)
# Outbox lease: how long one sender owns a claimed message. It exceeds the response timeout.
LEASE = timedelta(seconds=90)
MAX_ERROR_LENGTH = 2_000


class OutboundState(StrEnum):
    """The state of an outbound message."""

    WAITING = "waiting"
    SENT = "sent"
    # A dead letter: it is not retried unless an administrator asks for it.
    DEAD = "dead"


@dataclass(slots=True, kw_only=True)
class OutboundMessage:
    """A message about a sheet. Each attempt sends the same text and number.

    ``problem`` is the error of the last attempt. ``decided_by`` is the administrator who marked it as sent, for a
    ``reason``.
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
        """Take the lease for an attempt.

        If the attempt reports no result, the message is due again after the lease.
        """
        self.tries += 1
        self.first_tried_at = self.first_tried_at or at
        self.next_try_at = at + LEASE

    def mark_delivered(self, at: datetime) -> None:
        """Mark the message as delivered."""
        if self.state is not OutboundState.SENT:
            self.state, self.sent_at, self.problem = OutboundState.SENT, at, None

    def mark_failed(self, at: datetime, problem: str, *, is_permanent: bool = False) -> None:
        """Schedule a retry, or mark the message as dead.

        It is dead if the failure is permanent (``is_permanent``) or if attempts began more than ``GIVE_UP_AFTER`` ago.
        """
        if self.state is not OutboundState.WAITING:
            return
        self.problem = problem[:MAX_ERROR_LENGTH]
        if is_permanent or at - (self.first_tried_at or at) >= GIVE_UP_AFTER:
            self.state = OutboundState.DEAD
        else:
            self.next_try_at = at + RETRY_DELAYS[min(self.tries, len(RETRY_DELAYS)) - 1]

    def retry(self, at: datetime) -> None:
        """Make the message due now, with a new series of attempts."""
        self._ensure_not_sent()
        self.state, self.tries, self.first_tried_at, self.next_try_at = OutboundState.WAITING, 0, None, at

    def mark_sent(self, by: Actor, at: datetime, reason: str) -> None:
        """Mark the message as sent because it was handled in another way."""
        self._ensure_not_sent()
        self.state, self.sent_at, self.decided_by, self.reason = OutboundState.SENT, at, by.user_id, reason

    def _ensure_not_sent(self) -> None:
        if self.state is OutboundState.SENT:
            raise Refused(Reason(Code.MESSAGE_SENT))
