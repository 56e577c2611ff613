"""Calendar months: their days, and when they may be closed."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo

from domain.common.day import end_of

_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
# Servers' clocks differ by less than this, so that a line of the month is never recorded after its closing was read.
_GRACE = timedelta(hours=1)


def parse_month(text: str) -> date | None:
    """Return the first day of a month such as ``2026-10``, or None.

    The last month of the calendar is none: no day follows on which it could be closed.
    """
    found = _MONTH.fullmatch(text)
    if not found:
        return None
    year, month = map(int, found.groups())
    is_month = year > 0 and 1 <= month <= 12 and (year, month) != (date.max.year, 12)
    return date(year, month, 1) if is_month else None


def month_name(month: date) -> str:
    """Return the month as it is written, such as ``2026-10``."""
    return month.isoformat()[:7]


def last_day_of(month: date) -> date:
    """Return the last day of a month; ``month`` is its first one."""
    if month.month == 12:
        return date(month.year, 12, 31)
    return date(month.year, month.month + 1, 1) - timedelta(days=1)


def may_close_from(month: date, zone: tzinfo) -> datetime:
    """Return the moment from which a month may be closed."""
    return end_of(last_day_of(month), zone) + _GRACE


def months_until(month: date) -> Iterator[date]:
    """Yield the first day of a month and of those before, the latest first."""
    while True:
        yield month
        if month == date.min:
            return
        month = (month - timedelta(days=1)).replace(day=1)
