"""The rooms of an area with their patients."""

import pytest

from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.common.entities import AuditAction
from application.ward import read_ward
from application.ward.ward_views import WardView
from domain.common.policy import Actor
from tests.builders import TODAY, Ward


def look(ward: Ward, area_id: int | None = None, actor: Actor | None = None) -> WardView:
    return ward.use_cases.reports.read_ward(actor or ward.nurse, area_id)


def add_rooms(ward: Ward, area_id: int, *names: str) -> None:
    for name in names:
        ward.use_cases.rooms.create(ward.admin, RoomDraft(name=name, status=1, type=1, area_id=area_id))


def names(view: WardView) -> list[str]:
    return [room["name"] for room in view["rooms"]]


def test_rooms_are_in_the_order_of_their_numbers(ward: Ward) -> None:
    add_rooms(ward, ward.area_id, "Cubículo 10", "cubiculo 2", "Cubículo 1", "9", "101-B", "101-A", "1010")
    assert names(look(ward)) == ["9", "101", "101-A", "101-B", "1010", "Cubículo 1", "cubiculo 2", "Cubículo 10"]


def test_one_area_or_the_whole_hospital(ward: Ward) -> None:
    surgery = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía")).id
    add_rooms(ward, surgery, "7")
    assert names(look(ward)) == ["7", "101"]
    assert names(look(ward, surgery)) == ["7"]
    assert [area["name"] for area in look(ward, surgery)["areas"]] == ["Cirugía", "Urgencias"]
    assert look(ward, 999)["rooms"] == []
    assert look(ward)["day"] == TODAY


def test_sheets_on_which_the_caller_worked_are_marked(ward: Ward) -> None:
    own, other = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(own, by=ward.nurse)
    [room] = look(ward)["rooms"]
    assert {sheet["id"]: sheet["mine"] for sheet in room["sheets"]} == {own: True, other: False}
    [room] = look(ward, actor=ward.supervisor)["rooms"]
    assert not any(sheet["mine"] for sheet in room["sheets"])


def test_the_ward_has_no_price_for_any_role(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet)
    assert look(ward, actor=ward.nurse) == look(ward, actor=ward.supervisor)
    [room] = look(ward, actor=ward.supervisor)["rooms"]
    assert "total" not in room["sheets"][0]


def test_reading_is_logged_if_there_are_patients(ward: Ward) -> None:
    def logged() -> int:
        entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=100))["items"]
        return sum(entry["action"] == AuditAction.WARD_LISTED for entry in entries)

    look(ward)
    assert logged() == 0
    ward.sheet()
    look(ward)
    look(ward, ward.area_id)
    assert logged() == 1


def test_more_rooms_than_the_limit_are_reported(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_ward, "MAX_ROOMS", 2)
    add_rooms(ward, ward.area_id, "102")
    assert (len(look(ward)["rooms"]), look(ward)["more_rooms"]) == (2, False)
    add_rooms(ward, ward.area_id, "103")
    assert (len(look(ward)["rooms"]), look(ward)["more_rooms"]) == (2, True)
