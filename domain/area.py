"""The hospital's areas: wards, theatres, services."""

from dataclasses import dataclass

# PV1-3 is no longer in HL7 v2.
CODE_LENGTH = 80


@dataclass(slots=True, kw_only=True)
class Area:
    """A part of the hospital; its name is unique."""

    id: int = 0
    name: str
    # As the hospital's system calls it.
    code: str | None = None
