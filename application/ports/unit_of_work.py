"""Units of work, and the errors of stores."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol

from application.accounts.ports.identity import FailedAttempts, PasswordLinks, Sessions, SetupLinks
from application.accounts.ports.passkeys import PasskeySecrets, PasskeyStore
from application.accounts.ports.unlocking import UserPins
from application.common.idempotency import IdempotencyStore
from application.hospital.ports import HospitalSettingsStore
from application.ports.recording import Answer, RecordingContext, RecordingRequest
from application.ports.stores import (
    ApiKeys,
    AuditLog,
    Backups,
    Charges,
    Closings,
    Details,
    DeviceOutboxes,
    Favourites,
    FormerRecordNumbers,
    Imports,
    InboundMessages,
    JobLeases,
    Judgements,
    Kits,
    MissedCharges,
    Notices,
    NumberAuthorities,
    OutboundMessages,
    PatientKeys,
    ProductPictures,
    RecalledUses,
    ReceiverSettings,
    RoomMappings,
    Sheets,
    Store,
    StoredUsualNumbers,
    Transfers,
    UnknownCodes,
    Users,
)
from application.ports.views import Views
from application.restock.ports import RestockStore
from domain.accounts.badge import Badge
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product, ProductCode
from domain.catalogue.recall import Recall, SetAside
from domain.catalogue.room import Room
from domain.catalogue.typed_name import TypedName
from domain.forms.contingency_form import ContingencyForm
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.late_entry import LateEntry
from domain.sheets.unlisted_item import UnlistedItem


class UnitOfWork(Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def areas(self) -> Store[Area]: ...
    @property
    def categories(self) -> Store[Category]: ...
    @property
    def products(self) -> Store[Product]: ...
    @property
    def product_codes(self) -> Store[ProductCode]: ...
    @property
    def product_pictures(self) -> ProductPictures: ...
    @property
    def typed_names(self) -> Store[TypedName]: ...
    @property
    def recalls(self) -> Store[Recall]: ...
    @property
    def set_aside(self) -> Store[SetAside]: ...
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
    def number_authorities(self) -> NumberAuthorities: ...
    @property
    def staff(self) -> Store[Staff]: ...
    @property
    def users(self) -> Users: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def pins(self) -> UserPins: ...
    @property
    def badges(self) -> Store[Badge]: ...
    @property
    def password_links(self) -> PasswordLinks: ...
    @property
    def setup_links(self) -> SetupLinks: ...
    @property
    def passkeys(self) -> PasskeyStore: ...
    @property
    def passkey_secrets(self) -> PasskeySecrets: ...
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
    def contingency_forms(self) -> Store[ContingencyForm]: ...
    @property
    def kits(self) -> Kits: ...
    @property
    def favourites(self) -> Favourites: ...
    @property
    def usual_numbers(self) -> StoredUsualNumbers: ...
    @property
    def recalled_uses(self) -> RecalledUses: ...
    @property
    def judgements(self) -> Judgements: ...
    @property
    def notices(self) -> Notices: ...
    @property
    def missed_charges(self) -> MissedCharges: ...
    @property
    def restock(self) -> RestockStore: ...
    @property
    def job_leases(self) -> JobLeases: ...
    @property
    def device_outboxes(self) -> DeviceOutboxes: ...
    @property
    def backups(self) -> Backups: ...
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
    def receiver_settings(self) -> ReceiverSettings: ...
    @property
    def hospital_settings(self) -> HospitalSettingsStore: ...
    @property
    def views(self) -> Views: ...

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Read everything that recording a detail needs, in few queries.

        The sheet is locked. It raises the same errors as ``IdempotencyStore.recall``.
        """


class UnavailableReason(StrEnum):
    """Why the store is unavailable."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    FULL = "full"


class StoreUnavailable(Exception):
    """The store is temporarily unavailable; the request may be repeated.

    Nothing is stored partially. If the store is ``BUSY`` or ``FULL``, nothing is stored. If it became ``UNREACHABLE``
    during the commit, it is unknown whether everything or nothing was stored.
    """

    def __init__(self, reason: UnavailableReason) -> None:
        super().__init__(reason)
        self.reason = reason


class DuplicateEntry(Exception):
    """A detail with the same ``entry_digest`` exists.

    The same request was sent before, however long ago. Nothing is stored.
    """


class TransactionConflict(StoreUnavailable):
    """The store rolled back a unit of work because of a conflict.

    It is a deadlock or a serialization failure. Nothing is stored, and a retry succeeds.
    """

    def __init__(self) -> None:
        super().__init__(UnavailableReason.BUSY)


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
"""Begins a unit of work.

It commits on a clean exit and rolls back on an exception. May raise ``StoreUnavailable``, including
``TransactionConflict``, after which the use case is called again (``application.common.use_case``).
"""

BeginReadOnly = Callable[[], AbstractContextManager[UnitOfWork]]
"""Begins a read-only unit of work: nothing is stored or locked."""
