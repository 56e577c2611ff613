"""Calendar months: their days, and when they may be closed."""

from datetime import date, datetime, timedelta, tzinfo

from domain.common.day import end_of

# Servers' clocks differ by less than this, so that a line of the month is never recorded after its closing was read.
_GRACE = timedelta(hours=1)


def parse_month(text: str) -> date | None:
    """Return the first day of a month such as ``2026-10``, or None."""
    year, _, month = text.partition("-")
    if len(year) != 4 or len(month) != 2 or not (year + month).isascii() or not (year + month).isdigit():
        return None
    try:
        return date(int(year), int(month), 1)
    except ValueError:
        return None


def last_day_of(month: date) -> date:
    """Return the last day of a month; ``month`` is its first one."""
    if month.month == 12:
        return date(month.year, 12, 31)
    return date(month.year, month.month + 1, 1) - timedelta(days=1)


def may_close_from(month: date, zone: tzinfo) -> datetime:
    """Return the moment from which a month may be closed."""
    return end_of(last_day_of(month), zone) + _GRACE


def month_before(month: date) -> date:
    """Return the first day of the month before."""
    return (month.replace(day=1) - timedelta(days=1)).replace(day=1)
