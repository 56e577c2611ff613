"""Stays of a patient, after any corrections."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from application.audit.views import AuditQuery
from application.catalogue.rooms import RoomDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetQuery, SheetView
from domain.common.day import start_of
from domain.common.errors import Code, NotFound, VersionConflict
from tests.assertions import refused
from tests.builders import TODAY, ZONE, Ward, a_ward

ADMITTED = TODAY - timedelta(days=9)


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet(admission_date=ADMITTED)["id"]


@pytest.fixture
def other(ward: Ward) -> int:
    return a_room(ward, "Piso 3 · 314")


def a_room(ward: Ward, name: str) -> int:
    draft = RoomDraft(name=name, status=1, type=1, area_id=ward.area_id)
    return ward.use_cases.rooms.create(ward.admin, draft).id


def moved(ward: Ward, sheet_id: int, room_id: int, **particulars: Any) -> SheetView:
    return ward.use_cases.sheets.transfer_patient(ward.nurse, sheet_id, TransferDraft(room_id=room_id, **particulars))


def reported(sheet: SheetView) -> list[tuple[str, Any, Any]]:
    return [(stay["room"]["name"], stay["from"], stay["until"]) for stay in sheet["stays"]]


def test_a_transfer_ends_the_stay_and_begins_the_next(ward: Ward, sheet_id: int, other: int) -> None:
    began, now = start_of(ADMITTED, ZONE), ward.clock.now
    assert reported(ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)) == [("101", began, None)]
    yesterday = now - timedelta(days=1)
    first = moved(ward, sheet_id, other, at=yesterday)
    assert (first["room"]["name"], first["version"]) == ("Piso 3 · 314", 2)
    assert reported(first) == [("101", began, yesterday), ("Piso 3 · 314", yesterday, None)]
    back = moved(ward, sheet_id, ward.room_id)
    assert reported(back)[1:] == [("Piso 3 · 314", yesterday, now), ("101", now, None)]
    ward.clock.advance(hours=1)
    assert reported(ward.use_cases.sheets.close(ward.admin, sheet_id))[-1] == ("101", now, ward.clock.now)
    assert reported(ward.use_cases.sheets.reader.one(ward.nurse, sheet_id))[-1] == ("101", now, ward.clock.now)


def test_lists_have_no_stays(ward: Ward, sheet_id: int, other: int) -> None:
    moved(ward, sheet_id, other)
    [listed] = ward.use_cases.sheets.reader.page(ward.nurse, SheetQuery())["items"]
    assert "stays" not in listed


def test_lines_keep_the_room_in_which_they_were_recorded(ward: Ward, sheet_id: int, other: int) -> None:
    before = ward.detail(sheet_id)
    moved(ward, sheet_id, other)
    after = ward.detail(sheet_id)
    assert [line["room_id"] for line in (before, after)] == [ward.room_id, other]
    ward.use_cases.sheets.undo_transfer(ward.supervisor, sheet_id)
    rooms = [ward.use_cases.details.reader.one(ward.nurse, line["id"])["room_id"] for line in (before, after)]
    assert rooms == [ward.room_id, other]


def test_a_correction_of_the_room_begins_no_stay(ward: Ward, sheet_id: int, other: int) -> None:
    third, at = a_room(ward, "315"), ward.clock.now
    moved(ward, sheet_id, other)
    corrected = ward.use_cases.sheets.update(
        ward.nurse, sheet_id, ward.sheet_draft(room_id=third, admission_date=ADMITTED)
    )
    assert [name for name, *_ in reported(corrected)] == ["101", "315"]
    assert reported(corrected)[-1] == ("315", at, None)
    # If the room is corrected to the previous one, the transfer disappears.
    as_it_was = ward.sheet_draft(room_id=ward.room_id, admission_date=ADMITTED)
    corrected = ward.use_cases.sheets.update(ward.nurse, sheet_id, as_it_was)
    assert reported(corrected) == [("101", start_of(ADMITTED, ZONE), None)]


def test_undoing_removes_the_last_transfer_then_the_one_before(ward: Ward, sheet_id: int, other: int) -> None:
    moved(ward, sheet_id, other)
    moved(ward, sheet_id, a_room(ward, "315"))
    undo = ward.use_cases.sheets.undo_transfer
    assert [name for name, *_ in reported(undo(ward.supervisor, sheet_id))] == ["101", "Piso 3 · 314"]
    assert [name for name, *_ in reported(undo(ward.supervisor, sheet_id))] == ["101"]
    with refused(Code.NOT_TRANSFERRED):
        undo(ward.supervisor, sheet_id)
    with pytest.raises(NotFound):
        undo(ward.supervisor, 999)


def test_invalid_transfers_are_refused(ward: Ward, sheet_id: int, other: int) -> None:
    now = ward.clock.now
    refusals: list[tuple[Code, str, dict[str, Any]]] = [
        (Code.ROOM_SAME, "room_id", {"room_id": ward.room_id}),
        (Code.REFERENCE_UNKNOWN, "room_id", {"room_id": 999}),
        (Code.REQUIRED, "room_id", {"room_id": None}),
        (Code.USED_IN_FUTURE, "at", {"room_id": other, "at": now + timedelta(minutes=6)}),
        (Code.USED_BEFORE_ADMISSION, "at", {"room_id": other, "at": start_of(ADMITTED, ZONE) - timedelta(seconds=1)}),
    ]
    for code, field, particulars in refusals:
        with refused((code, field)):
            moved(ward, sheet_id, **particulars)
    # A clock a few minutes fast is accepted.
    assert reported(moved(ward, sheet_id, other, at=now + timedelta(minutes=4)))[-1][1] == now
    with refused((Code.MOVED_BEFORE_STAY, "at")):
        moved(ward, sheet_id, ward.room_id, at=now - timedelta(seconds=1))
    with refused((Code.USED_BEFORE_ADMISSION, "admission_date")):
        tomorrow = TODAY + timedelta(days=1)
        ward.use_cases.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(admission_date=tomorrow))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        moved(ward, sheet_id, ward.room_id)
    with refused(Code.SHEET_CLOSED):
        ward.use_cases.sheets.undo_transfer(ward.admin, sheet_id)
    with pytest.raises(NotFound):
        moved(ward, 999, other)


def test_a_transfer_of_an_old_version_is_refused(ward: Ward, sheet_id: int, other: int) -> None:
    seen = frozenset({1})
    draft = TransferDraft(room_id=other)
    ward.use_cases.sheets.transfer_patient(ward.nurse, sheet_id, draft, seen)
    with pytest.raises(VersionConflict):
        ward.use_cases.sheets.transfer_patient(ward.nurse, sheet_id, TransferDraft(room_id=ward.room_id), seen)
    with pytest.raises(VersionConflict):
        ward.use_cases.sheets.undo_transfer(ward.supervisor, sheet_id, seen)


def test_a_former_room_of_a_sheet_cannot_be_deleted(ward: Ward, sheet_id: int, other: int) -> None:
    third = a_room(ward, "315")
    moved(ward, sheet_id, other)
    moved(ward, sheet_id, third)
    with refused(Code.IN_USE):
        ward.use_cases.rooms.delete(ward.admin, other)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    ward.use_cases.rooms.delete(ward.admin, other)


def test_the_history_has_both_rooms_of_a_transfer(ward: Ward, sheet_id: int, other: int) -> None:
    moved(ward, sheet_id, other)
    ward.use_cases.sheets.undo_transfer(ward.supervisor, sheet_id)
    entries = ward.use_cases.sheets.read_history(ward.supervisor, sheet_id, AuditQuery())["items"]
    reported = {entry["action"]: (entry["changes"]["room_id"], entry["names"]["room_id"]) for entry in entries[:2]}
    assert reported == {
        "sheet.transfer_undone": ([other, ward.room_id], ["Piso 3 · 314", "101"]),
        "sheet.transferred": ([ward.room_id, other], ["101", "Piso 3 · 314"]),
    }


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["move", "undo", "correct", "later"]),
        st.integers(0, 3),
        st.none() | st.integers(-400, 10),
    ),
    max_size=14,
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_stays_have_no_overlap_and_no_gap(steps: list[tuple[str, int, int | None]]) -> None:
    ward = a_ward()
    rooms = [ward.room_id, *(a_room(ward, name) for name in ("B", "C", "D"))]
    sheet_id = ward.sheet(admission_date=ADMITTED)["id"]
    uc, expected = ward.use_cases, [rooms[0]]
    for what, number, hours in steps:
        room = rooms[number]
        try:
            if what == "move":
                at = None if hours is None else ward.clock.now + timedelta(hours=hours)
                moved(ward, sheet_id, room, at=at)
                expected.append(room)
            elif what == "undo":
                uc.sheets.undo_transfer(ward.supervisor, sheet_id)
                expected.pop()
            elif what == "correct":
                uc.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(room_id=room, admission_date=ADMITTED))
                expected[-1] = room
            else:
                ward.clock.advance(hours=number)
        except Exception as no:
            if type(no).__name__ != "Refused":
                raise
        sheet = uc.sheets.reader.one(ward.nurse, sheet_id)
        stays = sheet["stays"]
        assert stays[0]["from"] == start_of(ADMITTED, ZONE)
        assert [one["until"] for one in stays[:-1]] == [one["from"] for one in stays[1:]]
        assert all(one["until"] is None or one["from"] <= one["until"] for one in stays)
        assert stays[-1]["until"] is None
        assert stays[-1]["room"]["id"] == sheet["room_id"] == expected[-1]
        without_repeats = [one for place, one in enumerate(expected) if place == 0 or one != expected[place - 1]]
        assert [one["room"]["id"] for one in stays] == without_repeats
