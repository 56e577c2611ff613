"""Find patients by their numbers."""

from collections.abc import Collection
from typing import NamedTuple, Protocol

from application.people.scanned_views import ScannedPersonView


class NumberOwner(NamedTuple):
    """The owner of a number: a patient, or a sheet of that patient."""

    patient_id: int
    sheet_id: int | None


class PatientNumbers(Protocol):
    """Finds patients by scanned numbers and labels.

    For a merged patient the surviving one is returned.
    """

    def owners_of(self, number: str) -> list[NumberOwner]:
        """Return the owners of a record, former or visit number.

        Case is ignored.
        """

    def having_code(self, code: str) -> list[NumberOwner]:
        """Return the owners of a record number written without separators.

        See ``domain.people.patient.number_code``.
        """

    def of_patient(self, patient_id: int) -> list[NumberOwner]:
        """Return that patient."""

    def of_sheet(self, sheet_id: int) -> list[NumberOwner]:
        """Return the patient of a sheet."""

    def people(self, owners: Collection[NumberOwner]) -> list[ScannedPersonView]:
        """Return these patients, each once, by id."""
