"""Profile of the hospital for printed sheets and exported files."""

from dataclasses import dataclass
from datetime import time, tzinfo

from domain.shift import USUAL_STARTS, Shifts


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalProfile:
    """Letterhead (line by line), currency, time zone and shifts."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo
    shift_starts: tuple[time, ...] = USUAL_STARTS

    @property
    def shifts(self) -> Shifts:
        """Return the hospital's shifts."""
        return Shifts(self.shift_starts, self.zone)
