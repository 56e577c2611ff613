"""Rooms with their patients, for the home page."""

from datetime import date, timedelta, tzinfo
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, func, select

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.tables import ROOM_ORDER, areas, rooms
from adapters.sql.engine.row_shape import Computed, RowShape, is_set
from adapters.sql.people.patients import PATIENT_OF_SHEET
from adapters.sql.people.tables import patients
from adapters.sql.sheets.last_recorded import LAST_RECORDED_AT
from adapters.sql.sheets.tables import IS_OPEN, NOT_VOIDED, details, sheets
from adapters.sql.sheets.unlisted_items import OPEN_OF_SHEET
from application.catalogue.views import AreaView
from application.ward.overview_ports import WARD_DAYS
from application.ward.ward_views import WardRoomView, WardSheetView
from domain.common.day import start_of

_AREAS = (
    select(*AREA_NAME.columns)
    .where(exists().where(rooms.c.area_id == areas.c.id))
    .order_by(areas.c.name_folded, areas.c.id)
)


_ROOM = RowShape[WardRoomView](WardRoomView, rooms, names={"area": AREA_NAME, "sheets": Computed(list)})


def _rooms(*where: ColumnElement[bool]) -> Select[Any]:
    return (
        select(*_ROOM.columns)
        .join_from(rooms, areas)
        .where(*where)
        .order_by(ROOM_ORDER, rooms.c.id)
        .limit(bindparam("most"))
    )


# By whether an area is selected.
_ROOMS = {False: _rooms(), True: _rooms(rooms.c.area_id == bindparam("area_id"))}

_SHEET = RowShape[WardSheetView](
    WardSheetView,
    sheets,
    names={
        "patient": PATIENT_OF_SHEET,
        "last_recorded_at": LAST_RECORDED_AT,
        "discharge_proposed": is_set(sheets.c.discharge_proposed_at),
        "unlisted_items": OPEN_OF_SHEET,
        # Set below, and by the use case.
        "lines_today": Computed(int),
        "lines_by_day": Computed(list),
        "mine": Computed(bool),
    },
)
_SHEETS = (
    select(*_SHEET.columns, sheets.c.room_id)
    .join_from(sheets, patients)
    .where(IS_OPEN, sheets.c.room_id.in_(bindparam("room_ids", expanding=True)))
    .order_by(sheets.c.admission_date, sheets.c.id)
)

_LINES = (
    select(details.c.sheet_id, details.c.day, func.count())
    .where(
        details.c.sheet_id.in_(bindparam("sheet_ids", expanding=True)),
        NOT_VOIDED,
        details.c.day >= bindparam("first_day"),
        details.c.day <= bindparam("today"),
        # Nothing is used after its recording, so lines used on a day were recorded after the beginning of that day.
        details.c.created_at >= bindparam("begins", type_=details.c.created_at.type),
    )
    .group_by(details.c.sheet_id, details.c.day)
)


class SqlWard:
    """Read model of the ward."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    def areas(self) -> list[AreaView]:
        """Return the areas that have rooms, by name."""
        return [AREA_NAME.read(row) for row in self._connection.execute(_AREAS)]

    def rooms(self, area_id: int | None, today: date, *, most: int) -> list[WardRoomView]:
        """Return the first rooms of an area or of all areas, with open sheets."""
        area = {} if area_id is None else {"area_id": area_id}
        found = {
            row.id: _ROOM.read(row)
            for row in self._connection.execute(_ROOMS[area_id is not None], {**area, "most": most})
        }
        in_rooms = self._connection.execute(_SHEETS, {"room_ids": list(found)}).all()
        lines = self._lines_of([row.id for row in in_rooms], today)
        for row in in_rooms:
            sheet = _SHEET.read(row)
            sheet["lines_by_day"] = lines[row.id]
            sheet["lines_today"] = lines[row.id][-1]
            found[row.room_id]["sheets"].append(sheet)
        return list(found.values())

    def _lines_of(self, sheet_ids: list[int], today: date) -> dict[int, list[int]]:
        """Return the number of lines by sheet and day, the oldest day first."""
        first_day = today - timedelta(days=WARD_DAYS - 1)
        found = {sheet_id: [0] * WARD_DAYS for sheet_id in sheet_ids}
        params = {"first_day": first_day, "today": today, "begins": start_of(first_day, self._zone)}
        for sheet_id, day, lines in self._connection.execute(_LINES, {"sheet_ids": sheet_ids, **params}):
            found[sheet_id][(day - first_day).days] = lines
        return found
