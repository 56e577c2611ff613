"""Shifts: the shift of a moment, its beginning and end, and clock changes."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.ward.shift import Shifts

MADRID = ZoneInfo("Europe/Madrid")
THREE = (time(6), time(14), time(22))


def shifts(*starts: time, zone: ZoneInfo = MADRID) -> Shifts:
    return Shifts(starts or THREE, zone)


def madrid(shown: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(shown).replace(tzinfo=MADRID, fold=fold).astimezone(UTC)


def test_shifts_are_named_by_their_hours() -> None:
    assert [one.name for one in shifts()] == ["06:00–14:00", "14:00–22:00", "22:00–06:00"]
    assert [one.index for one in shifts()] == [0, 1, 2]


@pytest.mark.parametrize(
    ("shown", "index", "since", "until"),
    [
        ("2026-11-26T05:59:59", 2, "2026-11-25T22:00", "2026-11-26T06:00"),
        ("2026-11-26T06:00", 0, "2026-11-26T06:00", "2026-11-26T14:00"),
        ("2026-11-26T13:59", 0, "2026-11-26T06:00", "2026-11-26T14:00"),
        ("2026-11-26T14:00", 1, "2026-11-26T14:00", "2026-11-26T22:00"),
        ("2026-11-26T22:00", 2, "2026-11-26T22:00", "2026-11-27T06:00"),
        ("2026-11-26T00:00", 2, "2026-11-25T22:00", "2026-11-26T06:00"),
    ],
)
def test_a_moment_belongs_to_one_shift(shown: str, index: int, since: str, until: str) -> None:
    worked = shifts().at(madrid(shown))
    assert (worked.shift.index, worked.since, worked.until) == (index, madrid(since), madrid(until))
    assert [one.includes(madrid(shown)) for one in shifts()].count(True) == 1


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 7), ("2026-10-25", 9), ("2026-11-26", 8)])
def test_the_night_of_a_clock_change_is_one_shift(day: str, hours: int) -> None:
    worked = shifts().at(madrid(f"{day}T05:00"))
    assert worked.until - worked.since == timedelta(hours=hours)
    moment = worked.since
    while moment < worked.until:
        assert shifts().at(moment) == worked
        moment += timedelta(minutes=10)
    assert shifts().at(moment).since == worked.until


def test_a_skipped_start_is_the_clock_change() -> None:
    # At 02:00 the clock is set to 03:00.
    worked = shifts(time(2, 30), time(14)).at(madrid("2026-03-29T03:10"))
    assert (worked.shift.index, worked.since) == (0, madrid("2026-03-29T03:00"))
    assert shifts(time(2, 30), time(14)).at(madrid("2026-03-29T01:59")).until == madrid("2026-03-29T03:00")


def test_a_repeated_start_begins_the_shift_at_its_first() -> None:
    worked = shifts(time(2, 30), time(14)).at(madrid("2026-10-25T02:40", fold=1))
    assert worked.since == madrid("2026-10-25T02:30")


def test_a_start_at_midnight_has_its_own_day() -> None:
    worked = shifts(time(0), time(12)).at(madrid("2026-11-26T00:00"))
    assert (worked.since, worked.until) == (madrid("2026-11-26T00:00"), madrid("2026-11-26T12:00"))
    assert shifts(time(0), time(12)).at(madrid("2026-11-26T23:59")).until == madrid("2026-11-27T00:00")


@pytest.mark.parametrize(
    ("shown", "since"),
    [
        ("2026-11-26T06:00", "2026-11-25T22:00"),
        ("2026-11-26T07:59", "2026-11-25T22:00"),
        ("2026-11-26T08:00", "2026-11-26T06:00"),
    ],
)
def test_a_shift_is_handed_over_for_two_hours(shown: str, since: str) -> None:
    assert shifts().to_hand_over(madrid(shown)).since == madrid(since)
    assert shifts().before(shifts().at(madrid(shown))).since == madrid("2026-11-25T22:00")


def test_the_shift_before_a_skipped_start_is_the_night() -> None:
    starts = (time(2, 30), time(14))
    present = shifts(*starts).at(madrid("2026-03-29T03:10"))
    assert shifts(*starts).before(present).until == present.since
