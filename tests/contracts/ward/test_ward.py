"""Contract of every store: the rooms with their patients."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import RoomQuery
from application.common.paging import Sort
from application.sheets.offline.unlisted_items import DiscardDraft, UnlistedItemDraft
from application.sheets.views import SheetQuery
from application.ward.overview_ports import WARD_DAYS, WardReader
from application.ward.ward_views import WardRoomView
from domain.catalogue.room import RoomStatus, RoomType
from domain.common.day import day_of
from domain.sheets.sheet import PatientSheet
from tests.builders import ZONE, Ward


@pytest.fixture
def today(ward: Ward) -> date:
    return day_of(ward.clock(), ZONE)


def room(ward: Ward, name: str, area_id: int | None = None, status: RoomStatus = RoomStatus.AVAILABLE) -> int:
    draft = RoomDraft(name=name, status=status, type=RoomType.SINGLE, area_id=area_id or ward.area_id)
    return ward.use_cases.rooms.create(ward.admin, draft).id


def rooms(ward: Ward, today: date, area_id: int | None = None, most: int = 100) -> list[WardRoomView]:
    with ward.store.read() as views:
        reader: WardReader = views.ward
        return reader.rooms(area_id, today, most=most)


def the_sheet(ward: Ward, today: date) -> Any:
    [sheet] = [sheet for room in rooms(ward, today) for sheet in room["sheets"]]
    return sheet


def test_areas_with_rooms_are_listed_by_name(ward: Ward) -> None:
    for name in ("Úrgencias", "Cirugía", "Archivo"):
        made = ward.use_cases.areas.create(ward.admin, AreaDraft(name=name)).id
        if name != "Archivo":
            room(ward, f"1 de {name}", made)
    with ward.store.read() as views:
        names = [area["name"] for area in views.ward.areas()]
    assert "Archivo" not in names
    assert names.index("Cirugía") < names.index("Úrgencias")
    assert len(names) == 3


def test_rooms_without_a_sheet_are_listed_whatever_their_status(ward: Ward, today: date) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía")).id
    free, broken = room(ward, "B", area), room(ward, "A", area, RoomStatus.OUT_OF_SERVICE)
    cleaned = room(ward, "C", area, RoomStatus.CLEANING)
    assert [(one["id"], one["status"]) for one in rooms(ward, today, area)] == [(broken, 4), (free, 1), (cleaned, 3)]
    assert rooms(ward, today, area)[1] == {
        "id": free,
        "name": "B",
        "status": 1,
        "area": {"id": area, "name": "Cirugía"},
        "sheets": [],
    }
    ward.sheet(room_id=free)
    assert len(rooms(ward, today)) == 4
    assert [one["id"] for one in rooms(ward, today, area, most=2)] == [broken, free]
    assert rooms(ward, today, 999) == []


def test_rooms_have_the_order_of_the_ward_in_every_list(ward: Ward, today: date) -> None:
    names = ["2", "2-B", "10", "101", "Cubículo 2", "cubiculo 10"]
    for name in reversed(names):
        if name != "101":
            ward.sheet(room_id=room(ward, name), patient_id=ward.patient(f"Luz {name}", "Gil").id)
    ward.sheet()
    assert [one["name"] for one in rooms(ward, today)] == names
    assert [one["name"] for one in rooms(ward, today, most=3)] == names[:3]
    with ward.store.read() as views:
        assert [one["name"] for one in views.rooms.page(RoomQuery())["items"]] == names
        by_room = SheetQuery(closed=False, sort=Sort("room"))
        assert [one["room"]["name"] for one in views.sheets.page(by_room)["items"]] == names


def test_two_sheets_in_a_room_are_listed_by_admission(ward: Ward, today: date) -> None:
    other = ward.patient("Luz", "Gil").id
    later = ward.sheet(admission_date=today)["id"]
    earlier = ward.sheet(admission_date=today - timedelta(days=2), patient_id=other)["id"]
    [found] = rooms(ward, today)
    assert [sheet["id"] for sheet in found["sheets"]] == [earlier, later]
    assert found["sheets"][0]["patient"]["first_surname"] == "Gil"


def test_lines_are_counted_for_each_of_seven_hospital_days(ward: Ward, today: date) -> None:
    sheet = ward.sheet(admission_date=today - timedelta(days=20))["id"]
    assert the_sheet(ward, today) == {
        "id": sheet,
        "patient": {
            "id": ward.patient_id,
            "name": "Ana",
            "first_surname": "Ríos",
            "second_surname": None,
            "record_number": None,
            "date_of_birth": None,
        },
        "admission_date": today - timedelta(days=20),
        "lines_today": 0,
        "lines_by_day": [0] * WARD_DAYS,
        "last_recorded_at": None,
        "discharge_proposed": False,
        "unlisted_items": 0,
        "mine": False,
    }
    ward.clock.advance(days=-WARD_DAYS)
    ward.detail(sheet)
    last = ward.clock.now
    assert the_sheet(ward, today)["lines_by_day"] == [0] * WARD_DAYS
    assert the_sheet(ward, today)["last_recorded_at"] == last
    ward.clock.advance(days=1)
    ward.detail(sheet)
    ward.detail(sheet)
    ward.clock.advance(days=WARD_DAYS - 1, minutes=5)
    ward.detail(sheet)
    voided = ward.detail(sheet)["id"]
    last = ward.clock.now
    ward.clock.advance(minutes=1)
    ward.detail(sheet, occurred_at=ward.clock.now - timedelta(days=1), by=ward.supervisor)
    ward.use_cases.details.delete(ward.admin, voided)
    found = the_sheet(ward, today)
    assert found["lines_by_day"] == [2, 0, 0, 0, 0, 1, 1]
    assert found["lines_today"] == 1
    assert found["last_recorded_at"] == last + timedelta(minutes=1)
    # Seven days later, only the age of the last line is known.
    assert the_sheet(ward, today + timedelta(days=7))["lines_by_day"] == [0] * WARD_DAYS


def test_the_discharge_and_open_unlisted_items_are_shown(ward: Ward, today: date) -> None:
    sheet = ward.sheet()["id"]
    with ward.store.begin() as work:
        kept = work.sheets.lock(sheet)
        assert isinstance(kept, PatientSheet)
        kept.discharge_proposed_at = ward.clock()
        work.sheets.save(kept)
    for description in ("Bisturí láser", "Malla"):
        draft = UnlistedItemDraft(description=description, quantity=Decimal(1))
        item = ward.use_cases.unlisted_items.note(ward.nurse, sheet, draft).answer["id"]
    ward.use_cases.unlisted_items.note(ward.nurse, sheet, draft)
    ward.use_cases.unlisted_items.discard(ward.supervisor, item, DiscardDraft(reason="No se usó"))
    found = the_sheet(ward, today)
    assert (found["discharge_proposed"], found["unlisted_items"]) == (True, 2)
