"""Closed months: what is frozen and what changed since is today's report."""

from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from adapters.sql.sheets.tables import details
from application.reports.month_views import MonthView
from application.reports.months import MonthDraft
from domain.common.errors import Code, Refused
from domain.common.money import line_total
from tests.assertions import refused
from tests.builders import Ward, a_ward
from tests.use_cases.sheets.test_month_changes import ACTS
from tests.use_cases.stored import kept

D = Decimal
IN_MAY = datetime(2091, 5, 31, 20, tzinfo=UTC)
FIGURES = ("lines", "quantity", "returned", "total", "value")


@pytest.fixture
def ward() -> Ward:
    ward = a_ward()
    ward.clock.now = IN_MAY
    return ward


def close(ward: Ward, turn: int = 1, month: str = "2091-05", area_id: int | None = None) -> MonthView:
    return ward.use_cases.reports.close_month(ward.admin, MonthDraft(month=month, turn=turn, area_id=area_id))


def of_today(ward: Ward, month: date) -> Counter[str]:
    """Return the figures of all lines of a month, from the rows."""
    sums: Counter[str] = Counter()
    for row in kept(ward).rows(details):
        if row.voided_at or (row.day.year, row.day.month) != (month.year, month.month):
            continue
        value = line_total(row.unit_price, row.quantity)
        for name, figure in zip(FIGURES, (1, row.quantity, row.returned, row.total, value), strict=True):
            sums[name] += figure
    return sums


def with_changes(view: MonthView) -> Counter[str]:
    sums: Counter[str] = Counter()
    for row in (*view["sums"].values(), *view["changes"]["items"]):
        for name in FIGURES:
            sums[name] += row[name]  # type: ignore[index]
    return sums


def test_a_month_is_frozen_with_its_figures(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    month = close(ward)
    assert month["sums"]["treatment"] == {
        "lines": 1,
        "quantity": D(3),
        "returned": D(0),
        "total": D("37.50"),
        "value": D("37.50"),
    }
    assert [row["name"] for row in month["products"]]
    assert month["accounts"]["open"] == {"sheets": 1, "total": D("37.50")}


@pytest.mark.parametrize("act", ACTS)
def test_a_later_change_stands_beside_it(ward: Ward, act: str) -> None:
    make, _ = ACTS[act]
    line = ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    closed = close(ward)
    make(ward, line)
    now = ward.use_cases.reports.read_month(ward.admin, closed["id"])
    assert now["sums"] == closed["sums"]
    assert now["changes"]["items"]
    assert +with_changes(now) == +of_today(ward, date(2091, 5, 1))


def test_the_month_is_not_over(ward: Ward) -> None:
    with refused((Code.MONTH_NOT_OVER, "month")):
        close(ward)


def test_the_same_version_is_made_once(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    close(ward)
    with refused((Code.MONTH_CLOSED, "turn")):
        close(ward)
    with refused((Code.MONTH_UNCHANGED, "month")):
        close(ward, 2)
    with refused((Code.NUMBER_OUT_OF_RANGE, "turn")):
        close(ward, 3)


def test_random_months_add_up(ward: Ward) -> None:
    random = Random(7)
    sheet_id = ward.sheet()["id"]
    lines: list[Any] = []
    documents: list[MonthView] = []
    turns: Counter[str] = Counter()
    for _ in range(60):
        act = random.choice([*ACTS, "record", "record", "late", "close", "wait"])
        if act == "record":
            lines.append(ward.detail(sheet_id, str(random.randint(1, 5))))
        elif act == "late" and lines:
            lines.append(ward.detail(sheet_id, "2", occurred_at=IN_MAY))
        elif act == "wait":
            ward.clock.advance(hours=20)
        elif act == "close":
            month = "2091-05"
            try:
                documents.append(close(ward, turns[month] + 1, month))
            except Refused:
                continue
            turns[month] += 1
        elif act not in ("deleted", "late") and lines:
            ACTS[act][0](ward, lines.pop(random.randrange(len(lines))))
        for document in documents:
            now = ward.use_cases.reports.read_month(ward.admin, document["id"])
            assert +with_changes(now) == +of_today(ward, date(2091, 5, 1))
    assert documents
