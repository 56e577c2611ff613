"""Read the state of the stored data, for the status page."""

from datetime import datetime
from typing import NamedTuple, Protocol

from domain.status.backup import Backup


class BillingQueue(NamedTuple):
    """Messages to billing: unfinished ones, and the last that was accepted.

    ``problem`` is the error of the latest attempt at an unfinished message.
    """

    waiting: int = 0
    dead: int = 0
    oldest_at: datetime | None = None
    sent_at: datetime | None = None
    problem: str | None = None


class UnsentAudit(NamedTuple):
    """Entries of the audit log that the log server has not confirmed.

    ``problem`` is why it has not.
    """

    waiting: int = 0
    oldest_at: datetime | None = None
    problem: str | None = None


class Replica(NamedTuple):
    """A copy of the database's file that another program keeps up to date.

    ``copied_at`` is when it was last complete; None if that program does not answer, or does not copy this file.
    """

    is_kept: bool = False
    copied_at: datetime | None = None


class UnsentLines(NamedTuple):
    """Lines that devices have not sent, including those judged right."""

    devices: int = 0
    lines: int = 0
    oldest_at: datetime | None = None


class StatusReader(Protocol):
    """Reads the state of the stored data."""

    def database_size(self) -> int | None:
        """Return the size of the database in bytes; None if it is unknown."""

    def last_backup(self) -> Backup | None:
        """Return the backup that was made last."""

    def last_seal_at(self) -> datetime | None:
        """Return the time of the last seal of the audit log."""

    def last_message_at(self) -> datetime | None:
        """Return when the last message of the hospital's system was received."""

    def billing(self) -> BillingQueue: ...

    def unsent_audit(self) -> UnsentAudit: ...

    def unsent(self) -> UnsentLines: ...


class HeldMessages(Protocol):
    """Counts the messages that wait for a decision."""

    def held(self, received_before: datetime | None = None) -> int:
        """Return the number of held messages received before that moment."""
