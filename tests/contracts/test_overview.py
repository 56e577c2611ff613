"""Contract of every store: the queries of the home page and their bounds."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.products import ProductDraft
from application.ports.readers.reports import (
    LATEST_OF_TODAY,
    OLDEST_OPEN,
    OPENED_BY_PERSON,
    RECORDED_BY_PERSON,
    Overview,
)
from domain.anomalies import MEDIAN_RANK, SAMPLE_SIZE
from domain.day import day_of
from tests.builders import ZONE, Ward


@pytest.fixture
def today(ward: Ward) -> date:
    return day_of(ward.clock(), ZONE)


class Looking:
    """Call a method of the overview in a read of its own."""

    def __init__(self, ward: Ward) -> None:
        self._ward = ward

    def __getattr__(self, name: str) -> Any:
        def ask(*args: Any, **named: Any) -> Any:
            with self._ward.store.read() as views:
                overview: Overview = views.overview
                return getattr(overview, name)(*args, **named)

        return ask


@pytest.fixture
def overview(ward: Ward) -> Any:
    return Looking(ward)


# --- figures ---------------------------------------------------------------------------------------------------------


def test_today_counts_what_was_recorded_on_the_hospitals_day(ward: Ward, overview: Any, today: date) -> None:
    assert overview.today(today) == {"details": 0, "patients": 0, "total": Decimal(0)}
    other = ward.patient("Luz", "Gil").id
    yesterday = today - timedelta(days=1)
    sheets = [ward.sheet(admission_date=yesterday, patient_id=who)["id"] for who in (ward.patient_id,) * 2 + (other,)]
    ward.clock.advance(days=-1)
    ward.detail(sheets[0], "9")
    ward.clock.advance(days=1)
    for sheet in sheets:
        ward.detail(sheet, "2")
    # Two sheets of one patient count as one patient, and a sheet closed today counts too.
    ward.use_cases.sheets.close(ward.admin, sheets[2])
    assert overview.today(today) == {"details": 3, "patients": 2, "total": Decimal("75.00")}
    assert overview.today(today - timedelta(days=1)) == {"details": 1, "patients": 1, "total": Decimal("112.50")}
    assert overview.open_sheets() == 2


# --- sheets a user works on ------------------------------------------------------------------------------------------


def test_sheets_opened_or_recorded_on_come_newest_first(ward: Ward, overview: Any) -> None:
    def worked_on(most: int = 8) -> list[int]:
        found: list[int] = overview.worked_on(ward.nurse.user_id, most=most)
        return found

    opened = ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft()).answer["id"]
    others = [ward.sheet()["id"] for _ in range(3)]
    assert worked_on() == [opened]
    for sheet in (others[1], others[0], others[1]):
        ward.clock.advance(minutes=5)
        ward.detail(sheet, by=ward.nurse)
    ward.detail(others[2])
    assert worked_on() == [others[1], others[0], opened]
    assert worked_on(most=2) == [others[1], others[0]]
    ward.clock.advance(minutes=5)
    ward.detail(opened, by=ward.nurse)
    ward.use_cases.sheets.close(ward.admin, others[1])
    ward.use_cases.sheets.delete(ward.admin, others[0])
    assert worked_on() == [opened]
    assert overview.worked_on(ward.supervisor.user_id, most=8) == []


def test_reading_and_updating_a_sheet_is_not_working_on_it(ward: Ward, overview: Any) -> None:
    sheet = ward.sheet()["id"]
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    ward.use_cases.sheets.update(ward.nurse, sheet, ward.sheet_draft())
    assert overview.worked_on(ward.nurse.user_id, most=8) == []


def test_open_sheets_have_patient_room_days_and_details(ward: Ward, overview: Any, today: date) -> None:
    sheet = ward.sheet(admission_date=today - timedelta(days=4))["id"]
    planned = ward.sheet(admission_date=today + timedelta(days=2))["id"]
    closed = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    ward.detail(sheet)
    last = ward.clock.advance(minutes=3)
    ward.detail(sheet)
    found = overview.sheets({sheet, planned, closed, 999}, today)
    assert found[sheet] == {
        "id": sheet,
        "patient": {"id": ward.patient_id, "name": "Ana", "first_surname": "Ríos", "second_surname": None},
        "room": {"id": ward.room_id, "name": "101", "area_id": ward.area_id},
        "admission_date": today - timedelta(days=4),
        "days_open": 4,
        "details": 2,
        "last_recorded_at": last,
    }
    assert (found[planned]["days_open"], found[planned]["details"], found[planned]["last_recorded_at"]) == (0, 0, None)
    assert set(found) == {sheet, planned}
    assert overview.sheets(set(), today) == {}


# --- unusual records -------------------------------------------------------------------------------------------------


def test_the_longest_open_sheets_come_first(ward: Ward, overview: Any, today: date) -> None:
    ages = [3, 40, 2, 40, 5]
    sheets = [ward.sheet(admission_date=today - timedelta(days=age))["id"] for age in ages]
    ward.detail(sheets[3])
    last = ward.clock.advance(minutes=1)
    ward.detail(sheets[3])
    closed = ward.sheet(admission_date=today - timedelta(days=60))["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    assert overview.oldest_open(today - timedelta(days=3)) == [
        (sheets[1], today - timedelta(days=40), None),
        (sheets[3], today - timedelta(days=40), last),
        (sheets[4], today - timedelta(days=5), None),
        (sheets[0], today - timedelta(days=3), None),
    ]


def test_zero_quantities_are_listed_for_today_and_open_sheets(ward: Ward, overview: Any, today: date) -> None:
    sheet, closed = (ward.sheet(admission_date=today - timedelta(days=1))["id"] for _ in range(2))
    ward.clock.advance(days=-1)
    ward.detail(sheet, "0")
    ward.clock.advance(days=1)
    first = ward.detail(sheet, "0")["id"]
    ward.detail(sheet, "0.001")
    ward.detail(closed, "0")
    second = ward.detail(sheet, "0")["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    gauze = {"id": ward.product_id, "name": "Gasa estéril", "unit": None}
    assert overview.zero_of(today, most=9) == [
        (second, sheet, gauze, Decimal(0), None),
        (first, sheet, gauze, Decimal(0), None),
    ]
    assert [detail.id for detail in overview.zero_of(today, most=1)] == [second]


def test_a_far_out_quantity_is_judged_by_recent_details(ward: Ward, overview: Any, today: date) -> None:
    """The store uses the same rule as ``domain.anomalies``."""
    sheet = ward.sheet(admission_date=today - timedelta(days=9))["id"]
    cotton = ward.product("Algodón", unit="rollo").id
    ward.clock.advance(days=-9)
    for _ in range(MEDIAN_RANK - 2):
        ward.detail(sheet, "0.05", product_id=cotton)
    ward.clock.advance(days=9)
    # With this detail and the ones before, there are too few for a median.
    early = ward.detail(sheet, "5", product_id=cotton)["id"]
    assert overview.far_out_of(today, None, most=9) == []
    ward.detail(sheet, "0.5", product_id=cotton)
    assert [detail.id for detail in overview.far_out_of(today, None, most=9)] == []
    ward.detail(sheet, "0.04", product_id=cotton)
    ward.detail(sheet, "0.04", product_id=cotton)
    late = ward.detail(sheet, "0.501", product_id=cotton)["id"]
    named = {"id": cotton, "name": "Algodón", "unit": "rollo"}
    assert overview.far_out_of(today, None, most=9) == [
        (late, sheet, named, Decimal("0.501"), Decimal("0.05")),
        (early, sheet, named, Decimal(5), Decimal("0.05")),
    ]
    assert [detail.id for detail in overview.far_out_of(today, None, most=1)] == [late]
    # Once nearly all quantities are as large, they are the usual ones.
    for _ in range(SAMPLE_SIZE):
        ward.detail(sheet, "5", product_id=cotton)
    assert overview.far_out_of(today, None, most=9) == []


def test_far_out_quantities_are_of_today_and_on_open_sheets(ward: Ward, overview: Any, today: date) -> None:
    sheet, closed = (ward.sheet(admission_date=today - timedelta(days=1))["id"] for _ in range(2))
    ward.clock.advance(days=-1)
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet)
    ward.detail(sheet, "500")
    ward.clock.advance(days=1)
    ward.detail(closed, "500")
    ward.use_cases.sheets.close(ward.admin, closed)
    assert overview.far_out_of(today, None, most=9) == []
    ward.detail(sheet, "10")
    assert overview.far_out_of(today, None, most=9) == []
    far = ward.detail(sheet, "11")["id"]
    assert [detail.id for detail in overview.far_out_of(today, None, most=9)] == [far]


def test_without_a_usual_quantity_more_than_twenty_is_far_out(ward: Ward, overview: Any, today: date) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet, "20")
    far = ward.detail(sheet, "20.001")["id"]
    # A usual quantity of zero counts as none.
    cotton = ward.product("Algodón").id
    for quantity in ["0"] * MEDIAN_RANK + ["20"]:
        ward.detail(sheet, quantity, product_id=cotton)
    also_far = ward.detail(sheet, "21", product_id=cotton)["id"]
    found = overview.far_out_of(today, None, most=9)
    assert [(detail.id, detail.usual) for detail in found] == [(also_far, None), (far, None)]


def test_without_a_usual_quantity_a_high_total_is_far_out(ward: Ward, overview: Any, today: date) -> None:
    sheet, plate = ward.sheet()["id"], ward.product("Placa", "100.00").id
    ward.detail(sheet, "5", product_id=plate)
    far = ward.detail(sheet, "6", product_id=plate)["id"]
    assert [detail.id for detail in overview.far_out_of(today, Decimal("500.00"), most=9)] == [far]
    assert overview.far_out_of(today, None, most=9) == []
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet, "6", product_id=plate)
    assert overview.far_out_of(today, Decimal("500.00"), most=9) == []


def test_products_without_a_price_come_by_name(ward: Ward, overview: Any) -> None:
    free = ward.product("Ñame", "0.00").id
    ward.product("Barato", "0.01")
    ward.product("Viejo", "0", active=0)
    other = ward.product("apósito", "0", unit="pieza").id
    assert overview.without_price(most=9) == [
        {"id": other, "name": "apósito", "unit": "pieza"},
        {"id": free, "name": "Ñame", "unit": None},
    ]
    assert [product["id"] for product in overview.without_price(most=1)] == [other]
    draft = ProductDraft(name="apósito", price=Decimal(2), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, other, draft)
    assert [product["id"] for product in overview.without_price(most=9)] == [free]


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_the_queries_look_back_a_bounded_number_of_rows(ward: Ward, overview: Any, today: date) -> None:
    sheets = [ward.sheet()["id"] for _ in range(OPENED_BY_PERSON + 2)]
    assert overview.worked_on(ward.admin.user_id, most=99) == sheets[:1:-1]
    ward.clock.advance(minutes=1)
    for number in range(LATEST_OF_TODAY + 1):
        ward.detail(sheets[0], "99" if number in (0, 1) else "1")
    found = overview.far_out_of(today, None, most=9)
    assert [detail.quantity for detail in found] == [99]
    assert overview.worked_on(ward.admin.user_id, most=99) == [sheets[0], *sheets[:1:-1]]
    ward.clock.advance(minutes=1)
    for _ in range(RECORDED_BY_PERSON):
        ward.detail(sheets[1])
    assert overview.worked_on(ward.admin.user_id, most=99) == [sheets[1], *sheets[:1:-1]]
    sheets = [ward.sheet(admission_date=today - timedelta(days=9))["id"] for _ in range(OLDEST_OPEN + 1)]
    assert [sheet.id for sheet in overview.oldest_open(today - timedelta(days=9))] == sheets[:-1]
