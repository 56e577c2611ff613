"""Settings of the hospital, set by an administrator or the server."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import time
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from domain.common.errors import VersionConflict
from domain.hospital.use_reason import WASTE, UseReason
from domain.ward.shift import MAX_SHIFTS, MIN_SHIFTS, USUAL_STARTS

MAX_LETTERHEAD_LINES, MAX_LETTERHEAD_LENGTH = 6, 120
MAX_IDLE_MINUTES = 24 * 60

MAX_LOGO_BYTES = 200_000

_CURRENCY = re.compile(r"[A-Z]{3}")
# No currency, tests, metals and units of accounts.
_NO_CURRENCIES = {
    *("XXX", "XTS", "XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XBB", "XBC", "XBD"),
}
_NO_TIME_ZONES = {"localtime", "Factory"}
_START = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


class NumberFormat(StrEnum):
    """How amounts are written: as the language does, or always one way."""

    LANGUAGE = "language"
    # 1.250,00
    COMMA = "comma"
    # 1,250.00
    POINT = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalSettings:
    """Settings of the hospital; what is None is not set.

    ``letterhead`` are the lines of the letterhead after the name, the address and the tax number. ``idle_minutes`` is
    the time without input until the screen locks; 0 disables it. A line with a total above ``ask_above_total`` is asked
    about. ``billed_waste`` are the reasons of waste for which the patient is charged.
    """

    # There is one hospital.
    id: ClassVar[int] = 1

    name: str | None = None
    address: tuple[str, ...] | None = None
    tax_number: str | None = None
    letterhead: tuple[str, ...] | None = None
    time_zone: str | None = None
    currency: str | None = None
    number_format: NumberFormat | None = None
    idle_minutes: int | None = None
    ask_above_total: Decimal | None = None
    shift_starts: tuple[time, ...] | None = None
    billed_waste: tuple[UseReason, ...] | None = None

    def over(self, other: "HospitalSettings") -> "HospitalSettings":
        """Return these settings, with the other's where they are not set."""
        return replace(other, **{name: value for name, value in self.given.items() if value is not None})

    @property
    def given(self) -> dict[str, Any]:
        """Return the settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def names_set(self) -> frozenset[str]:
        """Return the names of what is set."""
        return frozenset(name for name, value in self.given.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Logo:
    """The hospital's logo: a PNG or JPEG image."""

    image: bytes
    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHospital:
    """What administrators have set, with the number of the change."""

    settings: HospitalSettings = HospitalSettings()
    logo: Logo | None = None
    # The number of the change that set or removed the logo.
    logo_version: int = 0
    version: int = 0

    def ensure_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``VersionConflict`` unless the caller expects this version."""
        if expected is not None and self.version not in expected:
            raise VersionConflict


DEFAULTS = HospitalSettings(
    name="",
    address=(),
    tax_number="",
    letterhead=(),
    time_zone="UTC",
    currency="USD",
    number_format=NumberFormat.LANGUAGE,
    idle_minutes=15,
    ask_above_total=Decimal("500.00"),
    shift_starts=USUAL_STARTS,
    billed_waste=WASTE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSettings:
    """The settings that apply: each has a value."""

    id: ClassVar[int] = HospitalSettings.id

    name: str
    address: tuple[str, ...]
    tax_number: str
    letterhead: tuple[str, ...]
    time_zone: str
    currency: str
    number_format: NumberFormat
    idle_minutes: int
    ask_above_total: Decimal
    shift_starts: tuple[time, ...]
    billed_waste: tuple[UseReason, ...]

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines at the head of paper."""
        lines = (self.name, *self.address, self.tax_number, *self.letterhead)
        return tuple(line for line in lines if line)


def effective(*settings: HospitalSettings) -> EffectiveSettings:
    """Return the settings that apply; the first ones win."""
    found = DEFAULTS
    for each in reversed(settings):
        found = each.over(found)
    return EffectiveSettings(**found.given)


def from_letterhead(lines: tuple[str, ...]) -> HospitalSettings:
    """Return the settings of a complete letterhead; the name comes first."""
    return HospitalSettings(name=lines[0] if lines else "", address=(), tax_number="", letterhead=lines[1:])


def is_letterhead(lines: tuple[str, ...]) -> bool:
    """Return whether number and length of the lines are within the limits."""
    return len(lines) <= MAX_LETTERHEAD_LINES and all(len(line) <= MAX_LETTERHEAD_LENGTH for line in lines)


def is_currency(text: str) -> bool:
    """Return whether the text has the form of an ISO 4217 currency."""
    return _CURRENCY.fullmatch(text) is not None and text not in _NO_CURRENCIES


def is_time_zone(text: str) -> bool:
    """Return whether the text is the IANA name of a time zone.

    Browsers know no file of the system that has no such name.
    """
    return text in available_timezones() - _NO_TIME_ZONES


def parse_shift_starts(texts: Iterable[str]) -> tuple[time, ...] | None:
    """Return the starts of shifts in order of time; None if invalid."""
    given = [text.strip() for text in texts]
    starts = {time.fromisoformat(text) for text in given if _START.fullmatch(text)}
    if len(starts) != len(given) or not MIN_SHIFTS <= len(starts) <= MAX_SHIFTS:
        return None
    return tuple(sorted(starts))


def parse_billed_waste(texts: Iterable[str]) -> tuple[UseReason, ...] | None:
    """Return the reasons, in their order; None for an unknown one."""
    known = {reason.value for reason in WASTE}
    asked = {text.strip() for text in texts}
    return tuple(reason for reason in WASTE if reason in asked) if asked <= known else None
