"""The consumption report: periods, order and redaction for ward staff."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.common.paging import InvalidQuery, Sort
from application.reports.views import CONSUMPTION_SORTS, Compare, ConsumptionBy, ConsumptionPage, ConsumptionQuery
from domain.common.policy import Actor
from tests.builders import TODAY, Ward
from tests.contracts.audit.audit_logs import trail_of


@pytest.fixture
def used(ward: Ward) -> Ward:
    """Record much gauze and one expensive screw, today and 29 and 30 days ago."""
    sheet = ward.sheet(admission_date=TODAY - timedelta(days=30))["id"]
    screw = ward.product("Tornillo", "400.00").id
    now = ward.clock.now
    for days in (30, 29, 0):
        ward.clock.now = now - timedelta(days=days)
        ward.detail(sheet, "3", product_id=ward.product_id, area_id=ward.area_id)
    for _ in range(2):
        ward.detail(sheet, "1", product_id=ward.product_id)
    ward.detail(sheet, "1", product_id=screw)
    return ward


def report(ward: Ward, actor: Actor, **asked: Any) -> ConsumptionPage:
    return ward.use_cases.reports.consumption.page(actor, ConsumptionQuery(**asked))


def test_the_default_period_is_the_last_thirty_days(used: Ward) -> None:
    page = report(used, used.admin)
    assert page["period"] == {"from": TODAY - timedelta(days=29), "to": TODAY}
    assert [row["key"] for row in page["items"]] == [str(TODAY - timedelta(days=29)), str(TODAY)]


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (None, TODAY - timedelta(days=1), (TODAY - timedelta(days=30), TODAY - timedelta(days=1))),
        (TODAY - timedelta(days=90), None, (TODAY - timedelta(days=90), TODAY)),
        (TODAY, TODAY, (TODAY, TODAY)),
        (None, date(1, 1, 5), (date.min, date(1, 1, 5))),
        (date.max, None, (date.max, TODAY)),
    ],
)
def test_a_missing_end_of_the_period_is_derived(
    used: Ward, since: date | None, until: date | None, expected: tuple[date, date]
) -> None:
    assert tuple(report(used, used.admin, since=since, until=until)["period"].values()) == expected


def test_the_period_ends_on_the_hospitals_day(used: Ward) -> None:
    used.clock.advance(hours=12)  # 18:00 in the hospital, and already tomorrow in UTC
    assert report(used, used.admin)["period"]["to"] == TODAY


def test_days_come_in_order_and_other_rows_by_total(used: Ward) -> None:
    for by in (ConsumptionBy.DAY, ConsumptionBy.MONTH):
        keys = [row["key"] for row in report(used, used.admin, by=by)["items"]]
        assert keys == sorted(keys)
    products = report(used, used.admin, by=ConsumptionBy.PRODUCT)["items"]
    assert [(row["name"], row["total"]) for row in products] == [
        ("Tornillo", Decimal("400.00")),
        ("Gasa estéril", Decimal("100.00")),
    ]


def test_ward_staff_get_no_prices_and_no_order_by_price(used: Ward) -> None:
    for by in set(ConsumptionBy) - {ConsumptionBy.STAFF}:
        page = report(used, used.nurse, by=by, compare=Compare.PREVIOUS)
        assert set(page["sums"]) == {"details", "quantity", "patient_days", "previous"}
        assert set(page["sums"]["previous"]) == {"details", "quantity", "patient_days"}
        for row in page["items"]:
            assert not {"total", "category_code"} & {*row, *row["previous"]}
    products = report(used, used.nurse, by=ConsumptionBy.PRODUCT)["items"]
    assert [(row["name"], row["details"], row["quantity"]) for row in products] == [
        ("Gasa estéril", 4, Decimal(8)),
        ("Tornillo", 1, Decimal(1)),
    ]


def test_category_codes_need_the_price_permission(used: Ward) -> None:
    assert [row["category_code"] for row in report(used, used.supervisor, by=ConsumptionBy.CATEGORY)["items"]] == [
        "CUR"
    ]


def test_the_export_has_the_whole_report(used: Ward) -> None:
    query = ConsumptionQuery(by=ConsumptionBy.PRODUCT, limit=1)
    whole = list(used.use_cases.reports.consumption.iterate(used.admin, query))
    assert whole == report(used, used.admin, by=ConsumptionBy.PRODUCT)["items"]
    assert len(whole) == 2
    for row in used.use_cases.reports.consumption.iterate(used.nurse, replace(query, by=ConsumptionBy.CATEGORY)):
        assert not {"total", "category_code"} & set(row)


def test_the_report_of_an_area_has_only_its_details(used: Ward) -> None:
    page = report(used, used.admin, by=ConsumptionBy.PRODUCT, area_id=used.area_id)
    assert [(row["name"], row["details"]) for row in page["items"]] == [("Gasa estéril", 2)]
    assert page["sums"]["details"] == 2


@pytest.mark.parametrize("field", sorted(CONSUMPTION_SORTS))
def test_ward_staff_cannot_sort_by_total(used: Ward, field: str) -> None:
    query = ConsumptionQuery(by=ConsumptionBy.PRODUCT, sort=Sort(field))
    used.use_cases.reports.consumption.page(used.supervisor, query)
    if field == "total":
        for ask in (used.use_cases.reports.consumption.page, used.use_cases.reports.consumption.iterate):
            with pytest.raises(InvalidQuery, match="sort"):
                ask(used.nurse, query)
    else:
        used.use_cases.reports.consumption.page(used.nurse, query)


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"sort": Sort("price")}, "sort"), ({"limit": 1_001}, "limit"), ({"limit": 0}, "limit"), ({"page": 0}, "page")],
)
def test_an_invalid_query_is_refused(ward: Ward, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidQuery, match=field):
        report(ward, ward.admin, **asked)


def test_reports_by_patient_and_exports_are_logged(used: Ward) -> None:
    def noted() -> list[tuple[str, int | None, int]]:
        reported = [(entry.action, entry.user_id, entry.entity_id) for entry in trail_of(used.store)]
        return [entry for entry in reported if entry[0].startswith("consumption.")]

    for by in ConsumptionBy:
        report(used, used.admin, by=by)
    assert noted() == [("consumption.listed", used.admin.user_id, 0)]
    list(used.use_cases.reports.consumption.iterate(used.nurse, ConsumptionQuery(by=ConsumptionBy.AREA)))
    assert noted()[1:] == [("consumption.exported", used.nurse.user_id, 0)]


def test_a_comparison_is_with_the_period_before(used: Ward) -> None:
    page = report(used, used.admin, compare=Compare.PREVIOUS)
    first = TODAY - timedelta(days=29)
    assert page["previous_period"] == {"from": first - timedelta(days=30), "to": first - timedelta(days=1)}
    assert page["sums"]["previous"] == {
        "details": 1,
        "quantity": Decimal(3),
        "total": Decimal("37.50"),
        "patient_days": 1,
    }
    assert (page["sums"]["details"], page["sums"]["patient_days"]) == (5, 30)
    # The line of the last day before is compared with the last day, which has another place than its own day.
    assert [(row["key"], row["details"], row["previous"]["details"]) for row in page["items"]] == [
        (str(first), 1, 0),
        (str(TODAY), 4, 1),
    ]


def test_the_first_days_of_the_calendar_have_no_period_before(used: Ward) -> None:
    with pytest.raises(InvalidQuery):
        report(used, used.admin, since=date(1, 1, 2), until=date(1, 1, 5), compare=Compare.PREVIOUS)


def test_an_export_has_the_sums_of_the_period_before(used: Ward) -> None:
    for by in (ConsumptionBy.DAY, ConsumptionBy.PRODUCT):
        query = ConsumptionQuery(by=by, compare=Compare.PREVIOUS)
        page = used.use_cases.reports.consumption.page(used.supervisor, query)
        whole = used.use_cases.reports.consumption.full_report(used.supervisor, query, most=100)
        assert (whole["items"], whole["sums"]) == (page["items"], page["sums"])
        assert whole["previous_period"] == page["previous_period"]
