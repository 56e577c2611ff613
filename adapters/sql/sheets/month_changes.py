"""Changes of lines in a later month than that of their use."""

from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import Connection

from adapters.sql.sheets.tables import month_changes
from domain.sheets.month_change import MonthChange

_INSERT = month_changes.insert()


class SqlMonthChanges:
    """Changes of earlier months within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_all(self, new: Iterable[MonthChange]) -> None:
        """Insert new changes."""
        rows = [_to_row(change) for change in new]
        if rows:
            self._connection.execute(_INSERT, rows)


def _to_row(change: MonthChange) -> dict[str, object]:
    row = asdict(change)
    del row["id"]
    return row
