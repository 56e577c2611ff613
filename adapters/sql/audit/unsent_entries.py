"""Entries of the audit log that the hospital's log server has not confirmed."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, create_engine, func, select

from adapters.sql.audit.audit_log import ENTRY, SELECT_ENTRIES
from adapters.sql.audit.complete_entries import last_complete_id
from adapters.sql.audit.tables import audit
from adapters.sql.common.job_leases import SqlJobLeases
from adapters.sql.common.tables import installation
from adapters.sql.engine.connections import to_url
from application.audit.views import AuditView

_JOB = "send_audit_log"
# Longer than a batch takes. A sender that was killed is followed by another one after this time.
LEASE = timedelta(minutes=3)

_SENT_ID = select(installation.c.audit_sent_id)
_NEWEST_ID = select(func.coalesce(func.max(audit.c.id), 0))
_NEXT = (
    SELECT_ENTRIES.where(audit.c.id > bindparam("sent_id"), audit.c.id <= bindparam("complete_id"))
    .order_by(audit.c.id)
    .limit(bindparam("most"))
)
# A sender whose lease has ended never puts it back.
_CONFIRM = (
    installation.update()
    .where(installation.c.audit_sent_id < bindparam("last_id"))
    .values(audit_sent_id=bindparam("last_id"), audit_problem=None)
)
_NOTE = installation.update().values(audit_problem=bindparam("problem"))


class UnsentEntries:
    """The entries after those that the log server has confirmed.

    No transaction is open while they are sent.
    """

    def __init__(self, database_url: str) -> None:
        self._engine = create_engine(
            to_url(database_url), pool_size=1, pool_pre_ping=True, hide_parameters=True, isolation_level="AUTOCOMMIT"
        )

    def exist(self) -> bool:
        """Return whether there are any."""
        with self._engine.connect() as connection:
            return bool(connection.execute(_NEWEST_ID).scalar_one() > connection.execute(_SENT_ID).scalar_one())

    def claim(self, at: datetime) -> bool:
        """Claim the sending. Return False while another process has it."""
        with self._engine.connect() as connection:
            return SqlJobLeases(connection).claim(_JOB, at, at + LEASE)

    def release(self, at: datetime) -> None:
        """Let any process send the next ones."""
        with self._engine.connect() as connection:
            SqlJobLeases(connection).set_due(_JOB, at)

    def next(self, most: int) -> list[AuditView]:
        """Return the next ones, in order of their ids.

        Raise ``WritesInProgress`` while an earlier one may still appear.
        """
        with self._engine.connect() as connection:
            complete_id = last_complete_id(connection)
        with self._engine.connect() as connection:
            sent_id = connection.execute(_SENT_ID).scalar_one()
            found = connection.execute(_NEXT, {"sent_id": sent_id, "complete_id": complete_id, "most": most})
            return [ENTRY.read(row) for row in found]

    def confirm(self, last_id: int) -> None:
        """Store that the log server has all entries up to this one."""
        with self._engine.connect() as connection:
            connection.execute(_CONFIRM, {"last_id": last_id})

    def note(self, problem: str) -> None:
        """Store why the log server has not confirmed the next ones."""
        with self._engine.connect() as connection:
            connection.execute(_NOTE, {"problem": problem})

    def problem(self) -> str | None:
        """Return why the log server has not confirmed the next ones."""
        with self._engine.connect() as connection:
            return connection.execute(select(installation.c.audit_problem)).scalar_one_or_none()

    def close(self) -> None:
        """Close the connection to the database."""
        self._engine.dispose()
