"""Searching products: what is offered when nothing is found, and to whom how much of it is shown."""

from typing import Any

import pytest

from application.paging import InvalidQuery, Sort
from application.views import ProductQuery
from domain.policy import Actor
from tests.builders import Ward


def searched(ward: Ward, who: Actor, **asked: Any) -> Any:
    return ward.use_cases.search_products.page(who, ProductQuery(**asked))


def test_what_is_found_is_all_that_is_told(ward: Ward) -> None:
    page = searched(ward, ward.admin, q="gasa")
    assert page == ward.use_cases.products.page(ward.admin, ProductQuery(q="gasa"))
    assert "nearest" not in searched(ward, ward.admin, q="gasa", page=9)


def test_where_nothing_is_found_the_nearest_are_offered_beside_the_empty_list(ward: Ward) -> None:
    page = searched(ward, ward.admin, q="gaza")
    assert (page["items"], page["meta"]["total"]) == ([], 0)
    assert page["nearest"] == ward.use_cases.products.page(ward.admin, ProductQuery(q="gasa"))["items"]
    assert searched(ward, ward.admin, q="xyzw")["nearest"] == []


def test_without_a_text_nothing_is_offered(ward: Ward) -> None:
    for q in (None, ""):
        assert "nearest" not in searched(ward, ward.admin, q=q, category_id=999)


def test_ward_staff_are_offered_the_same_without_prices_and_category_codes(ward: Ward) -> None:
    (shown,) = searched(ward, ward.admin, q="gaza")["nearest"]
    (concealed,) = searched(ward, ward.nurse, q="gaza")["nearest"]
    assert (concealed["id"], concealed["name"]) == (shown["id"], shown["name"])
    assert "price" in shown
    assert "price" not in concealed
    assert set(concealed["category"]) == {"id", "name"}


def test_an_order_by_what_one_does_not_see_is_refused_before_anything_is_offered(ward: Ward) -> None:
    with pytest.raises(InvalidQuery, match="sort"):
        searched(ward, ward.nurse, q="gaza", sort=Sort("price"))


def test_what_is_taken_out_is_what_was_found(ward: Ward) -> None:
    assert list(ward.use_cases.search_products.every(ward.admin, ProductQuery(q="gaza"))) == []
    assert [product["name"] for product in ward.use_cases.search_products.every(ward.admin, ProductQuery(q="gasa"))]
