"""Contract of every store: cursors and counts of lists."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

import application.common.paging
from application.catalogue.views import (
    ProductQuery,
)
from application.common.paging import InvalidQuery, Sort, write_cursor
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from tests.builders import NOON, Ward
from tests.contracts.common.test_lists import ORDERS


def walk(ward: Ward, name: str, meanwhile: Callable[[], object], **asked: Any) -> Iterator[int]:
    """Yield the ids of a list read by cursors.

    ``meanwhile`` is called between two pages.
    """
    query = ORDERS[name][1]
    cursor = None
    for _ in range(20):
        with ward.store.read() as views:
            page = getattr(views, name).page(query(limit=3, cursor=cursor, **asked))
        yield from (item["id"] for item in page["items"])
        cursor = page["meta"].get("next")
        if cursor is None:
            return
        meanwhile()
    raise AssertionError("the walk has no end")


def test_cursors_meet_every_detail_once_while_others_are_added(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    there = []
    for number in range(10):
        if number % 4 == 0:  # four at the same time
            ward.clock.advance(microseconds=1)
        there.append(ward.detail(sheet_id)["id"])

    def newer() -> None:
        ward.detail(sheet_id)
        ward.clock.advance(minutes=1)
        ward.detail(sheet_id)

    assert list(walk(ward, "details", newer)) == there[::-1]
    assert list(walk(ward, "details", newer, consumption_sheet_id=999)) == []


def test_cursors_miss_no_detail_while_others_are_deleted(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    there = [ward.detail(sheet_id)["id"] for _ in range(9)]
    deleted = iter(there[::-1])  # already read
    met = list(walk(ward, "details", lambda: ward.use_cases.details.delete(ward.admin, next(deleted))))
    assert met == there[::-1]


def test_cursors_meet_each_closed_sheet_once_during_closings(ward: Ward) -> None:
    there = []
    for number in range(8):
        ward.clock.advance(microseconds=number % 2)
        there.append(ward.sheet()["id"])
        ward.use_cases.sheets.close(ward.admin, there[-1])

    def newer() -> None:
        ward.clock.advance(minutes=1)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])

    assert list(walk(ward, "sheets", newer, closed=True)) == there[::-1]


def test_cursors_meet_each_open_sheet_once_during_openings(ward: Ward) -> None:
    there = [ward.sheet(admission_date=date(2091, 5, 1 + number // 3))["id"] for number in range(8)]
    newer = date(2091, 5, 9)
    assert list(walk(ward, "sheets", lambda: ward.sheet(admission_date=newer))) == there[::-1]


def test_a_page_after_a_cursor_counts_the_whole_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(7):
        ward.detail(sheet_id)
    with ward.store.read() as views:
        first = views.details.page(DetailQuery(limit=3))
        second = views.details.page(DetailQuery(limit=3, cursor=first["meta"]["next"]))
        third = views.details.page(DetailQuery(limit=3, cursor=second["meta"]["next"]))
    assert [page["meta"]["total"] for page in (first, second, third)] == [7, 7, 7]
    assert len(third["items"]) == 1
    assert "next" not in third["meta"]


def test_a_searched_or_sorted_list_has_no_cursor(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id)
    with ward.store.read() as views:
        assert "next" in views.details.page(DetailQuery(limit=1))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=1, q="gasa"))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=1, sort=Sort("id")))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=3))["meta"]


OF_ANOTHER_LIST: list[tuple[str, dict[str, Any], str]] = [
    ("details", {}, "2091-05-03T12:00:00"),  # no time zone
    ("details", {}, "2091-05-03"),
    ("details", {}, "0001-01-01T00:00:00+14:00"),  # before the first date
    ("details", {}, "9999-12-31T23:59:59-12:00"),  # after the last date
    ("details", {}, "' OR 1=1"),
    ("sheets", {"closed": True}, "2091-05-03"),
    ("sheets", {}, "2091-05-03T12:00:00+00:00"),
    ("sheets", {}, ""),
    ("areas", {}, "urgencias"),
]


def test_a_cursor_of_another_list_is_refused(ward: Ward) -> None:
    for name, asked, key in OF_ANOTHER_LIST:
        query = ORDERS[name][1](cursor=write_cursor(key, 1), **asked)
        with ward.store.read() as views, pytest.raises(InvalidQuery, match="cursor"):
            getattr(views, name).page(query)


def test_unbounded_lists_are_counted_up_to_a_limit(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application.common.paging, "COUNT_LIMIT", 4)
    sheet_id = ward.sheet()["id"]
    for _ in range(4):
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])
    exact = {"page": 1, "limit": 5, "total": 4, "pages": 1}
    with ward.store.read() as views:
        assert views.details.page(DetailQuery(limit=5))["meta"] == exact
        assert views.sheets.page(SheetQuery(limit=5, closed=True))["meta"] == exact
    for _ in range(4):
        ward.clock.advance(minutes=1)
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])
        ward.sheet()
        ward.product("Venda")
    with ward.store.read() as views:
        for page in (views.details.page(DetailQuery(limit=5)), views.sheets.page(SheetQuery(limit=5, closed=True))):
            assert page["meta"] == {
                "page": 1,
                "limit": 5,
                "total": 4,
                "pages": 1,
                "total_is_lower_bound": True,
                "next": page["meta"]["next"],
            }
        # Other lists are counted completely.
        for meta in (
            views.products.page(ProductQuery(limit=5))["meta"],
            views.sheets.page(SheetQuery(limit=5))["meta"],
        ):
            assert (meta["total"], "total_is_lower_bound" in meta) == (5, False)


def test_the_count_of_details_respects_the_filters(ward: Ward) -> None:
    busy, quiet = ward.sheet()["id"], ward.sheet()["id"]
    for _ in range(3):
        ward.detail(busy)
    ward.clock.now = NOON + timedelta(days=1)
    ward.detail(quiet)
    with ward.store.read() as views:
        totals = [
            views.details.page(query)["meta"]["total"]
            for query in (
                DetailQuery(),
                DetailQuery(consumption_sheet_id=busy),
                DetailQuery(since=date(2091, 5, 4)),
                DetailQuery(consumption_sheet_id=busy, since=date(2091, 5, 4)),
                DetailQuery(q="gasa", consumption_sheet_id=quiet),
            )
        ]
    assert totals == [4, 3, 1, 0, 1]
