"""The state of the stored data, in memory."""

from datetime import datetime

from adapters.memory.data import MemoryData
from application.ports.readers.status import BillingQueue, UnsentLines
from domain.backup import Backup
from domain.interop.inbound_message import InboundState
from domain.interop.outbound_message import OutboundState


class MemoryStatus:
    """The queries of the status page."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def database_size(self) -> int | None:
        """Return None: nothing is stored."""
        return None

    def last_backup(self) -> Backup | None:
        """Return the backup that was made last."""
        return self._data.backups[-1] if self._data.backups else None

    def last_seal_at(self) -> datetime | None:
        """Return None: this store has no seals."""
        return None

    def last_message_at(self) -> datetime | None:
        """Return when the last message of the hospital's system was received."""
        messages = self._data.inbound_messages.values()
        return max((one.received_at for one in messages if one.state is not InboundState.REFUSED), default=None)

    def billing(self) -> BillingQueue:
        """Return the state of the messages to billing."""
        messages = sorted(self._data.outbound_messages.values(), key=lambda one: one.id)
        unfinished = [one for one in messages if one.state is not OutboundState.SENT]
        sent = [one.sent_at for one in messages if one.state is OutboundState.SENT]
        problems = [one.problem for one in unfinished if one.problem]
        return BillingQueue(
            waiting=sum(one.state is OutboundState.WAITING for one in unfinished),
            dead=sum(one.state is OutboundState.DEAD for one in unfinished),
            oldest_at=min((one.created_at for one in unfinished), default=None),
            sent_at=sent[-1] if sent else None,
            problem=problems[-1] if problems else None,
        )

    def unsent(self) -> UnsentLines:
        """Return the lines that devices have not sent."""
        outboxes = self._data.device_outboxes.values()
        return UnsentLines(
            devices=len(outboxes),
            lines=sum(one.lines for one in outboxes),
            oldest_at=min((one.oldest_at for one in outboxes), default=None),
        )
