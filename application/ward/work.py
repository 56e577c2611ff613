"""What the use cases of ward read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.forms import work as below
from application.status.ports import HeldMessages
from application.ward.overview_ports import Overview, WardReader
from application.ward.shift_ports import ShiftReader
from application.ward.worklist_ports import Worklist


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def overview(self) -> Overview: ...
    @property
    def worklist(self) -> Worklist: ...
    @property
    def ward(self) -> WardReader: ...
    @property
    def shift(self) -> ShiftReader: ...
    @property
    def inbound_messages(self) -> HeldMessages: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def views(self) -> Views: ...


Read = Callable[[], AbstractContextManager[Views]]
