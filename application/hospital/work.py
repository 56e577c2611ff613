"""What the use cases of hospital read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.accounts import work as below
from application.hospital.ports import HospitalSettingsStore


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def hospital_settings(self) -> HospitalSettingsStore: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
