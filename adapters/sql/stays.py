"""Transfers as rows, and the stays of a sheet that they tell."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, exists, select

from adapters.sql.driver_execute import execute, execute_one
from adapters.sql.tables import rooms, sheet_transfers, sheets
from domain.stay import Transfer

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
# Whether a sheet has any: most have none, and are not asked for them.
IS_TRANSFERRED = exists(select(sheet_transfers.c.id).where(sheet_transfers.c.sheet_id == sheets.c.id))


class SqlTransfers:
    """The transfers, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, transfer: Transfer) -> None:
        """Keep a new one and give it its id."""
        row = {
            "sheet_id": transfer.sheet_id,
            "left_room_id": transfer.left_room_id,
            "at": transfer.at,
            "user_id": transfer.user_id,
        }
        [(transfer.id,)] = execute(self._connection, _INSERT, row)

    def first(self, sheet_id: int) -> Transfer | None:
        """The first one of that sheet."""
        row = execute_one(self._connection, _FIRST, {"sheet_id": sheet_id})
        return None if row is None else _to_entity(row)

    def last(self, sheet_id: int) -> Transfer | None:
        """The last one of that sheet."""
        row = execute_one(self._connection, _LAST, {"sheet_id": sheet_id})
        return None if row is None else _to_entity(row)

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Those of that sheet, the first one first."""
        return [_to_entity(row) for row in execute(self._connection, _ALL_OF_SHEET, {"sheet_id": sheet_id})]

    def remove(self, transfer: Transfer) -> None:
        """Delete it for good."""
        execute(self._connection, _REMOVE, {"this_id": transfer.id})


def read_transfers(connection: Connection, sheet_id: int) -> tuple[list[Transfer], dict[int, str]]:
    """Those of that sheet, the oldest first, and what the rooms are called that were left."""
    rows = execute(connection, _WITH_ROOMS, {"sheet_id": sheet_id})
    return [_to_entity(row) for row in rows], {row.left_room_id: row.name for row in rows}


def read_transfers_of(connection: Connection, sheet_ids: Sequence[int]) -> tuple[list[Transfer], dict[int, str]]:
    """Those of these sheets, each sheet's oldest first, and what the rooms are called that were left."""
    rows = execute(connection, _WITH_ROOMS_OF, {"sheet_ids": list(sheet_ids)})
    return [_to_entity(row) for row in rows], {row.left_room_id: row.name for row in rows}


def _to_entity(row: Any) -> Transfer:
    return Transfer(id=row.id, sheet_id=row.sheet_id, left_room_id=row.left_room_id, at=row.at, user_id=row.user_id)
