"""The hospital, as its paper and its files tell of it."""

from dataclasses import dataclass
from datetime import tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalProfile:
    """What stands above its paper, line by line, the currency that it reckons in, and its time zone."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo
