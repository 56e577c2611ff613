"""Reading dates as people and programs write them."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from application.imports.reading.dates import (
    DateOrder,
    YearUnclear,
    is_unclear,
    read_birthday,
    read_day,
    read_moment,
    told_order,
)

DAY, MONTH = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST
THIRD_OF_APRIL = date(2026, 4, 3)


@pytest.mark.parametrize(
    "text",
    [
        "2026-04-03",
        "2026/04/03",
        "2026.4.3",
        "20260403",
        "2026-04-03T10:20:30Z",
        "2026-04-03 10:20",
        "3 de abril de 2026",
        "3 abril 2026",
        "03-abr-2026",
        "3-Apr-26",
        "3. ABRIL 2026",
        "viernes, 3 de abril de 2026",
        "April 3, 2026",
        "Apr 3rd, 2026",
        "Friday, April 3, 2026",
    ],
)
@pytest.mark.parametrize("order", [DAY, MONTH, None])
def test_unambiguous_dates_do_not_depend_on_the_order(text: str, order: DateOrder | None) -> None:
    assert read_day(text, order, latest=date.max) == THIRD_OF_APRIL
    assert told_order(text) is None
    assert not is_unclear(text)


@pytest.mark.parametrize("text", ["03/04/2026", "3-4-2026", "03.04.26", "3 4 2026", "03/04/2026 14:05"])
def test_ambiguous_dates_depend_on_the_order(text: str) -> None:
    assert read_day(text, DAY, latest=date.max) == THIRD_OF_APRIL
    assert read_day(text, MONTH, latest=date.max) == date(2026, 3, 4)
    assert read_day(text, None, latest=date.max) is None
    assert is_unclear(text)
    assert told_order(text) is None


@pytest.mark.parametrize(("text", "order"), [("13/04/2026", DAY), ("04/13/2026", MONTH), ("31-1-26", DAY)])
def test_some_dates_reveal_the_order_of_day_and_month(text: str, order: DateOrder) -> None:
    other = MONTH if order is DAY else DAY
    assert told_order(text) is order
    assert read_day(text, order, latest=date.max) is not None
    assert read_day(text, other, latest=date.max) is None


def test_equal_day_and_month_are_unambiguous() -> None:
    assert read_day("03/03/2026", None, latest=date.max) == date(2026, 3, 3)
    assert not is_unclear("03/03/2026")


@pytest.mark.parametrize(
    "text", ["", "31/02/2026", "2026-13-01", "2026-02-30", "45000", "mañana", "3 de brumario de 2026", "1/2", "1/2/3/4",
             "2026-04-03T25:00", "12:30", "99999999", "0/0/2026", "x" * 61]
)  # fmt: skip
def test_invalid_dates_are_none(text: str) -> None:
    assert read_day(text, DAY, latest=date.max) is None


def test_a_two_digit_year_is_the_last_one_before_the_latest_day() -> None:
    assert read_day("03/04/26", DAY, latest=date.max) == THIRD_OF_APRIL
    assert read_day("03/04/45", DAY, latest=date(2026, 11, 1)) == date(1945, 4, 3)


def test_an_ambiguous_century_of_a_birthday_is_an_error() -> None:
    today = date(2026, 11, 1)
    assert read_birthday("03/04/45", DAY, today=today) == date(1945, 4, 3)
    assert read_birthday("03/04/2012", DAY, today=today) == date(2012, 4, 3)
    assert read_birthday("2012-04-03", None, today=today) == date(2012, 4, 3)
    with pytest.raises(YearUnclear):
        read_birthday("03/04/12", DAY, today=today)
    assert read_birthday("x", DAY, today=today) is None


def test_a_date_with_a_time_is_a_datetime() -> None:
    assert read_moment("03/04/2026", DAY, latest=date.max) == THIRD_OF_APRIL
    assert read_moment("03/04/2026 14:05", DAY, latest=date.max) == datetime(2026, 4, 3, 14, 5)
    assert read_moment("03/04/2026 02:05:09 p. m.", DAY, latest=date.max) == datetime(2026, 4, 3, 14, 5, 9)
    assert read_moment("03/04/2026 12:05 a.m.", DAY, latest=date.max) == datetime(2026, 4, 3, 0, 5)
    assert read_moment("2026-04-03T14:05:00Z", None, latest=date.max) == datetime(2026, 4, 3, 14, 5, tzinfo=UTC)
    ahead = timezone(timedelta(hours=-6))
    assert read_moment("2026-04-03T14:05:00-06:00", None, latest=date.max) == datetime(2026, 4, 3, 14, 5, tzinfo=ahead)
    assert read_moment("03/04/2026 14:65", DAY, latest=date.max) is None
    assert read_moment("03/04/2026 14:05 pm", DAY, latest=date.max) is None
