"""All that is changed together, and why a store cannot be used."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol

from application.ports.idempotency import IdempotencyStore
from application.ports.identity import FailedAttempts, PasswordLinks, Sessions
from application.ports.recording import Answer, RecordingContext, RecordingRequest
from application.ports.stores import (
    ApiKeys,
    AuditLog,
    Charges,
    Closings,
    Details,
    Favourites,
    FormerRecordNumbers,
    Imports,
    InboundMessages,
    Kits,
    OutboundMessages,
    PatientKeys,
    RecalledUses,
    RoomMappings,
    Sheets,
    Store,
    Transfers,
    UnknownCodes,
    Users,
)
from application.ports.views import Views
from domain.area import Area
from domain.late_entry import LateEntry
from domain.patient import Patient
from domain.product import Category, Product, ProductCode
from domain.recall import Recall
from domain.room import Room
from domain.staff import Staff
from domain.typed_name import TypedName
from domain.unlisted_item import UnlistedItem


class UnitOfWork(Protocol):
    """All that is changed together: kept when it ends well, undone when it ends with an exception."""

    @property
    def areas(self) -> Store[Area]: ...
    @property
    def categories(self) -> Store[Category]: ...
    @property
    def products(self) -> Store[Product]: ...
    @property
    def product_codes(self) -> Store[ProductCode]: ...
    @property
    def typed_names(self) -> Store[TypedName]: ...
    @property
    def recalls(self) -> Store[Recall]: ...
    @property
    def patient_keys(self) -> PatientKeys: ...
    @property
    def unknown_codes(self) -> UnknownCodes: ...
    @property
    def rooms(self) -> Store[Room]: ...
    @property
    def patients(self) -> Store[Patient]: ...
    @property
    def former_record_numbers(self) -> FormerRecordNumbers: ...
    @property
    def staff(self) -> Store[Staff]: ...
    @property
    def users(self) -> Users: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def password_links(self) -> PasswordLinks: ...
    @property
    def failed_attempts(self) -> FailedAttempts: ...
    @property
    def sheets(self) -> Sheets: ...
    @property
    def closings(self) -> Closings: ...
    @property
    def charges(self) -> Charges: ...
    @property
    def outbound_messages(self) -> OutboundMessages: ...
    @property
    def transfers(self) -> Transfers: ...
    @property
    def details(self) -> Details: ...
    @property
    def late_entries(self) -> Store[LateEntry]: ...
    @property
    def unlisted_items(self) -> Store[UnlistedItem]: ...
    @property
    def kits(self) -> Kits: ...
    @property
    def favourites(self) -> Favourites: ...
    @property
    def recalled_uses(self) -> RecalledUses: ...
    @property
    def idempotency_store(self) -> IdempotencyStore: ...
    @property
    def audit_log(self) -> AuditLog: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def inbound_messages(self) -> InboundMessages: ...
    @property
    def room_mappings(self) -> RoomMappings: ...
    @property
    def views(self) -> Views: ...

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """All that has to be known before a detail can be recorded, in as few looks as can be. Its sheet is locked.

        Raise what ``IdempotencyStore.recall`` raises.
        """


class UnavailableReason(StrEnum):
    """Why the store cannot be used."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    FULL = "full"


class StoreUnavailable(Exception):
    """The store cannot be used at this moment, through no fault of what was asked: it may be asked again.

    Nothing is half kept. Of a ``BUSY`` or ``FULL`` store nothing at all is kept; of one that became ``UNREACHABLE``
    while the unit of work ended it is not known whether it was.
    """

    def __init__(self, reason: UnavailableReason) -> None:
        super().__init__(reason)
        self.reason = reason


class DuplicateEntry(Exception):
    """A detail with that ``entry_digest`` is there: the request was sent before, however long ago. Nothing is kept."""


class TransactionConflict(StoreUnavailable):
    """The store ended a unit of work because it and another one stood in each other's way: each waited for the other,
    or what one read the other changed. Nothing is kept of it, and done anew it comes to its end.
    """

    def __init__(self) -> None:
        super().__init__(UnavailableReason.BUSY)


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
"""Begins a unit of work: commits on a clean exit, undoes on an exception. May raise ``StoreUnavailable``,
``TransactionConflict`` among them, after which the use case is called again (``application.retry``).
"""

BeginReadOnly = Callable[[], AbstractContextManager[UnitOfWork]]
"""Opens a unit of work of which nothing is kept: to look things up in without holding anybody up."""
