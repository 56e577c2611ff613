"""Read areas and rooms, in memory."""

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, by_name, folded, id_of
from adapters.memory.readers.people import person_view
from application.paging import ListQuery
from application.views.catalogue import AreaView, RoomQuery, RoomSheetView, RoomView
from domain.text import fold


def read_areas(data: MemoryData) -> MemoryView[AreaView, ListQuery]:
    return MemoryView(
        everything=lambda: [AreaView(id=area.id, name=area.name, code=area.code) for area in data.areas.values()],
        matches=lambda _, __: True,
        searched=lambda item: (fold(item["name"]),),
        order=by_name,
        sorts={"id": id_of, "name": folded("name")},
    )


def read_rooms(data: MemoryData) -> MemoryView[RoomView, RoomQuery]:
    return MemoryView(
        everything=lambda: [
            RoomView(
                id=room.id,
                name=room.name,
                code=room.code,
                status=int(room.status),
                type=int(room.type),
                area_id=room.area_id,
                area=AreaView(id=room.area_id, name=data.areas[room.area_id].name),
                sheets=_open_sheets_in(data, room.id),
            )
            for room in data.rooms.values()
        ],
        matches=lambda item, query: query.area_id in (None, item["area_id"]) and query.status in (None, item["status"]),
        searched=lambda item: (fold(item["name"]), fold(item["area"]["name"])),
        exact=lambda item: (fold(item["name"]),),
        order=by_name,
        sorts={
            "id": id_of,
            "name": folded("name"),
            "area": lambda item: fold(item["area"]["name"]),
            "status": lambda item: item["status"],
            "type": lambda item: item["type"],
        },
    )


def _open_sheets_in(data: MemoryData, room_id: int) -> list[RoomSheetView]:
    found = [sheet for sheet in data.sheets.values() if sheet.room_id == room_id and not sheet.closed]
    return [
        RoomSheetView(
            id=sheet.id,
            patient=person_view(data.patients[sheet.patient_id]),
            admission_date=sheet.admission_date,
        )
        for sheet in sorted(found, key=lambda sheet: (sheet.admission_date, sheet.id))
    ]
