"""Compare names of patients."""

from dataclasses import replace

from application.common.entities import PATIENT
from domain.people.patient import Patient

names_key = PATIENT.keys["full_name"]


def may_be_called_alike(one: Patient, other: Patient) -> bool:
    """Return whether two patients may have the same names.

    One of them may lack the second surname.
    """
    without_second = [names_key(replace(patient, second_surname=None)) for patient in (one, other)]
    is_partial = not (one.second_surname and other.second_surname)
    return bool(names_key(one) == names_key(other)) or (is_partial and without_second[0] == without_second[1])
