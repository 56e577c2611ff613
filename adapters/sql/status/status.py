"""The state of the stored data: sizes, backups, seals, queues."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, func, literal_column, select, text

from adapters.sql.audit.tables import audit, audit_seals
from adapters.sql.billing.charging import unfinished_messages
from adapters.sql.billing.tables import IS_UNFINISHED, outbound_messages
from adapters.sql.common.tables import installation
from adapters.sql.inbound.tables import inbound_messages
from adapters.sql.sheets.tables import device_outboxes
from adapters.sql.status.backups import read_last_backup
from application.status.ports import BillingQueue, UnsentAudit, UnsentLines
from domain.interop.inbound_message import InboundState
from domain.interop.outbound_message import OutboundState
from domain.status.backup import Backup

_SIZE = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}
_LAST_SEAL = select(audit_seals.c.sealed_at).order_by(audit_seals.c.id.desc()).limit(1)
_SENT_AUDIT = select(installation.c.audit_sent_id, installation.c.audit_problem)
# The first sending of an old log has more, which are not counted.
_MAX_COUNTED = 100_000
_UNSENT_AUDIT = select(func.count()).select_from(
    select(audit.c.id).where(audit.c.id > bindparam("sent_id")).limit(_MAX_COUNTED).subquery()
)
_OLDEST_UNSENT = select(audit.c.at).where(audit.c.id > bindparam("sent_id")).order_by(audit.c.id).limit(1)
_LAST_MESSAGE = (
    select(inbound_messages.c.received_at)
    .where(inbound_messages.c.state != literal_column(f"'{InboundState.REFUSED}'"))
    .order_by(inbound_messages.c.received_at.desc())
    .limit(1)
)
_LAST_SENT = (
    select(outbound_messages.c.sent_at)
    .where(outbound_messages.c.state == literal_column(f"'{OutboundState.SENT}'"))
    .order_by(outbound_messages.c.id.desc())
    .limit(1)
)
_LAST_PROBLEM = (
    select(outbound_messages.c.problem)
    .where(IS_UNFINISHED, outbound_messages.c.problem.is_not(None))
    .order_by(outbound_messages.c.id.desc())
    .limit(1)
)
_UNSENT = select(
    func.count(), func.coalesce(func.sum(device_outboxes.c.lines), 0), func.min(device_outboxes.c.oldest_at)
)


class SqlStatus:
    """Read model of the state of the stored data."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def database_size(self) -> int | None:
        """Return the size of the database in bytes."""
        return int(self._connection.execute(_SIZE[self._connection.dialect.name]).scalar_one())

    def last_backup(self) -> Backup | None:
        """Return the backup that was made last."""
        return read_last_backup(self._connection)

    def last_seal_at(self) -> datetime | None:
        """Return the time of the last seal of the audit log."""
        return self._connection.execute(_LAST_SEAL).scalar_one_or_none()

    def last_message_at(self) -> datetime | None:
        """Return when the last message of the hospital's system was received."""
        return self._connection.execute(_LAST_MESSAGE).scalar_one_or_none()

    def billing(self) -> BillingQueue:
        """Return the state of the messages to billing."""
        unfinished = unfinished_messages(self._connection)
        return BillingQueue(
            waiting=unfinished.get(OutboundState.WAITING, (0, None))[0],
            dead=unfinished.get(OutboundState.DEAD, (0, None))[0],
            oldest_at=min((oldest for _, oldest in unfinished.values()), default=None),
            sent_at=self._connection.execute(_LAST_SENT).scalar_one_or_none(),
            problem=self._connection.execute(_LAST_PROBLEM).scalar_one_or_none() if unfinished else None,
        )

    def unsent_audit(self) -> UnsentAudit:
        """Return the entries that the log server has not confirmed."""
        sent = self._connection.execute(_SENT_AUDIT).one()
        position = {"sent_id": sent.audit_sent_id}
        return UnsentAudit(
            waiting=self._connection.execute(_UNSENT_AUDIT, position).scalar_one(),
            oldest_at=self._connection.execute(_OLDEST_UNSENT, position).scalar_one_or_none(),
            problem=sent.audit_problem,
        )

    def unsent(self) -> UnsentLines:
        """Return the lines that devices have not sent."""
        return UnsentLines(*self._connection.execute(_UNSENT).one())
