"""Profile of the hospital for printed sheets and exported files."""

from dataclasses import dataclass
from datetime import time, tzinfo

from domain.hospital.settings import EffectiveSettings, Logo, NumberFormat
from domain.ward.shift import USUAL_STARTS, Shifts


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalProfile:
    """Letterhead (line by line), logo, currency, time zone and shifts."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo
    shift_starts: tuple[time, ...] = USUAL_STARTS
    logo: Logo | None = None
    logo_version: int = 0
    number_format: NumberFormat = NumberFormat.LANGUAGE
    is_demonstration: bool = False

    @property
    def shifts(self) -> Shifts:
        """Return the hospital's shifts."""
        return Shifts(self.shift_starts, self.zone)


def profile_of(settings: EffectiveSettings, logo: Logo | None, logo_version: int = 0) -> HospitalProfile:
    """Return the profile for these settings."""
    return HospitalProfile(
        letterhead=settings.lines,
        currency=settings.currency,
        zone=settings.zone,
        shift_starts=settings.shift_starts,
        logo=logo,
        logo_version=logo_version,
        number_format=settings.number_format,
    )
