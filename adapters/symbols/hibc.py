"""HIBC barcodes (ANSI/HIBC 2.6): product, lot, expiry, serial number.

Lot, expiry and serial number are in the secondary data.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

from application.common.scanning import ScanResult
from domain.scanning.hibc import is_checked

_TOGETHER = re.compile(r"(\+[A-Z][A-Z0-9]{3,22})/(.+)")
_SECONDARY_ALONE = re.compile(r"\+(\$|[0-9]{5})")
_VALUE = r"(?P<value>[A-Z0-9. $%-]{0,20})"
# The patterns of a data part, with the name of its value. In a date, the digit before it selects its format.
_PARTS = [
    (re.compile(pattern), name)
    for pattern, name in (
        (
            r"\$\$(?P<serial>\+?)(?:8(?P<two>[0-9]{2})|9(?P<five>[0-9]{5}))?"
            r"(?:2(?P<mmddyy>[0-9]{6})|3(?P<yymmdd>[0-9]{6})|4(?P<yymmddhh>[0-9]{8})|5(?P<yyjjj>[0-9]{5})"
            rf"|6(?P<yyjjjhh>[0-9]{{7}})|7|(?P<mmyy>[01][0-9]{{3}})){_VALUE}",
            "lot",
        ),
        (rf"\$(?P<serial>\+?){_VALUE}", "lot"),
        (rf"(?P<yyjjj>[0-9]{{5}}){_VALUE}", "lot"),
        (rf"S{_VALUE}", "serial"),
        (r"14D(?P<yyyymmdd>[0-9]{8})", ""),
        (r"16D[0-9]{8}", ""),
        (r"Q(?P<five>[0-9]{1,5})", ""),
    )
]


def read_hibc(text: str) -> ScanResult:
    """Parse a text that begins with +.

    A symbol without secondary data is a code as a whole.
    """
    symbol = text.upper()
    if not is_checked(symbol) and is_checked(symbol + " "):
        # The check character is a blank, which was stripped as trailing whitespace.
        symbol += " "
    together = _TOGETHER.fullmatch(symbol)
    if together:
        # The last character is the check character of the whole symbol.
        return _read(text, together[1], together[2][:-1], is_right=is_checked(symbol))
    if _SECONDARY_ALONE.match(symbol):
        # Before its own check character, secondary data has the link character: the check character of the primary
        # symbol.
        return _read(text, None, symbol[1:-2], is_right=is_checked(symbol))
    return ScanResult(text=text, hibc=text)


def _read(text: str, primary: str | None, data: str, *, is_right: bool) -> ScanResult:
    values: dict[str, Any] = {}
    incomplete = separator_lost = False
    parts = data.split("/")
    for place, part in enumerate(parts):
        found, name = next(((match, name) for kind, name in _PARTS if (match := kind.fullmatch(part))), (None, ""))
        if not is_right and name and place == len(parts) - 1:
            # A wrong check character may belong to the last part. A lot then needs confirmation; any other part is left
            # out.
            separator_lost = place == 0
            found = found if separator_lost else None
        incomplete = incomplete or found is None
        if found:
            values = {**_part_values(found.groupdict(), name), **values}
    return ScanResult(text=text, hibc=primary, **values, incomplete=incomplete, separator_lost=separator_lost)


def _part_values(part: dict[str, str | None], name: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if part.get("value"):
        values["serial" if part.get("serial") else name] = part["value"]
    count = int(part.get("two") or part.get("five") or 0)
    if count:
        values["count"] = count
    written = [(form, figures) for form, figures in part.items() if figures and form[0] in "my"]
    for form, figures in written:
        expiry = _day(form, figures)
        values |= {"expiry": expiry, "expiry_unreadable": expiry is None}
    return values


def _day(form: str, figures: str) -> date | None:
    """Parse a date; a month means its last day. None if it is invalid."""
    if form == "mmyy":
        year, month = full_year(int(figures[2:])), int(figures[:2])
        first = _date(year + month // 12, month % 12 + 1, 1) if 1 <= month <= 12 else None
        return first - timedelta(days=1) if first else None
    if form == "yyyymmdd":
        return _date(int(figures[:4]), int(figures[4:6]), int(figures[6:]))
    if form.startswith("yyjjj"):
        first = _date(full_year(int(figures[:2])), 1, 1)
        day = first + timedelta(days=int(figures[2:5]) - 1) if first else None
        return day if day and first and day.year == first.year else None
    if form == "mmddyy":
        figures = figures[4:] + figures[:4]
    return _date(full_year(int(figures[:2])), int(figures[2:4]), int(figures[4:6]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def full_year(figures: int) -> int:
    """Expand a two-digit year: from 49 years ago to 50 years ahead."""
    now = datetime.now(tz=UTC).year
    return now - 49 + (figures - (now - 49)) % 100
