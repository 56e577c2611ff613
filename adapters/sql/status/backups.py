"""The backups that were made."""

from sqlalchemy import Connection, select

from adapters.sql.status.tables import backups
from domain.status.backup import Backup

_LAST = select(backups.c.made_at, backups.c.size).order_by(backups.c.id.desc()).limit(1)


class SqlBackups:
    """Backups within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, backup: Backup) -> None:
        """Store that a backup was made."""
        self._connection.execute(backups.insert(), {"made_at": backup.made_at, "size": backup.size})


def read_last_backup(connection: Connection) -> Backup | None:
    """Return the backup that was made last."""
    row = connection.execute(_LAST).one_or_none()
    return None if row is None else Backup(made_at=row.made_at, size=row.size)
