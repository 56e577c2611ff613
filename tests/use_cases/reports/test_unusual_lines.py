"""The queries of the worklist and their bounds."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.products import ProductDraft
from domain.common.day import day_of
from domain.sheets.anomalies import MEDIAN_RANK, SAMPLE_SIZE, Oddity
from tests.builders import ZONE, Ward
from tests.contracts.ward.test_worklist import Looking, judge


@pytest.fixture
def today(ward: Ward) -> date:
    return day_of(ward.clock(), ZONE)


@pytest.fixture
def worklist(ward: Ward) -> Any:
    return Looking(ward)


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_far_out_quantity_is_judged_by_recent_details(ward: Ward, worklist: Any, today: date) -> None:
    """The store uses the same rule as ``domain.sheets.anomalies``."""
    sheet = ward.sheet(admission_date=today - timedelta(days=9))["id"]
    cotton = ward.product("Algodón", unit="rollo").id
    ward.clock.advance(days=-9)
    for _ in range(MEDIAN_RANK - 2):
        ward.detail(sheet, "0.05", product_id=cotton)
    ward.clock.advance(days=9)
    # With this detail and the ones before, there are too few for a median.
    early = ward.detail(sheet, "5", product_id=cotton)["id"]
    assert worklist.far_out_of(today, None, most=9) == []
    ward.detail(sheet, "0.5", product_id=cotton)
    assert [detail.id for detail in worklist.far_out_of(today, None, most=9)] == []
    ward.detail(sheet, "0.04", product_id=cotton)
    ward.detail(sheet, "0.04", product_id=cotton)
    late = ward.detail(sheet, "0.501", product_id=cotton)["id"]
    named = {"id": cotton, "name": "Algodón", "code": None, "unit": "rollo"}
    found = worklist.far_out_of(today, None, most=9)
    assert [(detail.id, detail.product, detail.quantity, detail.usual) for detail in found] == [
        (late, named, Decimal("0.501"), Decimal("0.05")),
        (early, named, Decimal(5), Decimal("0.05")),
    ]
    assert [detail.id for detail in worklist.far_out_of(today, None, most=1)] == [late]
    # Once nearly all quantities are as large, they are the usual ones.
    for _ in range(SAMPLE_SIZE):
        ward.detail(sheet, "5", product_id=cotton)
    assert worklist.far_out_of(today, None, most=9) == []


def test_without_a_usual_quantity_more_than_twenty_is_far_out(ward: Ward, worklist: Any, today: date) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet, "20")
    far = ward.detail(sheet, "20.001")["id"]
    # A usual quantity of zero counts as none.
    cotton = ward.product("Algodón").id
    for quantity in ["0"] * MEDIAN_RANK + ["20"]:
        ward.detail(sheet, quantity, product_id=cotton)
    also_far = ward.detail(sheet, "21", product_id=cotton)["id"]
    found = worklist.far_out_of(today, None, most=9)
    assert [(detail.id, detail.usual) for detail in found] == [(also_far, None), (far, None)]


def test_without_a_usual_quantity_a_high_total_is_far_out(ward: Ward, worklist: Any, today: date) -> None:
    sheet, plate = ward.sheet()["id"], ward.product("Placa", "100.00").id
    ward.detail(sheet, "5", product_id=plate)
    far = ward.detail(sheet, "6", product_id=plate)["id"]
    assert [detail.id for detail in worklist.far_out_of(today, Decimal("500.00"), most=9)] == [far]
    assert worklist.far_out_of(today, None, most=9) == []
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet, "6", product_id=plate)
    assert worklist.far_out_of(today, Decimal("500.00"), most=9) == []


@pytest.mark.parametrize(("kind", "quantity"), [(Oddity.QUANTITY_ZERO, "0"), (Oddity.QUANTITY_FAR_OUT, "99")])
def test_a_line_judged_right_returns_when_it_is_changed(
    ward: Ward, worklist: Any, today: date, kind: Oddity, quantity: str
) -> None:
    detail = ward.detail(ward.sheet()["id"], quantity)

    def found() -> list[int]:
        zero, far_out = worklist.zero_of(today, most=9), worklist.far_out_of(today, None, most=9)
        return [one.id for one in (zero if kind is Oddity.QUANTITY_ZERO else far_out)]

    other = Oddity.QUANTITY_ZERO if kind is Oddity.QUANTITY_FAR_OUT else Oddity.QUANTITY_FAR_OUT
    judge(ward, other, detail["id"], detail["version"])
    assert found() == [detail["id"]]
    judge(ward, kind, detail["id"], detail["version"])
    assert found() == []
    edited = ward.use_cases.details.edit(
        ward.admin, detail["id"], ward.detail_draft(quantity, lot="L1", acknowledged=("quantity.far_out",))
    )
    assert found() == [detail["id"]]
    judge(ward, kind, detail["id"], edited["version"])
    assert found() == []


# --- products and bounds ---------------------------------------------------------------------------------------------


def test_active_products_without_a_price_are_counted(ward: Ward, worklist: Any) -> None:
    ward.product("Ñame", "0.00")
    ward.product("Barato", "0.01")
    ward.product("Viejo", "0", active=0)
    other = ward.product("apósito", "0").id
    assert worklist.without_price() == 2
    draft = ProductDraft(name="apósito", price=Decimal(2), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, other, draft)
    assert worklist.without_price() == 1
