"""The unit of work and the read models of all topics, as adapters provide them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.closing import work as closing
from application.hospital import work as hospital
from application.imports import work as imports
from application.reports import work as reports


class Views(closing.Views, imports.Views, reports.Views, Protocol):
    """Everything that can be read."""


class UnitOfWork(closing.UnitOfWork, hospital.UnitOfWork, imports.UnitOfWork, reports.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
"""Begins a unit of work.

It commits on a clean exit and rolls back on an exception. May raise ``StoreUnavailable``, including
``TransactionConflict``, after which the use case is called again (``application.common.use_case``).
"""

BeginReadOnly = Begin
"""Begins a read-only unit of work: nothing is stored or locked."""

Read = Callable[[], AbstractContextManager[Views]]
"""Opens the views, outside any unit of work.

May raise ``StoreUnavailable``. Long reads use another one, ``read_for_reports``: it takes no resources from users at
work, and may lag behind.
"""
