"""What the use cases of scanning read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.accounts import work as below
from application.scanning.ports import KnownClosings, UnknownCodes


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def closings(self) -> KnownClosings: ...
    def has_document(self, number: int, turn: int, *, with_months: bool) -> bool:
        """Return whether a document with this number and version was issued.

        It is an account or, ``with_months``, a month.
        """

    def has_contingency_form(self, number: int) -> bool:
        """Return whether a contingency form has this number."""


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def unknown_codes(self) -> UnknownCodes: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
