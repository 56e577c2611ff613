"""What the use cases of status read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.accounts import work as below
from application.status.ports import HeldMessages, StatusReader
from application.status.stores import Backups, DeviceOutboxes


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def status(self) -> StatusReader: ...
    @property
    def inbound_messages(self) -> HeldMessages: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def device_outboxes(self) -> DeviceOutboxes: ...
    @property
    def backups(self) -> Backups: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
