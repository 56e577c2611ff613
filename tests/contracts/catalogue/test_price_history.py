"""Contract of every store: the price history, from the audit log."""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.products import ProductDraft
from domain.common.errors import NotFound
from domain.common.policy import Actor
from tests.builders import Ward


def priced(ward: Ward, product_id: int, price: str, by: Actor, **changed: Any) -> None:
    product = ward.use_cases.products.reader.one(ward.admin, product_id)
    filled_in = {"name": product["name"], "category_id": product["category_id"], **changed}
    ward.clock.advance(minutes=5)
    ward.use_cases.products.update(by, product_id, ProductDraft(price=Decimal(price), **filled_in))


def test_prices_come_newest_first_with_the_user_who_set_them(ward: Ward) -> None:
    created = ward.clock()
    product = ward.product("Algodón", "1.20").id
    priced(ward, product, "1.35", ward.supervisor)
    changed = ward.clock()
    # A new name, even one that looks like a price field, and other products' prices are not part of the history.
    priced(ward, product, "1.35", ward.supervisor, name='Algodón "price":')
    priced(ward, ward.product_id, "9", ward.admin)
    priced(ward, product, "0", ward.admin)
    history = ward.use_cases.products.read_price_history(ward.supervisor, product)["items"]
    assert [(one["previous_price"], one["price"], one["imported"]) for one in history] == [
        (Decimal("1.35"), Decimal(0), False),
        (Decimal("1.20"), Decimal("1.35"), False),
        (None, Decimal("1.20"), False),
    ]
    assert [history[1]["at"], history[2]["at"]] == [changed, created]
    assert all(one["by"] for one in history)
    with ward.store.read() as views:
        assert [one.after for one in views.price_changes(product, most=1)] == [Decimal(0)]


def test_the_price_history_of_a_missing_product_is_not_found(ward: Ward) -> None:
    with pytest.raises(NotFound):
        ward.use_cases.products.read_price_history(ward.admin, 999)
