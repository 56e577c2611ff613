"""Stores of entities, including the audit log and imports."""

from collections.abc import Collection, Sequence
from typing import Protocol


class FormerRecordNumbers(Protocol):
    """Former record numbers from merges; they find the surviving patient."""

    def add(self, patient_id: int, number: str) -> None: ...

    def remove(self, number: str) -> None: ...

    def of(self, patient_id: int) -> list[str]:
        """Return the former numbers of a patient, the oldest first."""

    def whose(self, number: str) -> int | None:
        """Return the patient with that former number."""


class PatientKeys(Protocol):
    """Checks whether a text may be a patient's number or name."""

    def are_known(self, numbers: Sequence[str]) -> bool:
        """Return whether one is a current or former record or visit number.

        Leading zeros and surrounding stars are ignored, because a wristband may have them.
        """

    def have_shape(self, shapes: Collection[str]) -> bool:
        """Return whether a recent record number has one of the shapes.

        See ``domain.people.patient.number_shape``.
        """

    def is_name(self, words: Sequence[str]) -> bool:
        """Return whether the names of one patient contain all these words.

        Words have to match completely (``domain.common.text.person_words``).
        """
