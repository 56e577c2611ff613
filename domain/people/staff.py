"""Staff members."""

from dataclasses import dataclass
from datetime import date


@dataclass(slots=True, kw_only=True)
class Staff:
    """A staff member; the profile of at most one user."""

    id: int = 0
    name: str
    first_surname: str
    second_surname: str | None = None
    telephone_number: str | None = None
    job_title: str | None = None
    date_of_birth: date | None = None
