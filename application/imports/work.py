"""What the use cases of imports read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.audit.views import ImportView
from application.common.paging import ListQuery
from application.common.views import View
from application.inbound import work as below


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def imports(self) -> View[ImportView, ListQuery]: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
