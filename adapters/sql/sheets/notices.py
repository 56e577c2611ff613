"""What others changed on users' lines, for these users."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, bindparam

from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.engine.columns import Moment
from adapters.sql.sheets.tables import IS_UNSEEN_NOTICE, notices
from domain.sheets.notice import Notice

_INSERT = notices.insert()
_MARK_SEEN = (
    notices.update()
    .where(
        notices.c.id.in_(bindparam("ids", expanding=True)), notices.c.user_id == bindparam("whose"), IS_UNSEEN_NOTICE
    )
    .values(seen_at=bindparam("now", type_=Moment()))
)
_PURGE = notices.delete().where(notices.c.at < bindparam("before"))


class SqlNotices:
    """Notices within a unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites) -> None:
        self._connection = connection
        self._pending_writes = pending_writes

    def add_all(self, new: Sequence[Notice]) -> None:
        """Insert new notices, after their lines."""
        if new:
            self._pending_writes.write()
            self._connection.execute(_INSERT, [_to_row(notice) for notice in new])

    def mark_seen(self, user_id: int, ids: Sequence[int], at: datetime) -> None:
        """Mark unseen notices of the user as seen. Others are ignored."""
        self._connection.execute(_MARK_SEEN, {"ids": list(ids), "whose": user_id, "now": at})

    def purge(self, before: datetime) -> None:
        """Delete the notices from before that moment."""
        self._connection.execute(_PURGE, {"before": before})


def _to_row(notice: Notice) -> dict[str, object]:
    row = asdict(notice)
    del row["id"]
    return {**row, "kind": str(notice.kind)}
