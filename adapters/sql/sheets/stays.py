"""Transfers, and the stays of sheets."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, select

from adapters.sql.catalogue.tables import rooms
from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.sheets.tables import sheet_transfers, sheets
from domain.sheets.stay import Transfer

TRANSFER_MAPPING = RowMapping(sheet_transfers, Transfer)

_OF_SHEET = select(sheet_transfers).where(sheet_transfers.c.sheet_id == bindparam("sheet_id"))
_FIRST = _OF_SHEET.order_by(sheet_transfers.c.id).limit(1)
_LAST = _OF_SHEET.order_by(sheet_transfers.c.id.desc()).limit(1)
_ALL_OF_SHEET = _OF_SHEET.order_by(sheet_transfers.c.id)
_INSERT = sheet_transfers.insert().returning(sheet_transfers.c.id)
_REMOVE = sheet_transfers.delete().where(sheet_transfers.c.id == bindparam("this_id"))
_WITH_ROOMS = (
    _OF_SHEET.add_columns(rooms.c.name)
    .join_from(sheet_transfers, rooms, rooms.c.id == sheet_transfers.c.left_room_id)
    .order_by(sheet_transfers.c.id)
)
_WITH_ROOMS_OF = (
    select(sheet_transfers, rooms.c.name)
    .join_from(sheet_transfers, rooms, rooms.c.id == sheet_transfers.c.left_room_id)
    .where(sheet_transfers.c.sheet_id.in_(bindparam("sheet_ids", expanding=True)))
    .order_by(sheet_transfers.c.id)
)
# Whether a sheet has transfers. Most have none, and need no second query.
IS_TRANSFERRED = exists(select(sheet_transfers.c.id).where(sheet_transfers.c.sheet_id == sheets.c.id))


class SqlTransfers:
    """Transfers within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, transfer: Transfer) -> None:
        """Insert a transfer and set its id."""
        [(transfer.id,)] = self._connection.execute(_INSERT, TRANSFER_MAPPING.to_row(transfer))

    def first(self, sheet_id: int) -> Transfer | None:
        """Return the first transfer of a sheet."""
        row = self._connection.execute(_FIRST, {"sheet_id": sheet_id}).one_or_none()
        return None if row is None else TRANSFER_MAPPING.to_entity(row)

    def last(self, sheet_id: int) -> Transfer | None:
        """Return the last transfer of a sheet."""
        row = self._connection.execute(_LAST, {"sheet_id": sheet_id}).one_or_none()
        return None if row is None else TRANSFER_MAPPING.to_entity(row)

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Return the transfers of a sheet in order."""
        return [
            TRANSFER_MAPPING.to_entity(row) for row in self._connection.execute(_ALL_OF_SHEET, {"sheet_id": sheet_id})
        ]

    def remove(self, transfer: Transfer) -> None:
        """Delete a transfer."""
        self._connection.execute(_REMOVE, {"this_id": transfer.id})


def read_transfers(connection: Connection, sheet_id: int) -> tuple[list[Transfer], dict[int, str]]:
    """Return a sheet's transfers, oldest first, and names of the rooms left."""
    rows = connection.execute(_WITH_ROOMS, {"sheet_id": sheet_id}).all()
    return [TRANSFER_MAPPING.to_entity(row) for row in rows], {row.left_room_id: row.name for row in rows}


def read_transfers_of(connection: Connection, sheet_ids: Sequence[int]) -> tuple[list[Transfer], dict[int, str]]:
    """Return transfers of sheets, oldest first, and names of the rooms left."""
    rows = connection.execute(_WITH_ROOMS_OF, {"sheet_ids": list(sheet_ids)}).all()
    return [TRANSFER_MAPPING.to_entity(row) for row in rows], {row.left_room_id: row.name for row in rows}
