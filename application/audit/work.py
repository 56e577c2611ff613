"""What the use cases of audit read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.audit.ports import AuditLog
from application.audit.views import AuditQuery, AuditView
from application.common import work as below
from application.common.stores import Store
from application.common.views import View
from domain.sheets.sheet import Sheet


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def audit(self) -> View[AuditView, AuditQuery]: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def audit_log(self) -> AuditLog: ...
    @property
    def sheets(self) -> Store[Sheet]: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
