"""FHIR search parameters: tokens, strings, dates and references.

See FHIR R4, 3.1.1.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from domain.common.day import end_of, start_of
from domain.common.text import fold, is_storable

FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
# The column of closings is a 32-bit INTEGER.
MAX_TURN = 2**31 - 1
_INSTANT = timedelta(microseconds=1)
# An unencoded plus arrives as a blank.
_TIME = r"T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+ -]\d\d:\d\d)?"
_DATE = re.compile(
    r"(?P<prefix>eq|ne|gt|lt|ge|le|sa|eb)?"
    rf"(?P<year>\d{{4}})(-(?P<month>\d\d)(-(?P<day>\d\d)(?P<time>{_TIME})?)?)?",
    re.ASCII,
)


class BadSearch(Exception):
    """An unsupported search parameter.

    ``code`` names the sentence that says what to do, in ``searches`` of the texts.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code, self.params = code, params


class Period(NamedTuple):
    """A period of time, without its ``end``."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class SearchParameter:
    """A parameter of the query; its values are alternatives."""

    name: str
    modifier: str
    values: tuple[str, ...]

    def without_modifier(self) -> "SearchParameter":
        """Return the parameter. Raise ``BadSearch`` if it has a modifier."""
        if self.modifier:
            raise BadSearch("modifier_unsupported", name=self.name, modifier=self.modifier)
        return self


def split(name: str, value: str) -> SearchParameter:
    """Split a parameter at its commas; a comma in a value is sent as \\,."""
    base, _, modifier = name.partition(":")
    values = tuple(part.replace("\\,", ",") for part in re.split(r"(?<!\\),", value))
    if not all(values):
        raise BadSearch("value_empty", name=name)
    if not all(map(is_storable, values)):
        raise BadSearch("value_unstorable", name=name)
    return SearchParameter(base, modifier, values)


def text_test(given: SearchParameter) -> Callable[[Iterable[str | None]], bool]:
    """Return a test for texts that begin with a value.

    Case and accents are ignored. With the modifier ``contains`` the value may be anywhere in a text; with ``exact`` the
    text must be equal to it.
    """
    match given.modifier:
        case "":
            beginnings = tuple(fold(value) for value in given.values)
            return lambda texts: any(fold(text).startswith(beginnings) for text in texts if text)
        case "contains":
            wanted = [fold(value) for value in given.values]
            return lambda texts: any(
                one in folded for text in texts if text for folded in [fold(text)] for one in wanted
            )
        case "exact":
            return lambda texts: any(text in given.values for text in texts if text)
    raise BadSearch("text_modifier_unsupported", name=given.name, modifier=given.modifier)


Code = tuple[str | None, str | None]


def token_test(given: SearchParameter) -> Callable[[Iterable[Code]], bool]:
    """Return a test for codes.

    Values are ``code``, ``system|code``, ``system|`` or ``|code``.
    """
    codes: set[str] = set()
    systems: set[str | None] = set()
    both: set[Code] = set()
    for value in given.without_modifier().values:
        named, bar, code = value.rpartition("|")
        if not bar:
            codes.add(code)
        elif code:
            both.add((named or None, code))
        elif named:
            systems.add(named)

    def test(found: Iterable[Code]) -> bool:
        return any(code in codes or system in systems or (system, code) in both for system, code in found if code)

    return test


def only_code(given: SearchParameter, system: str | None) -> str | None:
    """Return the only code; None if there are several or of another system."""
    if len(given.values) != 1:
        return None
    named, bar, code = given.values[0].rpartition("|")
    return code or None if not bar or named == (system or "") else None


def reference_ids(given: SearchParameter, kind: str, server: str) -> frozenset[str]:
    """Return the ids of references to resources of this server.

    References are ``7``, ``Patient/7`` or an absolute URL. One of another server refers to nothing here.
    """
    modifier = given.modifier
    if modifier not in ("", kind):
        raise BadSearch("reference_modifier_unsupported", name=given.name, modifier=modifier, kind=kind)
    ids = set()
    for value in given.values:
        if "://" in value and not value.startswith(f"{server}/"):
            continue
        *before, last = value.removeprefix(f"{server}/").split("/")
        if before and before[-1] != kind:
            raise BadSearch("no_reference", name=given.name, value=value, kind=kind)
        ids.add(last)
    return frozenset(ids)


def number_of(id: str, beginning: str = "") -> int:
    """Return the number in an id after ``beginning``; 0 if it is no valid id."""
    digits = id.removeprefix(beginning)
    return int(digits) if id.startswith(beginning) and re.fullmatch(r"[1-9]\d{0,17}", digits) else 0


def turn_of(text: str) -> int:
    """Return the number of a closing; 0 if no closing can have it."""
    turn = number_of(text)
    return turn if turn <= MAX_TURN else 0


def date_test(given: SearchParameter, zone: tzinfo) -> Callable[[Period], bool]:
    """Return a test that compares a period with the dates of a parameter.

    The precision of a value is its own period.
    """
    tests = [_date_test(given.without_modifier().name, value, zone) for value in given.values]
    return lambda period: any(test(period) for test in tests)


def bounds(given: SearchParameter, zone: tzinfo) -> Period:
    """Return the period that contains every match of the parameter."""
    periods = []
    for value in given.without_modifier().values:
        prefix, period = _read(given.name, value, zone)
        low = period.start if prefix in ("eq", "ge", "gt", "sa") else datetime.min.replace(tzinfo=UTC)
        high = period.end if prefix in ("eq", "le", "lt", "eb") else FOREVER
        periods.append(Period(low, high))
    return Period(min(period.start for period in periods), max(period.end for period in periods))


def at(moment: datetime) -> Period:
    """Return the period of a moment."""
    return Period(moment, moment + _INSTANT)


def on(day: date, zone: tzinfo) -> Period:
    """Return the period of one of the hospital's days."""
    return Period(start_of(day, zone), end_of(day, zone))


def _date_test(name: str, value: str, zone: tzinfo) -> Callable[[Period], bool]:
    prefix, (low, high) = _read(name, value, zone)
    tests: dict[str, Callable[[Period], bool]] = {
        "eq": lambda period: low <= period.start and period.end <= high,
        "ne": lambda period: not (low <= period.start and period.end <= high),
        "gt": lambda period: period.end > high,
        "lt": lambda period: period.start < low,
        "ge": lambda period: period.end > high or (low <= period.start and period.end <= high),
        "le": lambda period: period.start < low or (low <= period.start and period.end <= high),
        "sa": lambda period: period.start >= high,
        "eb": lambda period: period.end <= low,
    }
    return tests[prefix]


def _read(name: str, value: str, zone: tzinfo) -> tuple[str, Period]:
    found = _DATE.fullmatch(value)
    try:
        if found is None:
            raise ValueError
        return found["prefix"] or "eq", _period(value.removeprefix(found["prefix"] or ""), found, zone)
    except (ValueError, OverflowError):
        raise BadSearch("no_date", name=name, value=value) from None


def _period(text: str, found: re.Match[str], zone: tzinfo) -> Period:
    year, month, on_day = int(found["year"]), int(found["month"] or 1), int(found["day"] or 1)
    first = date(year, month, on_day)
    if found["time"]:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        parts = found["time"].count(":") - (1 if re.search(r"[+ -]\d\d:\d\d$", found["time"]) else 0)
        length = _INSTANT if "." in text else timedelta(minutes=1) if parts == 1 else timedelta(seconds=1)
        return Period(moment.astimezone(UTC), moment.astimezone(UTC) + length)
    if found["day"]:
        following = first + timedelta(days=1)
    elif found["month"]:
        following = (first + timedelta(days=31)).replace(day=1)
    else:
        following = date(year + 1, 1, 1)
    return Period(start_of(first, zone), start_of(following, zone))
