"""Rooms with their patients, for the home page."""

from datetime import date, timedelta, tzinfo

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, func, or_, select

from adapters.sql.catalogue.tables import areas, rooms
from adapters.sql.people.patients import PATIENT_OF_SHEET, to_patient_of_sheet
from adapters.sql.people.tables import patients
from adapters.sql.sheets.last_recorded import LAST_RECORDED_AT
from adapters.sql.sheets.tables import NOT_VOIDED, details, sheets
from adapters.sql.sheets.unlisted_items import OPEN_OF_SHEET
from application.catalogue.views import AreaView
from application.ward.overview_ports import WARD_DAYS
from application.ward.ward_views import WardRoomView, WardSheetView
from domain.catalogue.room import RoomStatus
from domain.common.day import start_of

_OPEN = sheets.c.closed_at.is_(None)

_AREAS = (
    select(areas.c.id, areas.c.name)
    .where(exists().where(rooms.c.area_id == areas.c.id))
    .order_by(areas.c.name_folded, areas.c.id)
)


def _rooms(*where: ColumnElement[bool]) -> Select[tuple[int, str, int, int, str]]:
    usable = rooms.c.status != RoomStatus.OUT_OF_SERVICE
    return (
        select(rooms.c.id, rooms.c.name, rooms.c.status, rooms.c.area_id, areas.c.name.label("area"))
        .join_from(rooms, areas)
        .where(or_(usable, exists().where(sheets.c.room_id == rooms.c.id, _OPEN)), *where)
        .order_by(rooms.c.name_folded, rooms.c.id)
        .limit(bindparam("most"))
    )


# By whether an area is selected.
_ROOMS = {False: _rooms(), True: _rooms(rooms.c.area_id == bindparam("area_id"))}

_SHEETS = (
    select(
        sheets.c.id.label("sheet_id"),
        sheets.c.room_id,
        sheets.c.admission_date,
        sheets.c.discharge_proposed_at,
        OPEN_OF_SHEET,
        LAST_RECORDED_AT,
        *PATIENT_OF_SHEET,
    )
    .join_from(sheets, patients)
    .where(_OPEN, sheets.c.room_id.in_(bindparam("room_ids", expanding=True)))
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
        return [AreaView(id=row.id, name=row.name) for row in self._connection.execute(_AREAS)]

    def rooms(self, area_id: int | None, today: date, *, most: int) -> list[WardRoomView]:
        """Return the first rooms of an area or of all areas, with open sheets."""
        area = {} if area_id is None else {"area_id": area_id}
        found = {
            row.id: WardRoomView(
                id=row.id,
                name=row.name,
                status=row.status,
                area=AreaView(id=row.area_id, name=row.area),
                sheets=[],
            )
            for row in self._connection.execute(_ROOMS[area_id is not None], {**area, "most": most})
        }
        in_rooms = self._connection.execute(_SHEETS, {"room_ids": list(found)}).all()
        lines = self._lines_of([row.sheet_id for row in in_rooms], today)
        for sheet_id, room_id, admission_date, discharge, unlisted_items, last_recorded_at, *patient in in_rooms:
            sheet = WardSheetView(
                id=sheet_id,
                patient=to_patient_of_sheet(patient),
                admission_date=admission_date,
                lines_today=lines[sheet_id][-1],
                lines_by_day=lines[sheet_id],
                last_recorded_at=last_recorded_at,
                discharge_proposed=discharge is not None,
                unlisted_items=unlisted_items,
                mine=False,
            )
            found[room_id]["sheets"].append(sheet)
        return list(found.values())

    def _lines_of(self, sheet_ids: list[int], today: date) -> dict[int, list[int]]:
        """Return the number of lines by sheet and day, the oldest day first."""
        first_day = today - timedelta(days=WARD_DAYS - 1)
        found = {sheet_id: [0] * WARD_DAYS for sheet_id in sheet_ids}
        params = {"first_day": first_day, "today": today, "begins": start_of(first_day, self._zone)}
        for sheet_id, day, lines in self._connection.execute(_LINES, {"sheet_ids": sheet_ids, **params}):
            found[sheet_id][(day - first_day).days] = lines
        return found
