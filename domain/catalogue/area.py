"""Areas of the hospital: wards, theatres, services."""

from dataclasses import dataclass

# As long as PV1-3 in HL7 v2.
CODE_LENGTH = 80


@dataclass(slots=True, kw_only=True)
class Area:
    """A part of the hospital; its name is unique."""

    id: int = 0
    name: str
    # The code of the area in the hospital's system.
    code: str | None = None
