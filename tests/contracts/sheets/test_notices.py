"""Contract of every store: what others changed on a user's lines."""

from datetime import timedelta

import pytest

from application.sheets.lines.void_details import VoidDraft
from application.sheets.notices import MAX_NOTICES
from domain.sheets.notice import NOTICES_LAST
from tests.builders import Ward
from tests.use_cases.sheets.test_notices import see, unseen


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def test_notices_disappear_once_seen_by_their_owner(ward: Ward, sheet_id: int) -> None:
    for _ in range(3):
        ward.use_cases.details.delete(ward.supervisor, ward.detail(sheet_id, by=ward.nurse)["id"])
    newest, middle, oldest = (one["id"] for one in unseen(ward))
    see(ward, newest, middle, by=ward.supervisor)
    assert [one["id"] for one in unseen(ward)] == [newest, middle, oldest]
    see(ward, newest, oldest, 999)
    see(ward, newest)
    assert [one["id"] for one in unseen(ward)] == [middle]


def test_at_most_a_hundred_are_listed(ward: Ward, sheet_id: int) -> None:
    for _ in range(2):
        lines = ward.details(sheet_id, *[ward.detail_draft() for _ in range(60)], by=ward.nurse)
        draft = VoidDraft(ids=tuple(line["id"] for line in lines), reason="Equivocadas")
        ward.use_cases.details.void.several(ward.supervisor, draft)
    listed = ward.use_cases.reports.list_notices(ward.nurse)
    assert (len(listed["items"]), listed["more"]) == (MAX_NOTICES, True)


def test_old_notices_are_purged(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.details.delete(ward.supervisor, ward.detail(sheet_id, by=ward.nurse)["id"])
    ward.clock.advance(days=89)
    ward.use_cases.details.delete(ward.supervisor, ward.detail(sheet_id, by=ward.nurse)["id"])
    later = ward.clock.advance(days=1, seconds=1)
    with ward.store.begin() as work:
        work.notices.purge(later - NOTICES_LAST)
    assert [one["at"] for one in unseen(ward)] == [later - timedelta(days=1, seconds=1)]
