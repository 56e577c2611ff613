"""Rooms."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.tables import ROOM_ORDER, areas, rooms, set_aside
from adapters.sql.engine.lists import ListSpec, TableView
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.people.patients import PATIENT_NAME
from adapters.sql.people.tables import patients
from adapters.sql.sheets.tables import IS_OPEN, details, sheet_transfers, sheets, unlisted_items
from application.catalogue.views import RoomQuery, RoomSheetView, RoomView
from application.common.paging import Page
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.text import fold, natural_key

MAPPING = TableMapping[Room](
    rooms,
    Room,
    sheets.c.room_id,
    details.c.room_id,
    unlisted_items.c.room_id,
    set_aside.c.room_id,
    sheet_transfers.c.left_room_id,
    keys={"name": rooms.c.name_folded, "code": rooms.c.code},
    written={
        "name_folded": lambda room: fold(room.name),
        "sort_folded": lambda room: natural_key(room.name),
    },
    read={"status": Computed(RoomStatus, rooms.c.status), "type": Computed(RoomType, rooms.c.type)},
)

_ROOM = RowShape[RoomView](RoomView, rooms, names={"area": AREA_NAME, "sheets": Computed(list)})

_ROOMS = ListSpec[RoomView, RoomQuery](
    source=select(*_ROOM.columns).join_from(rooms, areas),
    id=rooms.c.id,
    order=(ROOM_ORDER, rooms.c.id),
    sorts={
        "id": rooms.c.id,
        "name": ROOM_ORDER,
        "area": areas.c.name_folded,
        "status": rooms.c.status,
        "type": rooms.c.type,
    },
    searched=(rooms.c.name_folded, areas.c.name_folded),
    exact=(rooms.c.name_folded,),
    to_item=_ROOM.read,
    filters={
        "area_id": rooms.c.area_id == bindparam("area_id"),
        "status": rooms.c.status == bindparam("status"),
    },
    filters_of=lambda query: {"area_id": query.area_id, "status": query.status},
)

_OPEN_SHEET = RowShape[RoomSheetView](RoomSheetView, sheets, names={"patient": PATIENT_NAME})
_OPEN_SHEETS = (
    select(*_OPEN_SHEET.columns, sheets.c.room_id)
    .join_from(sheets, patients)
    .where(sheets.c.room_id.in_(bindparam("room_ids", expanding=True)), IS_OPEN)
    .order_by(sheets.c.admission_date, sheets.c.id)
)


class SqlRoomsView:
    """Read model of rooms."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rooms = TableView(connection, _ROOMS)

    def one(self, id: int) -> RoomView | None:
        """Return a room."""
        view = self._rooms.one(id)
        if view is not None:
            self._add_open_sheets([view])
        return view

    def page(self, query: RoomQuery) -> Page[RoomView]:
        """Return a page of rooms."""
        page = self._rooms.page(query)
        self._add_open_sheets(page["items"])
        return page

    def _add_open_sheets(self, views: Iterable[RoomView]) -> None:
        """Read the open sheets of all rooms by one statement."""
        by_id = {view["id"]: view for view in views}
        if by_id:
            for row in self._connection.execute(_OPEN_SHEETS, {"room_ids": list(by_id)}):
                by_id[row.room_id]["sheets"].append(_OPEN_SHEET.read(row))
