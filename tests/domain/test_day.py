"""The hospital's day: its start and end across changes of the clock."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.common.day import day_of, end_of, period_before, start_of

ZONES = [
    "UTC",
    "America/Mexico_City",
    "Europe/Madrid",
    "America/New_York",
    "America/Sao_Paulo",  # changed the clock at midnight: some days began at 01:00
    "America/Havana",  # sets the clock back at 01:00: midnight occurs twice on some days
    "Asia/Kathmandu",  # 5:45 ahead
    "Pacific/Kiritimati",  # 14 hours ahead
    "Etc/GMT+12",
]


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("UTC", "2026-03-10T23:59:59.999999+00:00", "2026-03-10"),
        ("America/Mexico_City", "2026-03-11T05:59:59+00:00", "2026-03-10"),
        ("America/Mexico_City", "2026-03-11T06:00:00+00:00", "2026-03-11"),
        ("Europe/Madrid", "2026-03-28T23:00:00+00:00", "2026-03-29"),
        ("Europe/Madrid", "2026-03-29T21:59:59+00:00", "2026-03-29"),
        ("Europe/Madrid", "2026-03-29T22:00:00+00:00", "2026-03-30"),
        ("Pacific/Kiritimati", "2026-03-10T10:00:00+00:00", "2026-03-11"),
        ("UTC", "2026-03-10T22:00:00-06:00", "2026-03-11"),
    ],
)
def test_a_time_belongs_to_the_local_day_of_the_hospital(zone: str, moment: str, day: str) -> None:
    assert day_of(datetime.fromisoformat(moment), ZoneInfo(zone)) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("zone", "day", "begins", "hours"),
    [
        ("UTC", "2026-03-29", "2026-03-29T00:00", 24),
        ("Europe/Madrid", "2026-03-29", "2026-03-28T23:00", 23),
        ("Europe/Madrid", "2026-10-25", "2026-10-24T22:00", 25),
        ("America/Mexico_City", "2026-04-05", "2026-04-05T06:00", 24),
        ("America/New_York", "2026-11-01", "2026-11-01T04:00", 25),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", 23),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00", 25),
        ("Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15", 24),
    ],
)
def test_a_day_begins_at_local_midnight_and_has_23_to_25_hours(zone: str, day: str, begins: str, hours: int) -> None:
    place, that_day = ZoneInfo(zone), date.fromisoformat(day)
    assert start_of(that_day, place) == datetime.fromisoformat(begins).replace(tzinfo=UTC)
    assert end_of(that_day, place) - start_of(that_day, place) == timedelta(hours=hours)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from(ZONES))
@settings(max_examples=200)
def test_day_start_and_end_enclose_exactly_one_day(day: date, zone: str) -> None:
    place = ZoneInfo(zone)
    begins, ends = start_of(day, place), end_of(day, place)
    if begins == ends:  # a day that the zone skipped when it moved across the date line
        return
    assert day_of(begins, place) == day == day_of(ends - timedelta(microseconds=1), place)
    assert day_of(begins - timedelta(microseconds=1), place) < day
    assert ends == start_of(day + timedelta(days=1), place)


def test_a_day_skipped_by_a_zone_is_empty() -> None:
    apia = ZoneInfo("Pacific/Apia")
    assert start_of(date(2011, 12, 30), apia) == end_of(date(2011, 12, 30), apia)


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))])
def test_the_first_and_last_dates_enclose_all_times(zone: timezone) -> None:
    assert start_of(date.min, zone) < datetime(1900, 1, 1, tzinfo=UTC) < end_of(date.max, zone)
    assert end_of(date.min, zone) < datetime(1900, 1, 1, tzinfo=UTC) < start_of(date.max, zone)


def test_the_start_of_a_day_is_in_utc() -> None:
    assert start_of(date(2026, 1, 1), ZoneInfo("Europe/Madrid")).tzinfo is UTC


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2026-11-26", "2026-11-26", ("2026-11-25", "2026-11-25")),
        ("2026-11-20", "2026-11-26", ("2026-11-13", "2026-11-19")),
        ("2026-11-01", "2026-11-30", ("2026-10-01", "2026-10-31")),
        ("2026-03-01", "2026-03-31", ("2026-02-01", "2026-02-28")),
        ("2026-01-01", "2026-03-31", ("2025-10-01", "2025-12-31")),
        ("2026-01-01", "2026-12-31", ("2025-01-01", "2025-12-31")),
        ("2026-11-01", "2026-11-26", ("2026-10-06", "2026-10-31")),
        ("9999-12-01", "9999-12-31", ("9999-11-01", "9999-11-30")),
        ("2026-11-26", "2026-11-20", ("2026-11-26", "2026-11-25")),
        ("0001-01-02", "0001-01-03", None),
        ("0001-01-01", "0001-01-31", None),
    ],
)
def test_the_period_before_is_as_long_or_whole_months(since: str, until: str, expected: tuple[str, str] | None) -> None:
    found = period_before(date.fromisoformat(since), date.fromisoformat(until))
    assert found == (expected and tuple(map(date.fromisoformat, expected)))
