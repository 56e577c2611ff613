"""Contract of every store: the queries of the worklist and their bounds."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.ward.worklist_ports import LATEST_OF_DAY, LATEST_OPEN, OLDEST_OPEN, Worklist
from domain.common.day import day_of, start_of
from domain.sheets.anomalies import MEDIAN_RANK, SAMPLE_SIZE, Judgement, Oddity
from tests.builders import ZONE, Ward


@pytest.fixture
def today(ward: Ward) -> date:
    return day_of(ward.clock(), ZONE)


class Looking:
    """Call a method of the worklist in a read of its own."""

    def __init__(self, ward: Ward) -> None:
        self._ward = ward

    def __getattr__(self, name: str) -> Any:
        def ask(*args: Any, **named: Any) -> Any:
            with self._ward.store.read() as views:
                worklist: Worklist = views.worklist
                return getattr(worklist, name)(*args, **named)

        return ask


@pytest.fixture
def worklist(ward: Ward) -> Any:
    return Looking(ward)


def judge(ward: Ward, kind: Oddity, entity_id: int, version: int | None) -> None:
    by = ward.supervisor.user_id
    with ward.store.begin() as work:
        work.judgements.save(Judgement(kind=kind, entity_id=entity_id, version=version, user_id=by, at=ward.clock.now))


# --- sheets ----------------------------------------------------------------------------------------------------------


def test_the_longest_open_sheets_come_first(ward: Ward, worklist: Any, today: date) -> None:
    ages = [3, 40, 2, 40, 5]
    sheets = [ward.sheet(admission_date=today - timedelta(days=age))["id"] for age in ages]
    ward.detail(sheets[3])
    last = ward.clock.advance(minutes=1)
    ward.detail(sheets[3])
    closed = ward.sheet(admission_date=today - timedelta(days=60))["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    assert worklist.oldest_open(today - timedelta(days=3)) == [
        (sheets[1], today - timedelta(days=40), None),
        (sheets[3], today - timedelta(days=40), last),
        (sheets[4], today - timedelta(days=5), None),
        (sheets[0], today - timedelta(days=3), None),
    ]


def test_idle_sheets_have_no_line_since_a_moment(ward: Ward, worklist: Any, today: date) -> None:
    yesterday = today - timedelta(days=1)
    old, idle, voided, busy, closed = (
        ward.sheet(admission_date=today - timedelta(days=days))["id"] for days in (9, 1, 1, 1, 1)
    )
    ward.sheet()
    last = ward.clock.advance(days=-1)
    ward.detail(idle)
    ward.clock.advance(days=1)
    ward.detail(busy)
    ward.use_cases.details.delete(ward.admin, ward.detail(voided)["id"])
    ward.use_cases.sheets.close(ward.admin, closed)
    assert worklist.idle_since(start_of(today, ZONE), yesterday) == [
        (voided, yesterday, None),
        (idle, yesterday, last),
        (old, today - timedelta(days=9), None),
    ]


def test_judgements_of_sheets_are_kept_by_kind(ward: Ward, worklist: Any) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    judge(ward, Oddity.SHEET_QUIET, first, None)
    ward.clock.advance(hours=1)
    for kind in (Oddity.SHEET_QUIET, Oddity.SHEET_OPEN_LONG):
        judge(ward, kind, first, None)
    # A detail may have the same id.
    judge(ward, Oddity.QUANTITY_ZERO, second, 1)
    at = ward.clock.now
    assert worklist.judged_sheets() == {first: {Oddity.SHEET_QUIET: at, Oddity.SHEET_OPEN_LONG: at}}
    with ward.store.begin() as work:
        assert work.judgements.remove(Oddity.SHEET_QUIET, first)
        assert not work.judgements.remove(Oddity.SHEET_QUIET, first)
    assert worklist.judged_sheets() == {first: {Oddity.SHEET_OPEN_LONG: at}}
    ward.use_cases.sheets.close(ward.admin, first)
    assert worklist.judged_sheets() == {}


# --- lines -----------------------------------------------------------------------------------------------------------


def test_zero_quantities_are_listed_for_today_and_open_sheets(ward: Ward, worklist: Any, today: date) -> None:
    sheet, closed = (ward.sheet(admission_date=today - timedelta(days=1))["id"] for _ in range(2))
    ward.clock.advance(days=-1)
    ward.detail(sheet, "0")
    ward.clock.advance(days=1)
    first = ward.detail(sheet, "0")["id"]
    ward.detail(sheet, "0.001")
    ward.detail(closed, "0")
    second = ward.detail(sheet, "0")["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    zero = worklist.zero_of(today, most=9)
    assert [(detail.id, detail.sheet_id, detail.quantity) for detail in zero] == [(second, sheet, 0), (first, sheet, 0)]
    assert zero[0].product == {"id": ward.product_id, "name": "Gasa estéril", "code": None, "unit": None}
    assert (zero[0].usual, zero[0].version, zero[0].at, zero[0].by) == (None, 1, ward.clock.now, "admin@consumo.test")
    assert [detail.id for detail in worklist.zero_of(today, most=1)] == [second]


def test_far_out_quantities_are_of_today_and_on_open_sheets(ward: Ward, worklist: Any, today: date) -> None:
    sheet, closed = (ward.sheet(admission_date=today - timedelta(days=1))["id"] for _ in range(2))
    ward.clock.advance(days=-1)
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet)
    ward.detail(sheet, "500")
    ward.clock.advance(days=1)
    ward.detail(closed, "500")
    ward.use_cases.sheets.close(ward.admin, closed)
    assert worklist.far_out_of(today, None, most=9) == []
    ward.detail(sheet, "10")
    assert worklist.far_out_of(today, None, most=9) == []
    far = ward.detail(sheet, "11")["id"]
    assert [detail.id for detail in worklist.far_out_of(today, None, most=9)] == [far]


def test_lines_of_areas_are_compared_with_those_of_areas(ward: Ward, worklist: Any, today: date) -> None:
    sheet, page = ward.sheet()["id"], ward.use_cases.area_sheets.open(ward.nurse, ward.area_id).view["id"]
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet, "1")
        ward.detail(page, "20", use_reason="cleaning")
    assert worklist.far_out_of(today, None, most=9) == []
    far, zero = (ward.detail(page, quantity, use_reason="cleaning")["id"] for quantity in ("201", "0"))
    found = [*worklist.far_out_of(today, None, most=9), *worklist.zero_of(today, most=9)]
    area = {"id": ward.area_id, "name": "Urgencias"}
    assert [(line.id, line.sheet_id, line.area, line.usual) for line in found] == [
        (far, page, area, 20),
        (zero, page, area, None),
    ]
    assert worklist.latest_quantities([ward.product_id], in_areas=True)[ward.product_id][:3] == [0, 201, 20]
    judge(ward, Oddity.QUANTITY_FAR_OUT, far, 1)
    assert worklist.far_out_of(today, None, most=9) == []


def test_the_latest_quantities_are_those_of_counted_lines(ward: Ward, worklist: Any) -> None:
    sheet, cotton = ward.sheet()["id"], ward.product("Algodón").id
    for number in range(SAMPLE_SIZE + 1):
        ward.detail(sheet, str(number))
    ward.use_cases.details.delete(ward.admin, ward.detail(sheet, "7")["id"])
    ward.detail(sheet, "0.5", product_id=cotton)
    assert worklist.latest_quantities([ward.product_id, cotton, 999], in_areas=False) == {
        ward.product_id: [Decimal(number) for number in range(SAMPLE_SIZE, 0, -1)],
        cotton: [Decimal("0.5")],
        999: [],
    }
    assert worklist.latest_quantities([], in_areas=False) == {}


# --- products and bounds ---------------------------------------------------------------------------------------------


def test_the_queries_look_back_a_bounded_number_of_rows(ward: Ward, worklist: Any, today: date) -> None:
    sheet = ward.sheet()["id"]
    for number in range(LATEST_OF_DAY + 1):
        ward.detail(sheet, "99" if number in (0, 1) else "1")
    assert [detail.quantity for detail in worklist.far_out_of(today, None, most=9)] == [99]
    before = today - timedelta(days=9)
    sheets = [ward.sheet(admission_date=before)["id"] for _ in range(max(OLDEST_OPEN, LATEST_OPEN) + 1)]
    assert [one.id for one in worklist.oldest_open(before)] == sheets[:OLDEST_OPEN]
    idle = [one.id for one in worklist.idle_since(ward.clock.now, before)]
    assert idle == sheets[: -LATEST_OPEN - 1 : -1]
