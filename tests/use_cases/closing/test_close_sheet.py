"""Closing a sheet, which makes the patient's account final."""

from decimal import Decimal

import pytest

from domain.common.errors import Code, NotFound, VersionConflict
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import nothing_written


def test_a_closed_sheet_has_its_closing_time_and_total(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "0.5")
    now = ward.clock.advance(hours=3)
    closed = ward.use_cases.sheets.close(ward.admin, sheet_id)
    assert (closed["closed"], closed["deleted_at"], closed["total"]) == (True, now, Decimal("31.25"))
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id) == closed


def test_a_closed_sheet_cannot_be_changed(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail = ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with nothing_written(ward):
        with refused(Code.SHEET_CLOSED):
            ward.detail(sheet_id)
        with refused(Code.SHEET_CLOSED):
            ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("3"))
        with refused(Code.SHEET_CLOSED):
            ward.use_cases.details.delete(ward.admin, detail["id"])
        with refused(Code.SHEET_CLOSED):
            ward.use_cases.sheets.update(ward.admin, sheet_id, ward.sheet_draft())


def test_a_sheet_is_closed_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    ward.clock.advance(hours=1)
    with nothing_written(ward), refused(Code.SHEET_CLOSED):
        ward.use_cases.sheets.close(ward.admin, sheet_id)


def test_closing_an_old_version_is_refused(ward: Ward) -> None:
    sheet = ward.sheet()
    ward.detail(sheet["id"])
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.sheets.close(ward.admin, sheet["id"], frozenset({sheet["version"]}))
    ward.use_cases.sheets.close(ward.admin, sheet["id"], frozenset({sheet["version"] + 1}))


def test_closing_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.sheets.close(ward.admin, 99)


def test_ward_staff_close_a_sheet_without_seeing_its_total(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    assert "total" not in ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["closed"]
