"""Profile of the hospital for printed sheets and exported files."""

from dataclasses import dataclass
from datetime import tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalProfile:
    """Letterhead (line by line), currency and time zone."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo
