"""Lines to record again, summed up by product."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.common.paging import InvalidQuery
from domain.common.errors import NotFound
from tests.builders import TODAY, Ward


def reported(ward: Ward, sheet_id: int, **asked: Any) -> tuple[date | None, list[tuple[int, Decimal, int]]]:
    view = ward.use_cases.sheets.list_repeatable(ward.nurse, sheet_id, **asked)
    return view["day"], [(line["product"]["id"], line["quantity"], line["times"]) for line in view["items"]]


def test_copying_from_another_sheet_is_logged_on_both_sheets(ward: Ward) -> None:
    here, there = ward.sheet()["id"], ward.sheet(patient_id=ward.patient("Luz", "Gil").id)["id"]
    ward.detail(there, "2")
    ward.clock.advance(days=1)
    ward.detail(there, "3")
    ward.use_cases.sheets.close(ward.admin, there)
    assert reported(ward, here, from_sheet=there) == (None, [(ward.product_id, Decimal(5), 2)])
    assert reported(ward, here, from_sheet=there, day=TODAY) == (TODAY, [(ward.product_id, Decimal(2), 1)])
    with ward.store.read() as views:
        for sheet_id, changes in ((here, {"from_sheet_id": [None, there]}), (there, {"to_sheet_id": [None, here]})):
            story = views.audit.page(AuditQuery(sheet_id=sheet_id, action="sheet.copied_from"))["items"]
            sheet = views.sheets.one(sheet_id)
            assert sheet is not None
            assert [(one["changes"], one["user"] and one["user"]["id"], one["patient_id"]) for one in story] == [
                (changes, ward.nurse.user_id, sheet["patient_id"])
            ] * 2


def test_copying_from_the_same_sheet_is_not_logged(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    reported(ward, sheet_id, from_sheet=sheet_id)
    with ward.store.read() as views:
        assert views.audit.page(AuditQuery(action="sheet.copied_from"))["items"] == []


def test_prices_need_the_price_permission(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    [line] = ward.use_cases.sheets.list_repeatable(ward.supervisor, sheet_id)["items"]
    assert line["product"]["price"] == Decimal("12.50")
    [line] = ward.use_cases.sheets.list_repeatable(ward.nurse, sheet_id)["items"]
    assert "price" not in line["product"]


def test_a_missing_sheet_or_source_sheet_is_an_error(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with pytest.raises(NotFound):
        reported(ward, 999)
    with pytest.raises(InvalidQuery, match="from_sheet"):
        reported(ward, sheet_id, from_sheet=999)
