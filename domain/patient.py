"""Who is admitted."""

from dataclasses import dataclass
from datetime import date

from domain.text import fold, fold_code


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


def patient_text(name: str, first_surname: str, second_surname: str | None, record_number: str | None) -> str:
    """What searches look at: all names, and the record number as it is written and without hyphens and blanks."""
    text = fold(f"{name} {first_surname} {second_surname or ''} {record_number or ''}")
    code = fold_code(record_number or "")
    return text if code in text else f"{text} {code}"
