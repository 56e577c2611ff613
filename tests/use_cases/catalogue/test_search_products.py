"""Product search, with suggestions if nothing is found."""

from typing import Any

import pytest

from application.catalogue.views import ProductQuery
from application.common.paging import InvalidQuery, Sort
from domain.common.policy import Actor
from tests.builders import Ward


def searched(ward: Ward, who: Actor, **asked: Any) -> Any:
    return ward.use_cases.products.search.page(who, ProductQuery(**asked))


def test_a_search_with_matches_has_no_suggestions(ward: Ward) -> None:
    page = searched(ward, ward.admin, q="gasa")
    assert page == ward.use_cases.products.reader.page(ward.admin, ProductQuery(q="gasa"))
    assert "nearest" not in searched(ward, ward.admin, q="gasa", page=9)


def test_a_search_without_matches_has_suggestions(ward: Ward) -> None:
    page = searched(ward, ward.admin, q="gaza")
    assert (page["items"], page["meta"]["total"]) == ([], 0)
    assert page["nearest"] == ward.use_cases.products.reader.page(ward.admin, ProductQuery(q="gasa"))["items"]
    assert searched(ward, ward.admin, q="xyzw")["nearest"] == []


def test_an_empty_search_has_no_suggestions(ward: Ward) -> None:
    for q in (None, ""):
        assert "nearest" not in searched(ward, ward.admin, q=q, category_id=999)


def test_suggestions_are_redacted_for_ward_staff(ward: Ward) -> None:
    (shown,) = searched(ward, ward.admin, q="gaza")["nearest"]
    (concealed,) = searched(ward, ward.nurse, q="gaza")["nearest"]
    assert (concealed["id"], concealed["name"]) == (shown["id"], shown["name"])
    assert "price" in shown
    assert "price" not in concealed
    assert set(concealed["category"]) == {"id", "name"}


def test_sorting_by_price_is_refused_for_ward_staff(ward: Ward) -> None:
    with pytest.raises(InvalidQuery, match="sort"):
        searched(ward, ward.nurse, q="gaza", sort=Sort("price"))


def test_an_export_has_matches_only(ward: Ward) -> None:
    assert list(ward.use_cases.products.search.iterate(ward.admin, ProductQuery(q="gaza"))) == []
    assert [product["name"] for product in ward.use_cases.products.search.iterate(ward.admin, ProductQuery(q="gasa"))]
