"""Contract of every store: lines to record again, summed up by product."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.products import ProductDraft
from application.paging import InvalidQuery
from application.views.audit import AuditQuery
from domain.errors import NotFound
from tests.builders import TODAY, Ward

TOMORROW = TODAY + timedelta(days=1)


def reported(ward: Ward, sheet_id: int, **asked: Any) -> tuple[date | None, list[tuple[int, Decimal, int]]]:
    view = ward.use_cases.sheets.list_repeatable(ward.nurse, sheet_id, **asked)
    return view["day"], [(line["product"]["id"], line["quantity"], line["times"]) for line in view["items"]]


def test_lines_of_a_day_are_summed_up_by_default_the_last_day(ward: Ward) -> None:
    gauze, tape, old = ward.product_id, ward.product("Esparadrapo").id, ward.product("Termómetro")
    sheet_id = ward.sheet()["id"]
    ward.detail(ward.sheet()["id"], "99")
    assert reported(ward, sheet_id) == (None, [])
    for product_id, quantity in ((tape, "1"), (gauze, "2.5"), (tape, "0.125"), (old.id, "1"), (gauze, "0")):
        ward.detail(sheet_id, quantity, product_id=product_id)
    slip = ward.detail(sheet_id, "7", product_id=gauze)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    retired = ProductDraft(name=old.name, price=old.price, category_id=old.category_id, active=0)
    ward.use_cases.products.update(ward.admin, old.id, retired)
    first = (TODAY, [(tape, Decimal("1.125"), 2), (gauze, Decimal("2.5"), 1)])
    assert reported(ward, sheet_id) == first
    ward.clock.advance(days=1)
    ward.detail(sheet_id, "4", product_id=gauze)
    assert reported(ward, sheet_id) == (TOMORROW, [(gauze, Decimal(4), 1)])
    assert reported(ward, sheet_id, day=TODAY) == first
    assert reported(ward, sheet_id, day=TODAY - timedelta(days=1)) == (TODAY - timedelta(days=1), [])
    assert ward.use_cases.sheets.list_repeatable(ward.nurse, sheet_id)["days"] == [TODAY, TOMORROW]


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
