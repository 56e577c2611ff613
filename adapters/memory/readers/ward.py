"""Rooms with their patients, in memory."""

from collections import Counter
from datetime import date, timedelta

from adapters.memory.data import MemoryData
from adapters.memory.readers.people import sheet_patient_view
from application.ports.readers.reports import WARD_DAYS
from application.views.catalogue import AreaView
from application.views.ward import WardRoomView, WardSheetView
from domain.room import Room, RoomStatus
from domain.sheet import Sheet
from domain.text import fold


class MemoryWard:
    """The queries of the ward."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def areas(self) -> list[AreaView]:
        """List the areas that have rooms, by name."""
        used = {room.area_id for room in self._data.rooms.values()}
        found = sorted((self._data.areas[area_id] for area_id in used), key=lambda area: (fold(area.name), area.id))
        return [AreaView(id=area.id, name=area.name) for area in found]

    def rooms(self, area_id: int | None, today: date, *, most: int) -> list[WardRoomView]:
        """List the first rooms of an area or of all areas, with open sheets."""
        found = [self._room(room, today) for room in self._data.rooms.values() if area_id in (None, room.area_id)]
        found.sort(key=lambda room: (fold(room["name"]), room["id"]))
        return [room for room in found if room["sheets"] or room["status"] != RoomStatus.OUT_OF_SERVICE][:most]

    def _room(self, room: Room, today: date) -> WardRoomView:
        in_room = [sheet for sheet in self._data.sheets.values() if sheet.room_id == room.id and not sheet.closed]
        in_room.sort(key=lambda sheet: (sheet.admission_date, sheet.id))
        return WardRoomView(
            id=room.id,
            name=room.name,
            status=int(room.status),
            area=AreaView(id=room.area_id, name=self._data.areas[room.area_id].name),
            sheets=[self._sheet(sheet, today) for sheet in in_room],
        )

    def _sheet(self, sheet: Sheet, today: date) -> WardSheetView:
        details = [detail for detail in self._data.counted if detail.sheet_id == sheet.id]
        lines = Counter(detail.day for detail in details)
        return WardSheetView(
            id=sheet.id,
            patient=sheet_patient_view(self._data.patients[sheet.patient_id]),
            admission_date=sheet.admission_date,
            lines_today=lines[today],
            lines_by_day=[lines[today - timedelta(days=ago)] for ago in reversed(range(WARD_DAYS))],
            last_recorded_at=max((detail.created_at for detail in details), default=None),
            discharge_proposed=sheet.discharge_proposed_at is not None,
            unlisted_items=sum(item.sheet_id == sheet.id and item.open for item in self._data.unlisted_items.values()),
            mine=False,
        )
