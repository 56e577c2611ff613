"""Compare names of patients and separate surnames."""

from collections.abc import Mapping
from dataclasses import replace

from application.entities import PATIENT
from domain.interop.external_record import Value
from domain.patient import Patient
from domain.text import fold

# Words in a surname that do not count as a surname of their own.
PARTICLES = frozenset(
    {"de", "del", "la", "las", "lo", "los", "y", "e", "i", "da", "das", "do", "dos", "di", "du", "van", "von", "der"}
)

names_key = PATIENT.keys["full_name"]


def without_repeated_surname(person: Mapping[str, Value]) -> dict[str, Value]:
    """Remove the second surname from the end of the first (see PID-5)."""
    words, ending = (person["first_surname"] or "").split(), (person["second_surname"] or "").split()
    length = len(words) - len(ending)
    is_repeated = ending and length > 0 and fold(" ".join(words[length:])) == fold(" ".join(ending))
    # In “Cruz de la Rosa”, no surname ends before “Rosa”.
    if not is_repeated or fold(words[length - 1]) in PARTICLES:
        return dict(person)
    return dict(person) | {"first_surname": " ".join(words[:length])}


def may_be_called_alike(one: Patient, other: Patient) -> bool:
    """Return whether two patients may have the same names.

    One of them may lack the second surname.
    """
    without_second = [names_key(replace(patient, second_surname=None)) for patient in (one, other)]
    is_partial = not (one.second_surname and other.second_surname)
    return bool(names_key(one) == names_key(other)) or (is_partial and without_second[0] == without_second[1])
