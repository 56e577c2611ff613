"""Contract of every store: creating rooms by ranges."""

from functools import partial

import pytest

from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from application.catalogue.room_ranges import RoomRangesDraft
from application.catalogue.views import RoomQuery
from domain.common.errors import Code, Refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once


def names(ward: Ward, area_id: int) -> list[str]:
    with ward.store.read() as views:
        return [room["name"] for room in views.rooms.page(RoomQuery(area_id=area_id, limit=100))["items"]]


def test_new_rooms_are_created_and_existing_ones_stay(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Torre B"))
    other = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Torre C"))
    rooms = ward.use_cases.rooms
    rooms.create_ranges(ward.admin, RoomRangesDraft(ranges="302", area_id=other.id))
    rooms.create_ranges(ward.admin, RoomRangesDraft(ranges="301A", area_id=area.id))
    draft = RoomRangesDraft(ranges="301–303, 301a", area_id=area.id, status=3)
    expected = {"created": ["301", "302", "303"], "existing": ["301A"]}
    assert rooms.check_ranges(ward.supervisor, draft) == expected
    assert names(ward, area.id) == ["301A"]
    assert rooms.create_ranges(ward.supervisor, draft) == expected
    assert names(ward, area.id) == ["301", "301A", "302", "303"]
    assert rooms.create_ranges(ward.supervisor, draft)["created"] == []
    with ward.store.read() as views:
        (room,) = [one for one in views.rooms.page(RoomQuery(q="303"))["items"] if one["name"] == "303"]
        created = views.audit.page(AuditQuery(action="room.created", entity="room", entity_id=room["id"]))
    assert (room["status"], room["type"], room["area_id"]) == (3, 3, area.id)
    assert created["meta"]["total"] == 1


def test_everything_wrong_is_told_at_once(ward: Ward) -> None:
    with pytest.raises(Refused) as refused:
        ward.use_cases.rooms.create_ranges(ward.admin, RoomRangesDraft(ranges="9–1", area_id=999, status=9))
    assert {(reason.code, reason.field) for reason in refused.value.reasons} == {
        (Code.ROOM_RANGE_REVERSED, "ranges"),
        (Code.REFERENCE_UNKNOWN, "area_id"),
        (Code.CHOICE_UNKNOWN, "status"),
    }


def test_two_users_at_once_create_each_room_once(ward: Ward) -> None:
    draft = RoomRangesDraft(ranges="701–720", area_id=ward.area_id)
    done = at_once([partial(ward.use_cases.rooms.create_ranges, ward.admin, draft) for _ in range(3)])
    assert sorted(len(one["created"]) for one in done) == [0, 0, 20]
