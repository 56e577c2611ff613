"""Contract of every store: warnings about possible duplicates.

A duplicate is never refused.
"""

from datetime import timedelta
from decimal import Decimal

import pytest

from application.sheets.stores import ReferredIds, SheetSince
from domain.sheets.anomalies import REPEAT_MINUTES, RecentDuplicate, duplicate_window_start
from tests.builders import Ward
from tests.use_cases.sheets.lines.test_repeats import reported


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def test_a_line_outside_the_window_is_no_duplicate(ward: Ward, sheet_id: int) -> None:
    first = ward.detail(sheet_id)
    ward.clock.advance(minutes=REPEAT_MINUTES)
    assert [one["detail_id"] for one in reported(ward.detail(sheet_id))] == [first["id"]]
    ward.clock.advance(minutes=REPEAT_MINUTES, microseconds=1)
    assert reported(ward.detail(sheet_id)) == []


def test_duplicates_are_found_together_with_the_references(ward: Ward, sheet_id: int) -> None:
    first = ward.detail(sheet_id, by=ward.nurse)
    tape = ward.product("Esparadrapo").id
    asked = [ReferredIds(tape, None, None, None), ReferredIds(ward.product_id, None, None, None)]
    now = ward.clock.now
    with ward.store.begin() as work:
        for since, found in (
            (None, None),
            (SheetSince(sheet_id, now + timedelta(microseconds=1)), None),
            (SheetSince(999, duplicate_window_start(now)), None),
            (
                SheetSince(sheet_id, duplicate_window_start(now)),
                RecentDuplicate(detail_id=first["id"], by="Nuria Paz", quantity=Decimal("1.000"), at=now),
            ),
        ):
            assert [one.earlier for one in work.details.references(asked, since=since)] == [None, found]
            assert [one.earlier for one in work.details.references(asked[1:], since=since)] == [found]
