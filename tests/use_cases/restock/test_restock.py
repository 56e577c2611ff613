"""Restock lists lose nothing and count nothing twice."""

from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from application.common.idempotency import IdempotencyKey
from application.restock.restock_lists import CloseRestockDraft, PutBackDraft, ShelfDraft
from application.restock.views import PutBackView, RestockDocumentView, RestockView
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Code, Forbidden, NotFound
from tests.assertions import refused
from tests.builders import Ward, a_newcomer


def an_open_list(ward: Ward, area_id: int | None = None) -> RestockView:
    return ward.use_cases.restock.read(ward.nurse, area_id or ward.area_id)


def needed(ward: Ward, area_id: int | None = None) -> dict[str, Decimal]:
    return {line["product"]["name"]: line["needed"] for line in an_open_list(ward, area_id)["items"]}


def tick(ward: Ward, product_id: int, quantity: str, area_id: int | None = None) -> PutBackView:
    draft = PutBackDraft(number=an_open_list(ward, area_id)["number"], quantity=Decimal(quantity))
    return ward.use_cases.restock.put_back(ward.nurse, area_id or ward.area_id, product_id, draft)


def close(ward: Ward, area_id: int | None = None, *, settle_rest: bool = False) -> RestockDocumentView:
    draft = CloseRestockDraft(number=an_open_list(ward, area_id)["number"], settle_rest=settle_rest)
    return ward.use_cases.restock.close(ward.nurse, area_id or ward.area_id, draft).answer


def test_a_list_has_what_was_used_since_the_last_one(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda", code="V-1", unit="rollo")
    ward.detail(sheet_id, "2", area_id=ward.area_id)
    ward.detail(sheet_id, "3", area_id=ward.area_id)
    ward.detail(sheet_id, "1.5", product_id=other.id, area_id=ward.area_id)
    ward.detail(sheet_id, "9")
    assert needed(ward) == {"Gasa estéril": Decimal(5), "Venda": Decimal("1.5")}
    ticked = tick(ward, ward.product_id, "5")
    assert (
        ticked
        == an_open_list(ward)["items"][0]["put_back"]
        == {"quantity": Decimal(5), "by": "Nuria Paz", "at": ward.clock.now}
    )
    # What is used after the tick is on the next list.
    ward.detail(sheet_id, "1", area_id=ward.area_id)
    closed = close(ward)
    assert (closed["number"], closed["by"], closed["lines"], closed["left_over"]) == (1, "Nuria Paz", 1, 2)
    assert closed["items"][0]["quantity"] == closed["items"][0]["put_back"] == Decimal(5)
    assert needed(ward) == {"Gasa estéril": Decimal(1), "Venda": Decimal("1.5")}
    assert an_open_list(ward)["since"] == ward.clock.now
    assert ward.use_cases.restock.read_document(ward.nurse, closed["id"]) == closed
    assert "price" not in str(closed) + str(an_open_list(ward))


def test_a_void_after_closing_reduces_the_next_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    close(ward)
    assert needed(ward) == {}
    ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Error"))
    assert needed(ward) == {"Gasa estéril": Decimal(-4)}
    ward.detail(sheet_id, "6", area_id=ward.area_id)
    assert needed(ward) == {"Gasa estéril": Decimal(2)}


def test_settling_the_rest_begins_an_empty_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda").id
    ward.detail(sheet_id, "4", area_id=ward.area_id)
    ward.detail(sheet_id, "2", product_id=other, area_id=ward.area_id)
    with refused(Code.RESTOCK_EMPTY):
        close(ward)
    tick(ward, ward.product_id, "3")
    closed = close(ward, settle_rest=True)
    assert [(line["product"]["name"], line["quantity"], line["put_back"]) for line in closed["items"]] == [
        ("Gasa estéril", Decimal(4), Decimal(3)),
        ("Venda", Decimal(2), Decimal(0)),
    ]
    assert closed["left_over"] == 0
    assert needed(ward) == {}


def test_a_tick_above_what_is_needed_is_refused(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    other = ward.product("Venda").id
    ward.detail(sheet_id, "4", area_id=ward.area_id)
    ward.detail(sheet_id, "9", product_id=other)
    for product_id, quantity in ((ward.product_id, "4.001"), (ward.product_id, "9996"), (other, "1")):
        with refused((Code.RESTOCK_MORE_THAN_NEEDED, "quantity")):
            tick(ward, product_id, quantity)
    tick(ward, ward.product_id, "4")
    close(ward)
    assert needed(ward) == {}
    with refused((Code.RESTOCK_MORE_THAN_NEEDED, "quantity")):
        tick(ward, ward.product_id, "1")


def test_a_fixed_amount_is_as_fine_as_its_product(ward: Ward) -> None:
    whole = ward.product("Catéter", decimals=0).id
    with refused((Code.QUANTITY_TOO_FINE, "fixed_amount")):
        ward.use_cases.restock.set_shelf(ward.admin, ward.area_id, whole, ShelfDraft(fixed_amount=Decimal("0.5")))


def test_every_tick_and_its_removal_are_audited(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    for _ in range(2):
        tick(ward, ward.product_id, "4")
    for _ in range(2):
        ward.use_cases.restock.undo_put_back(ward.supervisor, ward.area_id, ward.product_id, 1)
    items = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="area", limit=2))["items"]
    assert [(one["action"], one["entity_id"], one["changes"]) for one in items] == [
        (
            "area.restock_unticked",
            ward.area_id,
            {"product_id": [None, ward.product_id], "quantity": ["4.000", None], "user_id": [ward.nurse.user_id, None]},
        ),
        ("area.restock_ticked", ward.area_id, {"product_id": [None, ward.product_id], "quantity": [None, "4.000"]}),
    ]


def test_ticks_of_a_closed_list_are_refused(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    close(ward)
    ward.clock.advance(minutes=3)
    with refused((Code.RESTOCK_CLOSED, "number")) as refusal:
        ward.use_cases.restock.put_back(
            ward.supervisor, ward.area_id, ward.product_id, PutBackDraft(number=1, quantity=Decimal(4))
        )
    del refusal
    with refused((Code.NUMBER_OUT_OF_RANGE, "number")):
        ward.use_cases.restock.undo_put_back(ward.supervisor, ward.area_id, ward.product_id, 3)
    with pytest.raises(NotFound):
        an_open_list(ward, 999)
    with pytest.raises(Forbidden):
        ward.use_cases.restock.read(a_newcomer(), ward.area_id)


def test_a_repeated_closing_returns_the_same_list(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "4", area_id=ward.area_id)
    tick(ward, ward.product_id, "4")
    key = IdempotencyKey("a" * 32, "close")
    draft = CloseRestockDraft(number=1)
    first = ward.use_cases.restock.close(ward.nurse, ward.area_id, draft, idempotency_key=key)
    again = ward.use_cases.restock.close(ward.nurse, ward.area_id, draft, idempotency_key=key)
    assert (again.replayed, again.answer) == (True, first.answer)


def test_areas_with_lists_are_not_deleted(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "1", area_id=area)
    close(ward, area, settle_rest=True)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert needed(ward, area) == {"Gasa estéril": Decimal(-1)}
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, area)
