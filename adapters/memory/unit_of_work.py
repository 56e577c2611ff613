"""All changes that are committed together, in memory."""

from collections.abc import Callable
from datetime import tzinfo
from functools import cached_property
from typing import Any, TypeVar

from adapters.memory.data import MemoryData
from adapters.memory.readers.packs import MemoryUnknownCodes
from adapters.memory.repositories.areas import MemoryAreas
from adapters.memory.repositories.audit import MemoryAuditLog, MemoryImports
from adapters.memory.repositories.charging import MemoryCharges
from adapters.memory.repositories.details import MemoryDetails
from adapters.memory.repositories.device_outboxes import MemoryBackups, MemoryDeviceOutboxes
from adapters.memory.repositories.former_record_numbers import MemoryFormerRecordNumbers
from adapters.memory.repositories.hospital_settings import MemoryHospitalSettings
from adapters.memory.repositories.idempotency import MemoryIdempotencyStore
from adapters.memory.repositories.judgements import MemoryJudgements
from adapters.memory.repositories.messages import (
    MemoryInboundMessages,
    MemoryOutboundMessages,
    MemoryReceiverSettings,
    MemoryRoomMappings,
)
from adapters.memory.repositories.missed_charges import MemoryJobLeases, MemoryMissedCharges
from adapters.memory.repositories.notices import MemoryNotices
from adapters.memory.repositories.passkeys import MemoryPasskeys, MemoryPasskeySecrets
from adapters.memory.repositories.patient_keys import MemoryPatientKeys
from adapters.memory.repositories.products import (
    MemoryFavourites,
    MemoryKits,
    MemoryProductPictures,
    MemoryProducts,
    MemoryRecalledUses,
    MemoryUsualNumbers,
)
from adapters.memory.repositories.repository import MemoryRepository
from adapters.memory.repositories.restock import MemoryRestock
from adapters.memory.repositories.sheets import MemoryClosings, MemorySheets, MemoryTransfers
from adapters.memory.repositories.users import (
    MemoryApiKeys,
    MemoryFailedAttempts,
    MemoryPasswordLinks,
    MemoryPins,
    MemorySessions,
    MemorySetupLinks,
    MemoryUsers,
)
from adapters.memory.views import MemoryViews
from application.entities import AREA, ENTITIES, USER
from application.ports.recording import RecordingContext, RecordingRequest, begin_recording_sequentially

Answer = TypeVar("Answer")
Stored = TypeVar("Stored")


def _on_first_use(make: "Callable[[MemoryUnitOfWork], Stored]") -> cached_property[Stored]:
    """Return an attribute whose store is created by its first use."""
    return cached_property(make)


class MemoryUnitOfWork:
    """All changes that are committed together."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    products = _on_first_use(lambda work: MemoryProducts(work._data))
    product_pictures = _on_first_use(lambda work: MemoryProductPictures(work._data))
    unknown_codes = _on_first_use(lambda work: MemoryUnknownCodes(work._data))
    patient_keys = _on_first_use(lambda work: MemoryPatientKeys(work._data))
    areas = _on_first_use(lambda work: MemoryAreas(work._data, AREA))
    users = _on_first_use(lambda work: MemoryUsers(work._data, USER))
    api_keys = _on_first_use(lambda work: MemoryApiKeys(work._data))
    sessions = _on_first_use(lambda work: MemorySessions(work._data))
    pins = _on_first_use(lambda work: MemoryPins(work._data))
    password_links = _on_first_use(lambda work: MemoryPasswordLinks(work._data))
    setup_links = _on_first_use(lambda work: MemorySetupLinks(work._data))
    passkeys = _on_first_use(lambda work: MemoryPasskeys(work._data))
    passkey_secrets = _on_first_use(lambda work: MemoryPasskeySecrets(work._data))
    failed_attempts = _on_first_use(lambda work: MemoryFailedAttempts(work._data))
    sheets = _on_first_use(lambda work: MemorySheets(work._data))
    closings = _on_first_use(lambda work: MemoryClosings(work._data))
    charges = _on_first_use(lambda work: MemoryCharges(work._data))
    outbound_messages = _on_first_use(lambda work: MemoryOutboundMessages(work._data))
    transfers = _on_first_use(lambda work: MemoryTransfers(work._data))
    details = _on_first_use(lambda work: MemoryDetails(work._data))
    idempotency_store = _on_first_use(lambda work: MemoryIdempotencyStore(work._data))
    audit_log = _on_first_use(lambda work: MemoryAuditLog(work._data))
    imports = _on_first_use(lambda work: MemoryImports(work._data))
    kits = _on_first_use(lambda work: MemoryKits(work._data))
    favourites = _on_first_use(lambda work: MemoryFavourites(work._data))
    usual_numbers = _on_first_use(lambda work: MemoryUsualNumbers(work._data))
    former_record_numbers = _on_first_use(lambda work: MemoryFormerRecordNumbers(work._data))
    recalled_uses = _on_first_use(lambda work: MemoryRecalledUses(work._data))
    notices = _on_first_use(lambda work: MemoryNotices(work._data))
    missed_charges = _on_first_use(lambda work: MemoryMissedCharges(work._data))
    restock = _on_first_use(lambda work: MemoryRestock(work._data))
    job_leases = _on_first_use(lambda work: MemoryJobLeases(work._data))
    judgements = _on_first_use(lambda work: MemoryJudgements(work._data))
    device_outboxes = _on_first_use(lambda work: MemoryDeviceOutboxes(work._data))
    backups = _on_first_use(lambda work: MemoryBackups(work._data))
    inbound_messages = _on_first_use(lambda work: MemoryInboundMessages(work._data))
    receiver_settings = _on_first_use(lambda work: MemoryReceiverSettings(work._data))
    hospital_settings = _on_first_use(lambda work: MemoryHospitalSettings(work._data))
    room_mappings = _on_first_use(lambda work: MemoryRoomMappings(work._data))
    views = _on_first_use(lambda work: MemoryViews(work._data, work._zone))

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Load everything needed to record a detail."""
        return begin_recording_sequentially(self, asked)

    def __getattr__(self, store: str) -> MemoryRepository[Any]:
        """Return the generic repository of a kind."""
        kind = next((kind for kind in ENTITIES if kind.store == store), None)
        if kind is None:
            raise AttributeError(store)
        return MemoryRepository(self._data, kind)
