"""What the use cases of people read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.audit import work as below
from application.common.stores import Store
from application.common.views import NamedReader, View
from application.people.imported_stores import Imports
from application.people.ports import PatientNumbers
from application.people.stores import FormerRecordNumbers, PatientKeys
from application.people.views import PatientQuery, PatientView, StaffQuery, StaffView
from domain.catalogue.room import Room
from domain.people.patient import Patient
from domain.people.staff import Staff


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def patients(self) -> NamedReader[PatientView, PatientQuery]: ...
    @property
    def staff(self) -> View[StaffView, StaffQuery]: ...
    def patients_numbered(self, number: str) -> dict[int, int]:
        """Return the patients with that current or former record number.

        Each is mapped to the surviving patient.
        """

    @property
    def patient_numbers(self) -> PatientNumbers: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def patients(self) -> Store[Patient]: ...
    @property
    def staff(self) -> Store[Staff]: ...
    @property
    def patient_keys(self) -> PatientKeys: ...
    @property
    def former_record_numbers(self) -> FormerRecordNumbers: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def rooms(self) -> Store[Room]: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
