"""Usual products: a user's own, then the area's."""

import pytest

from application.sheets.lines.list_usual_products import MAX_OWN, MAX_PINNED
from domain.catalogue.usual_products import MOST
from domain.common.errors import NotFound
from domain.common.policy import Actor
from tests.builders import Ward
from tests.use_cases.stored import audit_log


def usual(ward: Ward, sheet_id: int, who: Actor | None = None) -> list[int]:
    return [item["id"] for item in ward.use_cases.sheets.list_usual_products(who or ward.nurse, sheet_id)["items"]]


@pytest.fixture
def numbered(ward: Ward) -> list[int]:
    """Return the ids of 30 products, more than are ever usual."""
    return [ward.product(f"Producto {number}").id for number in range(30)]


def test_own_latest_products_come_first_and_leave_room_for_area(ward: Ward, numbered: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    own, common = numbered[:9], numbered[9:19]
    for product_id in own:
        ward.detail(sheet_id, product_id=product_id, by=ward.nurse)
    for product_id in reversed(common):
        ward.detail(sheet_id, product_id=product_id)
        ward.detail(sheet_id, product_id=product_id)
    latest = list(reversed(own))
    assert usual(ward, sheet_id) == [*latest[:MAX_OWN], *common[: MOST - MAX_OWN]]


def test_products_are_not_repeated_and_own_ones_fill_free_places(ward: Ward, numbered: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    for product_id in numbered[:9]:
        ward.detail(sheet_id, product_id=product_id, by=ward.nurse)
    assert usual(ward, sheet_id) == list(reversed(numbered[:9]))
    assert usual(ward, sheet_id, ward.admin) == list(reversed(numbered[:9]))


def test_a_new_user_gets_the_products_of_the_area(ward: Ward, numbered: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    assert usual(ward, sheet_id) == []
    ward.detail(sheet_id, product_id=numbered[0])
    assert usual(ward, sheet_id) == [numbered[0]]


def test_prices_need_the_price_permission(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    (reported,) = ward.use_cases.sheets.list_usual_products(ward.supervisor, sheet_id)["items"]
    assert reported == ward.use_cases.products.reader.one(ward.supervisor, ward.product_id)
    (reported,) = ward.use_cases.sheets.list_usual_products(ward.nurse, sheet_id)["items"]
    assert reported == ward.use_cases.products.reader.one(ward.nurse, ward.product_id)
    assert "price" not in reported


def test_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with pytest.raises(NotFound):
        ward.use_cases.sheets.list_usual_products(ward.nurse, 999)


def test_pinned_products_come_first_in_the_order_of_pinning(ward: Ward, numbered: list[int]) -> None:
    sheet_id = ward.sheet()["id"]
    pins = numbered[:7]
    for product_id in pins:
        ward.clock.advance(seconds=1)
        ward.use_cases.products.pin(ward.nurse, product_id)
    ward.detail(sheet_id, product_id=numbered[8], by=ward.nurse)
    ward.detail(sheet_id, product_id=pins[0], by=ward.nurse)
    assert usual(ward, sheet_id) == [*pins[:MAX_PINNED], numbered[8]]
    assert ward.use_cases.sheets.list_usual_products(ward.nurse, sheet_id)["pinned"] == pins[:MAX_PINNED]
    assert set(usual(ward, sheet_id, ward.admin)) == {numbered[8], pins[0]}


def test_pins_are_not_logged(ward: Ward) -> None:
    before = audit_log(ward)
    ward.use_cases.products.pin(ward.nurse, ward.product_id)
    ward.use_cases.products.unpin(ward.nurse, ward.product_id)
    assert audit_log(ward) == before
