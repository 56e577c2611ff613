"""Strict parsing of dates and times in HL7 v2 and in ISO 8601."""

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

# YYYY[MM[DD[HH[MM[SS[.S[S[S[S]]]]]]]]][+/-ZZZZ] with at least the day. Some senders write six decimals, or milliseconds
# without a point.
_MOMENT = re.compile(
    r"(\d{4})(\d\d)(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d{3})|\.(\d{1,6}))?)?)?)?(?:([+-])(\d\d)(\d\d))?",
    re.ASCII,
)
# YYYY-MM-DD[(T| )HH:MM[:SS[.S…]]][Z|+/-ZZ[:]ZZ]: no HL7 form, but some senders write it.
_ISO_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?",
    re.ASCII,
)
# The largest UTC offset in use.
_MAX_OFFSET = timedelta(hours=14)
# In the first and the last year of the calendar, some time zones cannot represent each moment.
_MIN_YEAR, _MAX_YEAR = 2, 9998


def parse_moment(text: str, zone: tzinfo) -> datetime | None:
    """Parse a moment to UTC; ``zone`` applies if the text has no offset.

    None unless the whole text is a moment that is valid in every zone.
    """
    if found := _MOMENT.fullmatch(text):
        *numbers, milliseconds, decimals, sign, hours, minutes = found.groups()
        fraction, utc = milliseconds or decimals, None
    elif found := _ISO_MOMENT.fullmatch(text):
        *numbers, fraction, utc, sign, hours, minutes = found.groups()
    else:
        return None
    offset: tzinfo = UTC if utc else zone
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
    """Parse the day in the text's own zone; None unless the text is a moment."""
    digits = text.replace("-", "", 2) if _ISO_MOMENT.fullmatch(text) else text
    return date(int(digits[:4]), int(digits[4:6]), int(digits[6:8])) if parse_moment(text, UTC) else None
