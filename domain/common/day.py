"""Calendar days in the hospital's time zone."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

# No sheet has dates outside this range. Days at the ends of the calendar have no neighbour, and computing with them
# would overflow.
_FIRST, _LAST = date(1800, 1, 1), date(9000, 1, 1)


def day_of(moment: datetime, zone: tzinfo) -> date:
    """Return the hospital's day of a moment."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        # The moment is at the end of the calendar, and the hospital's day is outside it. Use the day in UTC.
        return moment.date()


def period_before(since: date, until: date) -> tuple[date, date] | None:
    """Return the period before one of these days, of the same length.

    Before whole months it is as many whole months. None if the calendar does not reach so far.
    """
    months = (until.year - since.year) * 12 + until.month - since.month + 1
    whole = since.day == 1 and months > 0 and _is_last_of_month(until)
    try:
        last = since - timedelta(days=1)
        if until < since:
            return since, last
        if not whole:
            return last - (until - since), last
        year, month = divmod(since.year * 12 + since.month - 1 - months, 12)
        return date(year, month + 1, 1), last
    except (OverflowError, ValueError):
        return None


def _is_last_of_month(day: date) -> bool:
    return day == date.max or (day + timedelta(days=1)).day == 1


def start_of(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which a day begins in the hospital, in UTC."""
    within = min(max(day, _FIRST), _LAST)
    return datetime.combine(within, time.min, zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which the next day begins, in UTC."""
    return start_of(min(day, _LAST) + timedelta(days=1), zone)
