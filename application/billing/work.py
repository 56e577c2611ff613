"""What the use cases of billing read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.billing.stores import Charges, OutboundMessages
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.common.views import View
from application.sheets import work as below


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def outbound_messages(self) -> View[OutboundMessageView, OutboundMessageQuery]: ...


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def charges(self) -> Charges: ...
    @property
    def outbound_messages(self) -> OutboundMessages: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
