"""Contract of every store: a closing freezes the sheet permanently.

Renaming, correcting or moving things later does not change the frozen document.
"""

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from inspect import unwrap
from typing import Any

import pytest

from application.closing.reopen_sheet import ReopenDraft
from application.sheets import closings
from tests.builders import Ward
from tests.use_cases.closing.test_closings import frozen


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return the id of a sheet with two lines."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2", area_id=ward.area_id, lot="L-1")
    ward.detail(sheet_id, "0.5", product_id=ward.product("Venda", "3.33").id)
    return sheet_id


def closed_before(ward: Ward, count: int) -> list[int]:
    """Create sheets closed by a version of the program without closings."""
    ids = []
    for _ in range(count):
        sheet_id = ward.sheet()["id"]
        ward.detail(sheet_id)
        with ward.store.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            assert sheet
            sheet.closed_at = ward.clock.now
            work.sheets.save(sheet)
        ids.append(sheet_id)
    return ids


def test_the_backfill_of_closings_resumes_after_an_interruption(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closings, "BACKFILL_BATCH", 2)
    before, opened = closed_before(ward, 5), ward.sheet()["id"]
    # Before the backfill, the sheet is printed in its current state.
    assert ward.use_cases.sheets.print(ward.admin, before[0])["lines"] == 1
    assert ward.use_cases.sheets.backfill_closings() == before[:2]

    # The backfill is interrupted in the middle of the next batch: none of that batch is stored.
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped, suppress(KeyboardInterrupt):
        take_snapshot = closings.take_snapshot
        stopped.setattr(
            closings,
            "take_snapshot",
            lambda work, one, *so: stop() if one == before[3] else take_snapshot(work, one, *so),
        )
        ward.use_cases.sheets.backfill_closings(before[1])
    assert [frozen(ward, one, 1) is not None for one in before] == [True, True, False, False, False]

    assert ward.use_cases.sheets.backfill_closings() == before[2:4]
    assert ward.use_cases.sheets.backfill_closings(before[3]) == before[4:]
    assert ward.use_cases.sheets.backfill_closings() == []
    assert ward.use_cases.sheets.list_closings(ward.admin, opened)["items"] == []
    [one] = ward.use_cases.sheets.list_closings(ward.admin, before[4])["items"]
    assert (one["turn"], one["by"], one["lines"], one["total"]) == (1, None, 1, Decimal("12.50"))


def test_a_sheet_closed_again_during_the_backfill_is_frozen_once(ward: Ward) -> None:
    [sheet_id] = closed_before(ward, 1)
    backfill_closings = unwrap(ward.use_cases.sheets.backfill_closings)

    def begin_later() -> Any:
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        return ward.store.begin()

    assert replace(backfill_closings, begin=begin_later)() == [sheet_id]
    [one] = ward.use_cases.sheets.list_closings(ward.admin, sheet_id)["items"]
    assert (one["turn"], one["lines"], one["total"]) == (1, 2, Decimal("25.00"))


def test_the_closing_in_force_has_its_user(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]

    def closed_by() -> int | None:
        with ward.store.read() as views:
            return views.closings.closed_by(sheet_id)

    assert closed_by() is None
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert closed_by() == ward.nurse.user_id
    ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    assert closed_by() is None
    # At the same moment: the later closing counts.
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    assert closed_by() == ward.admin.user_id
