"""The hospital's data for printed paper and files."""

from dataclasses import dataclass
from datetime import tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalProfile:
    """The letterhead lines, the currency and the time zone."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo
