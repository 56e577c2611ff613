"""Undoing a closing shortly after it was made."""

import pytest

from application.closing.reopen_sheet import ReopenDraft
from domain.common.errors import Code, NotFound
from domain.sheets.sheet import UNDO_CLOSING_WITHIN
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import audit_log, nothing_written


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Create a sheet that the nurse has just closed."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    return sheet_id


def test_ward_staff_undo_their_closing_without_a_reason(ward: Ward, sheet_id: int) -> None:
    closed_at = ward.clock.now.isoformat()
    ward.clock.advance(minutes=9)
    opened = ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    assert (opened["closed"], opened["deleted_at"]) == (False, None)
    undoing = audit_log(ward)[-1]
    assert (undoing.action, undoing.changes) == ("sheet.closing_undone", {"closed_at": (closed_at, None)})
    ward.detail(sheet_id, "2")
    assert ward.use_cases.sheets.close(ward.admin, sheet_id)["total"] == 50


def test_ten_minutes_later_it_cannot_be_undone(ward: Ward, sheet_id: int) -> None:
    ward.clock.advance(minutes=10)
    with nothing_written(ward), refused(Code.CLOSING_NOT_UNDOABLE):
        ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)


def test_the_closing_of_another_user_cannot_be_undone(ward: Ward, sheet_id: int) -> None:
    with nothing_written(ward), refused(Code.CLOSING_NOT_UNDOABLE):
        ward.use_cases.sheets.undo_closing(ward.admin, sheet_id)
    # The last closing counts, not an earlier one.
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltaba una venda"))
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with nothing_written(ward), refused(Code.CLOSING_NOT_UNDOABLE):
        ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)


def test_a_closing_by_another_system_cannot_be_undone(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    # Imports close in the name of their user, but make no closing document.
    with ward.store.begin() as work:
        ward.use_cases.sheets.close.close(work, ward.admin, sheet_id, at=ward.clock.now)
    assert "undo_closing_until" not in ward.use_cases.sheets.read(ward.admin, sheet_id)
    with nothing_written(ward), refused(Code.CLOSING_NOT_UNDOABLE):
        ward.use_cases.sheets.undo_closing(ward.admin, sheet_id)


def test_only_the_closer_reads_until_when(ward: Ward, sheet_id: int) -> None:
    until = ward.clock.now + UNDO_CLOSING_WITHIN
    assert ward.use_cases.sheets.read(ward.nurse, sheet_id)["undo_closing_until"] == until
    assert "undo_closing_until" not in ward.use_cases.sheets.read(ward.admin, sheet_id)
    ward.clock.advance(minutes=10)
    assert "undo_closing_until" not in ward.use_cases.sheets.read(ward.nurse, sheet_id)


def test_an_open_or_missing_sheet_has_no_closing_to_undo(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    assert "undo_closing_until" not in ward.use_cases.sheets.read(ward.nurse, sheet_id)
    with nothing_written(ward), refused(Code.SHEET_NOT_CLOSED):
        ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.sheets.undo_closing(ward.nurse, 999)
