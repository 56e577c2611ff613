"""Moments and days of HL7 v2 as they are read: whole, or not at all."""

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

# Of YYYY[MM[DD[HH[MM[SS[.S[S[S[S]]]]]]]]][+/-ZZZZ] what tells at least the day. Some senders write six decimals.
_MOMENT = re.compile(
    r"(\d{4})(\d\d)(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.(\d{1,6}))?)?)?)?(?:([+-])(\d\d)(\d\d))?", re.ASCII
)
# The zones that there are.
_MAX_OFFSET = timedelta(hours=14)
# In the first and the last year of the calendar some zones have no such moment.
_MIN_YEAR, _MAX_YEAR = 2, 9998


def parse_moment(text: str, zone: tzinfo) -> datetime | None:
    """The moment in UTC, in ``zone`` if the text names none; None unless all of the text is a moment of every zone."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    *numbers, fraction, sign, hours, minutes = found.groups()
    offset: tzinfo = zone
    if sign:
        away = timedelta(hours=int(hours), minutes=int(minutes))
        if away > _MAX_OFFSET or int(minutes) > 59:
            return None
        offset = timezone(-away if sign == "-" else away)
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    try:
        local = datetime(year, month, day, hour, minute, second, int((fraction or "").ljust(6, "0")), offset)
        moment = local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if _MIN_YEAR <= moment.year <= _MAX_YEAR else None


def parse_day(text: str) -> date | None:
    """The day, as the text tells it in its own zone; None unless all of the text is a moment."""
    return date(int(text[:4]), int(text[4:6]), int(text[6:8])) if parse_moment(text, UTC) else None
