"""Reading and listing: what may be asked, and what those who see no prices get to see."""

from collections.abc import Callable
from typing import Any

import pytest

from application.browse import Browse
from application.paging import BadQuery, ListQuery, Sort
from application.use_cases import UseCases
from application.views import DetailQuery, PatientQuery, ProductQuery, RoomQuery, SheetQuery, StaffQuery
from domain.refusal import NotFound
from tests.builders import Ward

LISTS: dict[str, Callable[[UseCases], Browse[Any, Any]]] = {
    "sheets": lambda u: u.sheets,
    "details": lambda u: u.details,
    "products": lambda u: u.products,
    "categories": lambda u: u.categories,
    "areas": lambda u: u.areas,
    "rooms": lambda u: u.rooms,
    "patients": lambda u: u.patients,
    "staff": lambda u: u.staff,
}
QUERIES: dict[str, type[ListQuery]] = {
    "sheets": SheetQuery,
    "details": DetailQuery,
    "products": ProductQuery,
    "categories": ListQuery,
    "areas": ListQuery,
    "rooms": RoomQuery,
    "patients": PatientQuery,
    "staff": StaffQuery,
}


@pytest.fixture
def at_work(ward: Ward) -> Ward:
    """With an open sheet, a closed one, and something on both."""
    opened, closed = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(opened, "2", by=ward.nurse)
    ward.detail(closed, "3", staff_id=ward.nurse.staff_id, area_id=ward.area_id)
    ward.use_cases.close_sheet(ward.admin, closed)
    return ward


def concealed_in(answer: object, path: str = "") -> list[str]:
    """Where in an answer a price, a total or a category's code is to be seen."""
    if isinstance(answer, list):
        return [found for number, item in enumerate(answer) for found in concealed_in(item, f"{path}[{number}]")]
    if not isinstance(answer, dict):
        return []
    here = [f"{path}.{name}" for name in ("price", "unit_price", "total") if name in answer and path != ".meta"]
    if "code" in answer and (path.endswith(".category") or set(answer) == {"id", "code", "name"}):
        here.append(f"{path}.code")
    return here + [found for name, value in answer.items() for found in concealed_in(value, f"{path}.{name}")]


def all_that_is_read(ward: Ward, who: Any) -> dict[str, Any]:
    """Every list that there is, and everything on them one by one."""
    use_cases = ward.use_cases
    read: dict[str, Any] = {"closed": use_cases.sheets.page(who, SheetQuery(closed=True))}
    for name in ("sheets", "details", "products", "categories", "areas", "rooms", "patients"):
        browse = LISTS[name](use_cases)
        read[name] = browse.page(who, QUERIES[name]())
        read[f"one of {name}"] = [browse.one(who, item["id"]) for item in read[name]["items"]]
        assert read[f"one of {name}"] == read[name]["items"]
        assert read[name]["items"]
    return read


def test_ward_staff_are_shown_no_price_no_total_and_no_category_code_anywhere(at_work: Ward) -> None:
    read = all_that_is_read(at_work, at_work.nurse)
    assert [found for answer in read.values() for found in concealed_in(answer)] == []


@pytest.mark.parametrize("who", ["supervisor", "admin"])
def test_the_others_are_shown_all_of_them(at_work: Ward, who: str) -> None:
    read = all_that_is_read(at_work, getattr(at_work, who))
    assert concealed_in(read["sheets"]) == [".items[0].total"]
    assert concealed_in(read["closed"]) == [".items[0].total"]
    assert concealed_in(read["details"]["items"][0]) == [
        ".unit_price",
        ".total",
        ".product.price",
        ".product.category.code",
    ]
    assert concealed_in(read["products"]["items"]) == ["[0].price", "[0].category.code"]
    assert concealed_in(read["categories"]["items"]) == ["[0].code"]


def test_a_products_own_code_is_no_category_code_and_is_shown_to_all(at_work: Ward) -> None:
    product = at_work.product("Venda", code="V-1")
    assert at_work.use_cases.products.one(at_work.nurse, product.id)["code"] == "V-1"


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("sheets", "total"),
        ("details", "total"),
        ("details", "unit_price"),
        ("products", "price"),
        ("categories", "category_code"),
    ],
)
@pytest.mark.parametrize("descending", [False, True])
def test_an_order_that_would_tell_a_price_is_for_those_who_see_prices(
    at_work: Ward, name: str, field: str, descending: bool
) -> None:
    browse, query = LISTS[name](at_work.use_cases), QUERIES[name](sort=Sort(field, descending))
    assert browse.page(at_work.supervisor, query)["items"]
    with pytest.raises(BadQuery, match="sort"):
        browse.page(at_work.nurse, query)


@pytest.mark.parametrize("name", LISTS)
def test_every_order_that_a_list_offers_is_one(at_work: Ward, name: str) -> None:
    browse = LISTS[name](at_work.use_cases)
    for field in browse.sorts:
        assert browse.page(at_work.admin, QUERIES[name](sort=Sort(field)))["items"]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"page": 0}, "page"),
        ({"page": -1}, "page"),
        ({"page": 2**31 + 1}, "page"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"sort": Sort("nothing")}, "sort"),
        ({"sort": Sort("")}, "sort"),
        ({"q": "a\x00b"}, "q"),
        ({"q": "\ud800"}, "q"),
        ({"sort": Sort("id"), "cursor": "x"}, "cursor"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "é"}, "cursor"),
        ({"cursor": "WzEsMl0"}, "cursor"),
    ],
)
def test_a_query_that_cannot_be_understood_names_what_is_wrong(
    at_work: Ward, name: str, asked: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadQuery) as bad:
        LISTS[name](at_work.use_cases).page(at_work.admin, QUERIES[name](**asked))
    assert bad.value.field == field


@pytest.mark.parametrize("name", LISTS)
def test_the_largest_page_has_100_and_the_last_page_may_be_empty(at_work: Ward, name: str) -> None:
    browse = LISTS[name](at_work.use_cases)
    page = browse.page(at_work.admin, QUERIES[name](limit=100))
    assert page["meta"]["total"] == len(page["items"]) > 0
    beyond = browse.page(at_work.admin, QUERIES[name](page=2**31, limit=100))
    assert (beyond["items"], beyond["meta"]["total"]) == ([], page["meta"]["total"])


@pytest.mark.parametrize("name", LISTS)
def test_there_is_no_reading_what_does_not_exist(at_work: Ward, name: str) -> None:
    for missing in (99, 0, -1):
        with pytest.raises(NotFound):
            LISTS[name](at_work.use_cases).one(at_work.admin, missing)
