"""Who is admitted."""

from dataclasses import dataclass
from datetime import date


@dataclass(slots=True, kw_only=True)
class Patient:
    """A person who is or was admitted. ``record_number`` is the hospital's own and unique."""

    id: int = 0
    name: str
    first_surname: str
    second_surname: str | None = None
    date_of_birth: date | None = None
    active: bool = True
    record_number: str | None = None
