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


def start_of(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which a day begins in the hospital, in UTC."""
    within = min(max(day, _FIRST), _LAST)
    return datetime.combine(within, time.min, zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which the next day begins, in UTC."""
    return start_of(min(day, _LAST) + timedelta(days=1), zone)
