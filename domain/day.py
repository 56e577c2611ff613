"""Which day a moment belongs to: the hospital's day, in its time zone."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

# No sheet lies beyond these; days near the calendar's ends have no neighbour to reckon with.
_FIRST, _LAST = date(1800, 1, 1), date(9000, 1, 1)


def day_of(moment: datetime, zone: tzinfo) -> date:
    """The day on which that moment is in the hospital."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        # The calendar ends between that day and the one of UTC.
        return moment.date()


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment at which that day begins in the hospital, in UTC."""
    within = min(max(day, _FIRST), _LAST)
    return datetime.combine(within, time.min, zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The moment at which the day after begins."""
    return start_of(min(day, _LAST) + timedelta(days=1), zone)
