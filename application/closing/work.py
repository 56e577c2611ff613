"""What the use cases of closing read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.billing import work as billing_work
from application.forms import work as forms_work


class Views(billing_work.Views, forms_work.Views, Protocol):
    """Everything that they read."""


class UnitOfWork(billing_work.UnitOfWork, forms_work.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
