"""Rooms as rows."""

from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from adapters.sql.kept import Kept, TableStore
from adapters.sql.lists import ListOf
from adapters.sql.tables import areas, rooms, sheets
from application.views import AreaView, RoomQuery, RoomView
from domain.room import Room, RoomStatus
from domain.text import fold


def to_row(room: Room) -> dict[str, Any]:
    """A room as a row."""
    return {
        "name": room.name,
        "name_folded": fold(room.name),
        "status": room.status,
        "type": room.type,
        "area_id": room.area_id,
    }


def to_entity(row: Row[Any]) -> Room:
    """A row as a room."""
    return Room(id=row.id, name=row.name, status=RoomStatus(row.status), type=RoomStatus(row.type), area_id=row.area_id)


KEPT = Kept(rooms, to_row, to_entity, sheets.c.room_id)


class SqlRooms(TableStore[Room]):
    """The rooms, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, KEPT)


ROOMS = ListOf[RoomView, RoomQuery](
    source=select(rooms, areas.c.name.label("area_name")).join_from(rooms, areas),
    id=rooms.c.id,
    order=(rooms.c.name_folded, rooms.c.id),
    sorts={
        "id": rooms.c.id,
        "name": rooms.c.name_folded,
        "area": areas.c.name_folded,
        "status": rooms.c.status,
        "type": rooms.c.type,
    },
    searched=(rooms.c.name_folded, areas.c.name_folded),
    to_item=lambda row: RoomView(
        id=row.id,
        name=row.name,
        status=row.status,
        type=row.type,
        area_id=row.area_id,
        area=AreaView(id=row.area_id, name=row.area_name),
    ),
    filters={
        "area_id": rooms.c.area_id == bindparam("area_id"),
        "status": rooms.c.status == bindparam("status"),
    },
    filters_of=lambda query: {"area_id": query.area_id, "status": query.status},
)
