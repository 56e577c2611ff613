"""What the use cases of inbound read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.billing import work as billing_work
from application.forms import work as forms_work
from application.inbound.ports import MessagesView
from application.inbound.stores import InboundMessages, NumberAuthorities, ReceiverSettings, RoomMappings


class Views(billing_work.Views, forms_work.Views, Protocol):
    """Everything that they read."""

    @property
    def inbound_messages(self) -> MessagesView: ...


class UnitOfWork(billing_work.UnitOfWork, forms_work.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def inbound_messages(self) -> InboundMessages: ...
    @property
    def number_authorities(self) -> NumberAuthorities: ...
    @property
    def room_mappings(self) -> RoomMappings: ...
    @property
    def receiver_settings(self) -> ReceiverSettings: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
Read = Callable[[], AbstractContextManager[Views]]
