"""What the use cases of restock read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.accounts import work as below
from application.restock.ports import RestockReader, RestockStore


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def restock(self) -> RestockReader: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def restock(self) -> RestockStore: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
