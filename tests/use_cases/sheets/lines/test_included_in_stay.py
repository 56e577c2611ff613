"""Products that the price of the stay includes: recorded, but not charged."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.products import ProductDraft
from application.catalogue.views import ProductQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.paging import InvalidQuery
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from domain.common.errors import Code
from domain.common.policy import Permission, Role
from domain.sheets.detail import Unbilled
from tests.assertions import refused
from tests.builders import Ward, a_ward
from tests.use_cases.billing.test_charging import close, messages, reported

D = Decimal


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


@pytest.fixture
def gloves(ward: Ward) -> int:
    """Return a product that the stay includes."""
    return ward.product("Guantes", "3.00", included_in_stay=True).id


def money_of(line: DetailView) -> tuple[Any, ...]:
    return line["unit_price"], line["total"], line["unbilled"]


def edited(ward: Ward, line: DetailView, **changes: Any) -> DetailView:
    filled_in: dict[str, Any] = {"product_id": line["product_id"], "quantity": line["quantity"]}
    draft = DetailDraft(**filled_in | changes)
    return ward.use_cases.details.edit(ward.admin, line["id"], draft)


def total(ward: Ward, sheet_id: int) -> Decimal:
    return ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


def change_product(ward: Ward, product_id: int, **changes: Any) -> None:
    draft = ProductDraft(name="Guantes", price=D("3.00"), category_id=ward.category_id, **changes)
    ward.use_cases.products.update(ward.admin, product_id, draft)


def test_an_included_product_costs_nothing(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "4", product_id=gloves)
    assert money_of(line) == (D("3.00"), D(0), Unbilled.INCLUDED)
    assert ward.use_cases.details.reader.one(ward.admin, line["id"])["unbilled"] == "included"
    [together] = ward.details(sheet_id, ward.detail_draft("2", product_id=gloves))
    assert money_of(together) == (D("3.00"), D(0), Unbilled.INCLUDED)
    assert total(ward, sheet_id) == 0


def test_a_changed_product_changes_no_recorded_line(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=gloves)
    change_product(ward, gloves, included_in_stay=False)
    later = ward.detail(sheet_id, "2", product_id=gloves)
    assert money_of(later) == (D("3.00"), D("6.00"), None)
    kept = edited(ward, line, quantity=D(5))
    assert money_of(kept) == (D("3.00"), D(0), Unbilled.INCLUDED)
    returned = ward.use_cases.details.return_part(
        ward.nurse, line["id"], ReturnDraft(quantity=D(1), reason="unused")
    ).answer
    corrected = ward.use_cases.details.correct(
        ward.admin, line["id"], CorrectionDraft(quantity=D(2)), reason="Cantidad corregida"
    ).answer
    assert returned["quantity"] == 4
    assert money_of(corrected) == (D("3.00"), D(0), Unbilled.INCLUDED)
    assert total(ward, sheet_id) == D("6.00")
    assert list(ward.use_cases.reports.check_consistency()) == []


def test_another_product_brings_whether_it_is_charged(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=gloves)
    assert money_of(edited(ward, line, product_id=ward.product_id)) == (D("12.50"), D("25.00"), None)
    assert money_of(edited(ward, line, product_id=gloves)) == (D("3.00"), D(0), Unbilled.INCLUDED)
    assert total(ward, sheet_id) == 0


def test_a_total_of_an_included_line_is_refused(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=gloves)
    with refused((Code.TOTAL_UNBILLED, "total")):
        edited(ward, line, total=D("0.01"))
    with refused((Code.TOTAL_UNBILLED, "total")):
        ward.use_cases.details.return_part(
            ward.admin, line["id"], ReturnDraft(quantity=D(1), reason="unused", total=D(3))
        )
    assert money_of(edited(ward, line, total=D(0))) == (D("3.00"), D(0), Unbilled.INCLUDED)


def test_a_supervisor_charges_an_included_line(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=gloves)
    assert money_of(edited(ward, line, charged=True)) == (D("3.00"), D("6.00"), None)
    assert total(ward, sheet_id) == D("6.00")


def test_a_key_without_prices_charges_no_included_line(ward: Ward, sheet_id: int, gloves: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=gloves)
    key = replace(ward.admin, role=Role.SERVICE_ACCOUNT, scopes=frozenset({Permission.EDIT_DETAILS}))
    with refused((Code.TOTAL_NOT_ALLOWED, "charged")):
        ward.use_cases.details.edit(key, line["id"], DetailDraft(product_id=gloves, quantity=D(2), charged=True))


def test_a_moved_line_stays_included(ward: Ward, sheet_id: int, gloves: int) -> None:
    line, target = ward.detail(sheet_id, "2", product_id=gloves), ward.sheet()["id"]
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=target, reason="Otro paciente")
    [there] = ward.use_cases.details.move(ward.admin, sheet_id, draft)["moved"]
    assert money_of(there) == (D("3.00"), D(0), Unbilled.INCLUDED)


def test_ward_staff_do_not_see_what_is_charged(ward: Ward, sheet_id: int, gloves: int) -> None:
    hidden = {"unbilled", "included_in_stay", "total", "unit_price"}
    line = ward.detail(sheet_id, by=ward.nurse, product_id=gloves)
    assert not hidden & {*line, *line["product"]}
    [listed] = ward.use_cases.details.reader.page(ward.nurse, DetailQuery(consumption_sheet_id=sheet_id))["items"]
    assert not hidden & {*listed, *listed["product"]}
    assert "included_in_stay" not in ward.use_cases.products.reader.one(ward.nurse, gloves)
    with pytest.raises(InvalidQuery, match="included_in_stay"):
        ward.use_cases.products.search.page(ward.nurse, ProductQuery(included_in_stay=True))


def test_products_are_filtered_by_it(ward: Ward, gloves: int) -> None:
    def found(*, is_included: bool) -> list[int]:
        query = ProductQuery(included_in_stay=is_included)
        return [one["id"] for one in ward.use_cases.products.search.page(ward.admin, query)["items"]]

    assert (found(is_included=True), found(is_included=False)) == ([gloves], [ward.product_id])


def test_an_included_product_is_never_far_out_by_its_price(ward: Ward, sheet_id: int) -> None:
    pump = ward.product("Bomba", "900000.00", included_in_stay=True).id
    charged = ward.product("Otra bomba", "900000.00").id
    with refused((Code.QUANTITY_FAR_OUT, "quantity")):
        ward.detail(sheet_id, "2", product_id=charged, acknowledged=())
    assert ward.detail(sheet_id, "2", product_id=pump, acknowledged=())["total"] == 0


def test_billing_gets_no_included_line_and_credits_it() -> None:
    ward = a_ward(charging=True)
    gloves = ward.product("Guantes", "3.00", code="G").id
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "2", product_id=gloves)
    ward.detail(sheet_id)
    close(ward, sheet_id)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))
    change_product(ward, gloves, code="G", included_in_stay=True)
    edited(ward, line, product_id=ward.product_id)
    edited(ward, line, product_id=gloves)
    close(ward, sheet_id)
    of_gloves = [(one.kind, one.total) for one in reported(ward) if one.code == "G"]
    assert of_gloves == [("CG", D("6.00")), ("CD", D("6.00"))]
    assert len(messages(ward)) == 2
    assert list(ward.use_cases.reports.check_consistency()) == []
