"""Unusual records and questions about quantities."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from domain.sheets.anomalies import (
    Oddity,
    days_since,
    far_out,
    highest_total_unasked,
    outlier_threshold,
    sheet_anomaly,
    typical_quantity,
)
from tests.builders import a_nurse, a_supervisor

TODAY = date(2026, 11, 20)


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


@pytest.mark.parametrize(
    ("admitted", "last_recorded", "expected"),
    [
        (0, None, None),
        (2, None, None),
        (3, None, Oddity.SHEET_QUIET),
        (3, 2, None),
        (10, 3, Oddity.SHEET_QUIET),
        (30, 0, None),
        (31, 0, Oddity.SHEET_OPEN_LONG),
        (31, 2, Oddity.SHEET_OPEN_LONG),
        # The patient has perhaps gone home: only one of the two oddities is shown.
        (31, 3, Oddity.SHEET_QUIET),
        (400, None, Oddity.SHEET_QUIET),
        # A planned admission, and one entered after the first detail.
        (-1, None, None),
        (0, 1, None),
    ],
)
def test_a_quiet_or_long_open_sheet_is_unusual(
    admitted: int, last_recorded: int | None, expected: Oddity | None
) -> None:
    last = None if last_recorded is None else ago(last_recorded)
    assert sheet_anomaly(admitted=ago(admitted), last_recorded=last, today=TODAY) is expected


def test_days_since_a_future_day_are_zero() -> None:
    assert [days_since(ago(days), TODAY) for days in (-1, 0, 1, 45)] == [0, 0, 1, 45]


@pytest.mark.parametrize(
    ("latest", "expected"),
    [
        ([], None),
        (["1"] * 10, None),
        (["1"] * 11, "1"),
        # With few details, the usual quantity is the eleventh smallest, so fewer quantities are far out.
        (["5"] * 10 + ["40"], "40"),
        # With 21 details it is the median: a typing error with an extra digit does not change it.
        (["2"] * 20 + ["2000"], "2"),
        (["1"] * 10 + ["3"] + ["9"] * 10, "3"),
        # Only the latest 21 details count.
        (["2"] * 21 + ["7"] * 100, "2"),
        (["0.04"] * 21, "0.04"),
    ],
)
def test_the_usual_quantity_comes_from_the_latest_details(latest: list[str], expected: str | None) -> None:
    assert typical_quantity([Decimal(quantity) for quantity in latest]) == (
        None if expected is None else Decimal(expected)
    )


@pytest.mark.parametrize(
    ("quantity", "usual", "expected"),
    [
        ("20", "2", False),
        ("20.001", "2", True),
        ("2000", "2", True),
        ("0.5", "0.04", True),
        ("0.4", "0.04", False),
        ("0", "2", False),
        # Without a usual quantity, or with zero, the limit is twenty.
        ("20", None, False),
        ("20.001", None, True),
        ("20", "0", False),
        ("20.001", "0", True),
    ],
)
def test_more_than_ten_times_the_usual_is_far_out(quantity: str, usual: str | None, expected: bool) -> None:
    known = None if usual is None else Decimal(usual)
    quoted = far_out(Decimal(quantity), Decimal(10**6), known, None)
    assert (quoted is not None) is expected
    if quoted:
        assert quoted == {"quantity": Decimal(quantity), **({"usual_quantity": known} if known else {})}


@pytest.mark.parametrize(
    ("total", "usual", "limit", "expected"),
    [
        ("500.00", None, "500", False),
        ("500.01", None, "500", True),
        ("500.01", "0", "500", True),
        # The total does not matter if there is a usual quantity, or if the user sees no prices.
        ("500.01", "1", "500", False),
        ("500.01", None, None, False),
    ],
)
def test_a_high_total_is_far_out_without_a_usual_quantity(
    total: str, usual: str | None, limit: str | None, expected: bool
) -> None:
    known = None if usual is None else Decimal(usual)
    quoted = far_out(Decimal(2), Decimal(total), known, None if limit is None else Decimal(limit))
    assert quoted == ({"quantity": Decimal(2), "total": Decimal(total)} if expected else None)


def test_the_question_has_the_quantity_rather_than_the_total() -> None:
    assert far_out(Decimal(21), Decimal(1000), None, Decimal(500)) == {"quantity": Decimal(21)}


def test_users_without_prices_are_not_asked_about_totals() -> None:
    limit = Decimal(500)
    assert highest_total_unasked(a_supervisor(), limit) == limit
    assert highest_total_unasked(a_nurse(), limit) is None


@pytest.mark.parametrize(("usual", "expected"), [(None, "20"), ("0", "20"), ("2", "20"), ("0.04", "0.40")])
def test_the_limit_of_far_out_quantities_can_be_read_before(usual: str | None, expected: str) -> None:
    assert outlier_threshold(None if usual is None else Decimal(usual)) == Decimal(expected)
