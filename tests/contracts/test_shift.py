"""Contract of every store: what a user recorded in a shift."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.rooms import RoomDraft
from application.paging import InvalidQuery
from application.sheets.correct_detail import CorrectionDraft
from application.sheets.unlisted_items import DiscardDraft, UnlistedItemDraft
from application.views.shift import ShiftView
from domain.policy import Actor
from tests.builders import Ward


def look(ward: Ward, since: datetime | None = None, by: Actor | None = None) -> ShiftView:
    return ward.use_cases.reports.read_shift(by or ward.nurse, since)


def recorded(view: ShiftView) -> list[tuple[Any, ...]]:
    return [(one["id"], one["room"], one["lines"], one["units"]) for one in view["sheets"]]


def room(ward: Ward, name: str) -> int:
    return ward.use_cases.rooms.create(ward.admin, RoomDraft(name=name, status=1, type=1, area_id=ward.area_id)).id


def test_own_lines_are_counted_by_sheet_in_order_of_rooms(ward: Ward) -> None:
    far, near = ward.sheet(room_id=room(ward, "Cama 10"))["id"], ward.sheet(room_id=room(ward, "Cama 9"))["id"]
    begin = ward.clock.now
    ward.detail(far, "2", by=ward.nurse)
    ward.detail(near, "1.5", by=ward.nurse)
    ward.detail(near, "4", by=ward.supervisor)
    last = ward.clock.advance(minutes=5)
    ward.detail(near, "3", by=ward.nurse)
    view = look(ward, begin)
    assert recorded(view) == [(near, "Cama 9", 2, Decimal("4.5")), (far, "Cama 10", 1, Decimal(2))]
    assert view["since"] == begin
    assert view["sheets"][0]["last_recorded_at"] == last
    assert view["sheets"][0]["patient"]["name"] == "Ana"
    assert recorded(look(ward, last)) == [(near, "Cama 9", 1, Decimal(3))]


def test_a_correction_by_others_keeps_the_time_of_recording(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    early, own = (ward.detail(sheet, "11", by=ward.nurse)["id"] for _ in range(2))
    begin = ward.clock.advance(hours=8)
    late = ward.detail(sheet, "22", by=ward.nurse)["id"]
    ward.clock.advance(minutes=5)
    for line, quantity, by in ((early, 1, ward.supervisor), (late, 2, ward.supervisor), (own, 4, ward.nurse)):
        draft = CorrectionDraft(quantity=Decimal(quantity))
        ward.use_cases.details.correct(by, line, draft, reason="Corregida")
    # What the user corrected was recorded again by that user.
    assert recorded(look(ward, begin)) == [(sheet, "101", 2, Decimal(6))]
    assert recorded(look(ward, begin - timedelta(hours=8, minutes=1))) == [(sheet, "101", 3, Decimal(7))]


def test_the_shift_before_ends_when_the_present_one_begins(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet, "2", by=ward.nurse)
    seen = ward.detail(sheet, "5", by=ward.nurse)["id"]
    ward.use_cases.details.delete(ward.supervisor, seen)
    ward.clock.advance(hours=8)
    ward.detail(sheet, "3", by=ward.nurse)
    present, before = look(ward)["shifts"]
    view = look(ward, before["since"])
    assert (view["until"], recorded(view)) == (present["since"], [(sheet, "101", 1, Decimal(2))])
    assert [one["detail_id"] for one in view["notices"]] == [seen]
    view = look(ward, present["since"])
    assert (view["until"], recorded(view), view["notices"]) == (None, [(sheet, "101", 1, Decimal(3))], [])


def test_voided_lines_do_not_count(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    begin = ward.clock.now
    line = ward.detail(sheet, by=ward.nurse)
    ward.use_cases.details.delete(ward.nurse, line["id"])
    view = look(ward, begin)
    assert (view["sheets"], view["notices"]) == ([], [])


def test_changes_by_others_are_listed_also_when_seen(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    old, new = (ward.detail(sheet, by=ward.nurse)["id"] for _ in range(2))
    ward.use_cases.details.delete(ward.supervisor, old)
    begin = ward.clock.advance(hours=1)
    ward.use_cases.details.delete(ward.supervisor, new)
    for _ in range(2):
        assert [one["detail_id"] for one in look(ward, begin)["notices"]] == [new]
        with ward.store.begin() as work:
            ids = [one["id"] for one in work.views.shift.unseen_notices(ward.nurse.user_id, most=9)]
            work.notices.mark_seen(ward.nurse.user_id, ids, ward.clock.now)
    assert look(ward, begin)["notices"][0]["seen_at"] == ward.clock.now
    assert look(ward, begin, ward.supervisor)["notices"] == []


def test_own_open_unlisted_items_are_listed_whenever_noted(ward: Ward) -> None:
    sheet = ward.sheet()["id"]

    def note(what: str, by: Actor) -> int:
        draft = UnlistedItemDraft(description=what, quantity=Decimal(2))
        return ward.use_cases.unlisted_items.note(by, sheet, draft).answer["id"]

    first, discarded = note("bisturí láser", ward.nurse), note("pinza", ward.nurse)
    note("sonda", ward.supervisor)
    ward.use_cases.unlisted_items.discard(ward.supervisor, discarded, DiscardDraft(reason="No se usó"))
    ward.clock.advance(hours=1)
    last = note("malla", ward.nurse)
    [latest, item] = look(ward, ward.clock.now)["unlisted_items"]
    assert (latest["id"], item["id"], item["description"], item["quantity"]) == (
        last,
        first,
        "bisturí láser",
        Decimal(2),
    )
    assert (item["sheet"]["id"], item["sheet"]["room"]) == (sheet, "101")


def test_shifts_are_those_of_the_hospital(ward: Ward) -> None:
    # The hospital's clock shows 07:30: the night that ended is handed over.
    ward.clock.now = datetime(2026, 11, 26, 13, 30, tzinfo=UTC)
    view = look(ward)
    present, before = view["shifts"]
    assert (present["name"], before["name"]) == ("06:00–14:00", "22:00–06:00")
    assert view["since"] == before["since"] == present["since"] - timedelta(hours=8)
    ward.clock.advance(minutes=31)
    assert look(ward)["since"] == present["since"]


@pytest.mark.parametrize("since", [timedelta(hours=73), -timedelta(minutes=6)])
def test_other_beginnings_are_invalid(ward: Ward, since: timedelta) -> None:
    with pytest.raises(InvalidQuery):
        look(ward, ward.clock.now - since)


def test_a_beginning_without_time_zone_is_invalid(ward: Ward) -> None:
    with pytest.raises(InvalidQuery):
        look(ward, ward.clock.now.replace(tzinfo=None))
