"""Parse dates: 2026-04-03, 03/04/2026, 3 de abril de 2026, 03-Apr-26.

Whether the day or the month comes first applies to the whole file. Some dates show it, such as ``13/04/2026``, and some
do not, such as ``03/04/2026``.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import StrEnum
from functools import lru_cache

from domain.common.text import fold


class DateOrder(StrEnum):
    """Which part comes first in 03/04/2026."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class YearUnclear(Exception):
    """The year has two digits, and both centuries are possible."""


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "ene enero jan january",
            "feb febrero february",
            "mar marzo march",
            "abr abril apr april",
            "may mayo",
            "jun junio june",
            "jul julio july",
            "ago agosto aug august",
            "sep sept set septiembre setiembre september",
            "oct octubre october",
            "nov noviembre november",
            "dic diciembre dec december",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TIME = re.compile(
    r"[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"(?: ?(?P<half>[ap])\.? ?m\.?)?(?: ?(?P<zone>z|[+-]\d{2}:?\d{2}))?$",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_NUMERIC = re.compile(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})")
_DAY_AND_NAME = re.compile(rf"(\d{{1,2}})[ \-/.]*(?:de )?({_MONTH})[ \-/.,]*(?:del? )?(\d{{4}}|\d{{2}})")
_NAME_AND_DAY = re.compile(rf"({_MONTH})[ \-/.]*(\d{{1,2}})(?:st|nd|rd|th)?[ ,\-/.]+(\d{{4}}|\d{{2}})")
_WEEKDAY = re.compile(
    r"^(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[, ]+"
)
_MAX_LENGTH = 60
# Each date is parsed for several questions, and in most columns the same dates are frequent, so results are cached.
_CACHE_SIZE = 4_096


def read_day(text: str, order: DateOrder | None, *, latest: date) -> date | None:
    """Parse a date, or return None.

    The result is None if the text is not a date, or if it would depend on a missing ``order``. A year of two digits is
    in this century unless the date would be after ``latest``.
    """
    found = _parts(text)
    return found and _day_of(found[0], order, latest)


def read_birthday(text: str, order: DateOrder | None, *, today: date) -> date | None:
    """Parse a date of birth.

    Raise ``YearUnclear`` for a year of two digits that is possible in both centuries: 12 may mean 1912 or 2012.
    """
    found = _parts(text)
    if found is None:
        return None
    day = _day_of(found[0], order, today)
    year = found[0][-1]
    if day and len(year) == len("26") and day.year >= _CENTURY and today.year - day.year + _CENTURY_YEARS <= _OLDEST:
        raise YearUnclear
    return day


_CENTURY, _CENTURY_YEARS, _OLDEST = 2000, 100, 125


def read_moment(text: str, order: DateOrder | None, *, latest: date) -> date | datetime | None:
    """Parse a date with an optional time.

    The moment has a time zone only if the text has one.
    """
    found = _parts(text)
    if found is None:
        return None
    day = _day_of(found[0], order, latest)
    if day is None:
        return None
    clock, zone = found[1], found[2]
    return day if clock is None else datetime.combine(day, clock, zone)


def told_order(text: str) -> DateOrder | None:
    """Return the date order that the text proves, or None."""
    numeric = _numeric(text)
    if numeric is None:
        return None
    first, second = numeric
    if first > _MAX_MONTHS >= second:
        return DateOrder.DAY_FIRST
    if second > _MAX_MONTHS >= first:
        return DateOrder.MONTH_FIRST
    return None


def is_unclear(text: str) -> bool:
    """Return whether the text gives different dates in the two orders.

    An example is ``03/04/2026``.
    """
    numeric = _numeric(text)
    return numeric is not None and numeric[0] != numeric[1] and max(numeric) <= _MAX_MONTHS


_MAX_MONTHS = 12

# (month, day, year), or (first, second, separator, year) if the order is unknown. The year is as written.
_Parts = tuple[str, ...]


def _numeric(text: str) -> tuple[int, int] | None:
    found = _parts(text)
    if found is None or len(found[0]) != len(("first", "second", "/", "year")):
        return None
    return int(found[0][0]), int(found[0][1])


@lru_cache(_CACHE_SIZE)
def _parts(text: str) -> tuple[_Parts, time | None, timezone | None] | None:
    if not 0 < len(text) <= _MAX_LENGTH:
        return None
    text = _WEEKDAY.sub("", fold(text))
    time_of_day, zone = None, None
    clock = _TIME.search(text)
    if clock:
        time_of_day, zone = _time_of(clock), _zone_of(clock["zone"])
        if time_of_day is None:
            return None
        text = text[: clock.start()]
    if match := _YEAR_FIRST.fullmatch(text):
        return (match[3], match[4], match[1]), time_of_day, zone
    if match := _COMPACT.fullmatch(text):
        return (match[2], match[3], match[1]), time_of_day, zone
    if match := _NUMERIC.fullmatch(text):
        return (match[1], match[3], match[2], match[4]), time_of_day, zone
    if match := _DAY_AND_NAME.fullmatch(text):
        return (str(_MONTHS[match[2]]), match[1], match[3]), time_of_day, zone
    if match := _NAME_AND_DAY.fullmatch(text):
        return (str(_MONTHS[match[1]]), match[2], match[3]), time_of_day, zone
    return None


def _day_of(parts: _Parts, order: DateOrder | None, latest: date) -> date | None:
    if len(parts) == len(("month", "day", "year")):
        month, day, year = parts
    else:
        first, second, _, year = parts
        if order is None and int(first) != int(second):
            return None
        month, day = (first, second) if order is DateOrder.MONTH_FIRST else (second, first)
    number = int(year)
    try:
        if len(year) == len("26"):
            of_this_century = date(_CENTURY + number, int(month), int(day))
            return of_this_century if of_this_century <= latest else date(1900 + number, int(month), int(day))
        return date(number, int(month), int(day))
    except ValueError:
        return None


def _time_of(clock: re.Match[str]) -> time | None:
    hour, half = int(clock["hour"]), clock["half"]
    if half and not 1 <= hour <= _MAX_MONTHS:
        return None
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    try:
        return time(hour, int(clock["minute"]), int(clock["second"] or 0))
    except ValueError:
        return None


def _zone_of(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text.lower() == "z":
        return UTC
    sign = -1 if text[0] == "-" else 1
    ahead = sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
    return timezone(ahead) if abs(ahead) < timedelta(days=1) else UTC
