"""The data of the in-memory store."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from application.audit.audit_log import AuditEntry
from application.entities import ENTITIES
from application.ports.identity import Session
from application.ports.stores import Closing, MissedChargeAnswer
from application.ports.unlocking import StoredPin
from domain.anomalies import Judgement, Oddity
from domain.backup import Backup
from domain.charges import Charge
from domain.device_outbox import DeviceOutbox
from domain.hospital import StoredHospital
from domain.missed_charges import ProductPair
from domain.notice import Notice
from domain.passkey import Passkey, PasskeySecret
from domain.picture import ProductPicture
from domain.restock import ClosedLine, PutBack, RestockList, ShelfSetting
from domain.sheet import Detail, DetailReturn
from domain.stay import Transfer
from domain.user import PasswordLink, SetupLink
from domain.usual_products import UsualNumbers


@dataclass
class MemoryData:
    """All stored data.

    Records are immutable and only replaced, so a copy of the dictionaries is a full snapshot. The records of each kind
    are stored under the name of their store, by id.
    """

    kinds: dict[str, dict[int, Any]] = field(default_factory=lambda: {kind.store: {} for kind in ENTITIES})
    sessions: dict[str, Session] = field(default_factory=dict)
    # By user.
    pins: dict[int, StoredPin] = field(default_factory=dict)
    idempotency_store: dict[tuple[int, str], tuple[str, object, datetime]] = field(default_factory=dict)
    password_links: dict[str, PasswordLink] = field(default_factory=dict)
    setup_links: dict[str, SetupLink] = field(default_factory=dict)
    passkeys: dict[int, Passkey] = field(default_factory=dict)
    passkey_secrets: dict[str, PasskeySecret] = field(default_factory=dict)
    failed_attempts: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    audit_log: list[AuditEntry] = field(default_factory=list)
    noted_looks: dict[tuple[int | None, str, int, int], bool] = field(default_factory=dict)
    mappings: dict[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    # By system and key: the code, the count, and the time of the last scan.
    unknown_codes: dict[tuple[str, str], tuple[str, int, datetime]] = field(default_factory=dict)
    # By key: the id of the patient, and the number.
    former_record_numbers: dict[str, tuple[int, str]] = field(default_factory=dict)
    # By product.
    product_pictures: dict[int, ProductPicture] = field(default_factory=dict)
    favourites: dict[tuple[int, int], datetime] = field(default_factory=dict)
    usual_numbers: dict[tuple[int, int], UsualNumbers] = field(default_factory=dict)
    # By sheet and turn.
    closings: dict[tuple[int, int], Closing] = field(default_factory=dict)
    charges: dict[int, Charge] = field(default_factory=dict)
    transfers: dict[int, Transfer] = field(default_factory=dict)
    # By detail: the time and user of the acknowledgement, None until then.
    recalled_uses: dict[int, tuple[datetime, int] | None] = field(default_factory=dict)
    # By kind and detail or sheet.
    judgements: dict[tuple[Oddity, int], Judgement] = field(default_factory=dict)
    notices: dict[int, Notice] = field(default_factory=dict)
    # By both products.
    product_pairs: dict[tuple[int, int], ProductPair] = field(default_factory=dict)
    # By sheet and missing product.
    missed_charge_answers: dict[tuple[int, int], MissedChargeAnswer] = field(default_factory=dict)
    restock_lists: dict[int, RestockList] = field(default_factory=dict)
    # By list, in shelf order.
    restock_lines: dict[int, tuple[ClosedLine, ...]] = field(default_factory=dict)
    # By area and product.
    restock_ticks: dict[tuple[int, int], PutBack] = field(default_factory=dict)
    restock_settings: dict[tuple[int, int], ShelfSetting] = field(default_factory=dict)
    # By job: when it is due.
    job_leases: dict[str, datetime] = field(default_factory=dict)
    # By device and user.
    device_outboxes: dict[tuple[str, int], DeviceOutbox] = field(default_factory=dict)
    backups: list[Backup] = field(default_factory=list)
    # By key: the time of its last use.
    key_uses: dict[int, datetime] = field(default_factory=dict)
    key_refusals: dict[int, tuple[datetime, str]] = field(default_factory=dict)
    # By system and code.
    room_mappings: dict[tuple[str, str], int] = field(default_factory=dict)
    receiver_settings: dict[str, str] = field(default_factory=dict)
    hospital_settings: dict[int, StoredHospital] = field(default_factory=dict)
    detail_returns: list[DetailReturn] = field(default_factory=list)
    # Versions of data that devices copy, by name.
    versions: dict[str, int] = field(default_factory=dict)
    installation: int = 100_001
    last_ids: dict[str, int] = field(default_factory=dict)

    def __getattr__(self, store: str) -> dict[int, Any]:
        """Return the dictionary of a store."""
        if store.startswith("_") or store not in self.kinds:
            raise AttributeError(store)
        return self.kinds[store]

    @property
    def counted(self) -> list[Detail]:
        """List the details that count: those that are not voided."""
        return [detail for detail in self.details.values() if not detail.voided]

    def change_catalogue(self) -> None:
        """Increase the version of the catalogue that devices store."""
        self.versions["catalogue"] = self.versions.get("catalogue", 0) + 1

    def copy(self) -> "MemoryData":
        copied = {name: copy(items) for name, items in vars(self).items()}
        copied["kinds"] = {store: copy(items) for store, items in self.kinds.items()}
        return MemoryData(**copied)
