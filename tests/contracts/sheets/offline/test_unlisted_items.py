"""Contract of every store: unlisted items.

An item is noted once, and stays open until a decision.
"""

from functools import partial

from domain.common.errors import Refused
from domain.sheets.unlisted_item import UnlistedState
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.offline.test_unlisted_items import discard, lines, note, open_count, resolve


def test_the_same_item_sent_at_once_is_noted_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    outcomes = at_once([partial(note, ward, sheet_id, key="k-1")] * 4)
    assert len({item["id"] for item in outcomes if isinstance(item, dict)}) == 1
    assert open_count(ward, sheet_id) == 1


def test_one_of_several_concurrent_decisions_succeeds(ward: Ward) -> None:
    for _ in range(3):
        sheet_id = ward.sheet()["id"]
        item = note(ward, sheet_id)["id"]
        outcomes = at_once([partial(resolve, ward, item), partial(resolve, ward, item), partial(discard, ward, item)])
        assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 2
        (decided,) = [outcome for outcome in outcomes if isinstance(outcome, dict)]
        assert len(lines(ward, sheet_id)) == (decided["state"] is UnlistedState.RESOLVED)


def test_staff_area_and_room_of_an_item_are_in_use(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ids = {"areas": ward.area_id, "rooms": ward.room_id, "staff": ward.nurse.staff_id or 0, "users": ward.nurse.user_id}

    def uses() -> dict[str, int]:
        with ward.store.begin() as work:
            return {store: getattr(work, store).reference_count(this) for store, this in ids.items()}

    before = uses()
    note(ward, sheet_id, area_id=ward.area_id)
    assert uses() == {store: count + 1 for store, count in before.items()}
