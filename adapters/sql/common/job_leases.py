"""Leases of background jobs."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, text

from adapters.sql.common.tables import job_leases
from adapters.sql.engine.columns import Moment

# Of several processes, the first one changes the row; the others wait for it, and find that the job is not due.
_CLAIM = text(
    "INSERT INTO job_leases (job, due_at) VALUES (:job, :until)"
    " ON CONFLICT (job) DO UPDATE SET due_at = excluded.due_at WHERE job_leases.due_at <= :at"
).bindparams(bindparam("at", type_=Moment()), bindparam("until", type_=Moment()))
_SET_DUE = job_leases.update().where(job_leases.c.job == bindparam("of_job")).values(due_at=bindparam("at"))


class SqlJobLeases:
    """When jobs are due, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(self, job: str, at: datetime, until: datetime) -> bool:
        """Claim a job if it is due. Return whether this process runs it."""
        return self._connection.execute(_CLAIM, {"job": job, "at": at, "until": until}).rowcount > 0

    def set_due(self, job: str, at: datetime) -> None:
        """Set when a job is due again."""
        self._connection.execute(_SET_DUE, {"of_job": job, "at": at})
