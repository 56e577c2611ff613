"""Contract of every store: what a user recorded in a shift."""

from decimal import Decimal

from tests.builders import Ward
from tests.use_cases.ward.test_shift import look, recorded, room


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
    patient = view["sheets"][0]["patient"]
    assert patient
    assert patient["name"] == "Ana"
    assert recorded(look(ward, last)) == [(near, "Cama 9", 1, Decimal(3))]


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
