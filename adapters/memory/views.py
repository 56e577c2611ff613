"""Read models in memory, with the same answers as the SQL ones."""

from collections.abc import Collection, Iterator
from copy import copy
from datetime import datetime, tzinfo

from adapters.memory.data import MemoryData
from adapters.memory.readers.audit import MemoryAuditView, read_audit, read_imports
from adapters.memory.readers.catalogue import read_catalogue
from adapters.memory.readers.closings import MemoryClosingsView
from adapters.memory.readers.consistency import doubtful_packs, inconsistencies
from adapters.memory.readers.consumption import MemoryConsumption
from adapters.memory.readers.details import MemoryDetailsView, read_details, read_exported_details
from adapters.memory.readers.kits import read_kits
from adapters.memory.readers.lists import MemoryView
from adapters.memory.readers.messages import MemoryMessagesView, read_outbound_messages
from adapters.memory.readers.missed_charges import MemoryMissedChargesReader
from adapters.memory.readers.names import read_names
from adapters.memory.readers.overview import MemoryOverview
from adapters.memory.readers.packs import MemoryPacks
from adapters.memory.readers.people import MemoryPatientsView, read_patients, read_patients_numbered, read_staff
from adapters.memory.readers.products import (
    MemoryProductsView,
    read_categories,
    read_price_changes,
    read_products,
    read_recalls,
)
from adapters.memory.readers.restock import MemoryRestockReader
from adapters.memory.readers.rooms import read_areas, read_rooms
from adapters.memory.readers.sheets import MemorySheetsView, read_open_unlisted_items
from adapters.memory.readers.shift import MemoryShift
from adapters.memory.readers.status import MemoryStatus
from adapters.memory.readers.summaries import MemorySummaries
from adapters.memory.readers.tracked_changes import read_changed, read_deletions, read_last_changes
from adapters.memory.readers.users import (
    read_active_key,
    read_active_session,
    read_expiring_keys,
    read_service_accounts,
    read_sessions,
    read_sessions_on_device,
    read_unlock_state,
    read_users,
)
from adapters.memory.readers.usual_products import MemoryUsualProducts
from adapters.memory.readers.ward import MemoryWard
from adapters.memory.readers.worklist import MemoryWorklist
from adapters.memory.repositories.patient_keys import MemoryPatientNumbers
from application.entities import EntityKind
from application.paging import ListQuery
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.ports.readers.catalogue import PriceChange
from application.ports.readers.changes import Deletion, Tracked
from application.ports.readers.reports import DoubtfulPack, Inconsistency
from application.ports.unlocking import UnlockState
from application.views.audit import ImportView
from application.views.catalogue import (
    AreaView,
    CatalogueView,
    CategoryView,
    KitQuery,
    KitView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
)
from application.views.details import DetailView, ExportedDetailView
from application.views.messages import OutboundMessageQuery, OutboundMessageView
from application.views.people import StaffQuery, StaffView
from application.views.users import ExpiringKeyView, OwnWardView, ServiceAccountView, UserQuery, UserView
from domain.contingency_form import ContingencyForm, FormState
from domain.unlisted_item import UnlistedItem


class MemoryViews:
    """All read models."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the actor of a session; None once the session has ended."""
        return read_active_session(self._data, session_id, user_id, at)

    def own_ward(self, user_id: int) -> OwnWardView | None:
        """Return where the user works; None until it is chosen."""
        user = self._data.users.get(user_id)
        if user is None:
            return None
        area = self._data.areas.get(user.ward_area_id or 0)
        if area is None and not user.whole_hospital:
            return None
        return OwnWardView(area=AreaView(id=area.id, name=area.name) if area else None)

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """List the user's sessions that have not ended, oldest first."""
        return read_sessions(self._data, user_id, at)

    def sessions_on_device(self, device: str, at: datetime) -> list[Session]:
        """List the sessions on a device that have not ended, by user."""
        return read_sessions_on_device(self._data, device, at)

    def unlock_state(self, user_id: int) -> UnlockState:
        """Return what a user can unlock with."""
        return read_unlock_state(self._data, user_id)

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the time of the last change by id, from the audit log."""
        return read_last_changes(self._data, tracked, ids)

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """List the ids above ``behind`` that changed in [since, until), by id."""
        return read_changed(self._data, tracked, since, until, behind=behind, most=most)

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted."""
        return read_deletions(self._data, kind, ids)

    def external_records(self, ids: Collection[int]) -> dict[int, str]:
        """Return what the hospital's system sent about these sheets, by id."""
        sheets = (self._data.sheets.get(each) for each in ids)
        return {one.id: one.external_record for one in sheets if one and one.external_record}

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Map patients with that current or former number to the merged record."""
        return read_patients_numbered(self._data, number)

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the actor of an active API key; None if expired or unknown."""
        return read_active_key(self._data, digest, at)

    def service_accounts(self) -> list[ServiceAccountView]:
        """List active service accounts by name, with their keys, latest first."""
        return read_service_accounts(self._data)

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """List unrevoked keys that expire before that time, soonest first."""
        return read_expiring_keys(self._data, before, most=most)

    @property
    def areas(self) -> MemoryView[AreaView, ListQuery]:
        return read_areas(self._data)

    @property
    def categories(self) -> MemoryView[CategoryView, ListQuery]:
        return read_categories(self._data)

    @property
    def products(self) -> MemoryProductsView:
        return read_products(self._data)

    @property
    def recalls(self) -> MemoryView[RecallView, RecallQuery]:
        return read_recalls(self._data)

    @property
    def restock(self) -> MemoryRestockReader:
        return MemoryRestockReader(self._data)

    @property
    def packs(self) -> MemoryPacks:
        return MemoryPacks(self._data)

    @property
    def rooms(self) -> MemoryView[RoomView, RoomQuery]:
        return read_rooms(self._data)

    @property
    def patient_numbers(self) -> MemoryPatientNumbers:
        return MemoryPatientNumbers(self._data)

    @property
    def patients(self) -> MemoryPatientsView:
        return read_patients(self._data)

    @property
    def kits(self) -> MemoryView[KitView, KitQuery]:
        return read_kits(self._data)

    @property
    def staff(self) -> MemoryView[StaffView, StaffQuery]:
        return read_staff(self._data)

    @property
    def users(self) -> MemoryView[UserView, UserQuery]:
        return read_users(self._data)

    @property
    def audit(self) -> MemoryAuditView:
        return read_audit(self._data, self._zone)

    @property
    def imports(self) -> MemoryView[ImportView, ListQuery]:
        return read_imports(self._data)

    @property
    def summaries(self) -> MemorySummaries:
        return MemorySummaries(self._data)

    def inconsistencies(self) -> Iterator[Inconsistency]:
        """Yield everything that does not add up."""
        return inconsistencies(self._data)

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Yield details whose lot or serial was probably scanned off a wristband."""
        return doubtful_packs(self._data)

    def catalogue_version(self) -> int:
        return self._data.versions.get("catalogue", 0)

    def catalogue(self) -> CatalogueView:
        return read_catalogue(self._data)

    def installation_number(self) -> int:
        return self._data.installation

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """List the sheet's open unlisted items, by time of use."""
        return read_open_unlisted_items(self._data, sheet_id)

    def contingency_forms(self, state: FormState, *, most: int) -> list[ContingencyForm]:
        """List the contingency forms in a state, the oldest first."""
        found = [copy(one) for one in self._data.contingency_forms.values() if one.state is state]
        return sorted(found, key=lambda one: one.id)[:most]

    def contingency_form_count(self, state: FormState) -> int:
        return sum(one.state is state for one in self._data.contingency_forms.values())

    def has_contingency_form(self, number: int) -> bool:
        """Return whether a contingency form has this number."""
        return number in self._data.contingency_forms

    def version_of_sheet(self, sheet_id: int) -> int | None:
        sheet = self._data.sheets.get(sheet_id)
        return sheet.version if sheet else None

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """List the product's price changes from the audit log, latest first."""
        return read_price_changes(self._data, product_id, most=most)

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Map ids to names; ``field`` is the name of the reference."""
        return read_names(self._data, field, ids)

    @property
    def closings(self) -> MemoryClosingsView:
        return MemoryClosingsView(self._data)

    @property
    def inbound_messages(self) -> MemoryMessagesView:
        return MemoryMessagesView(self._data)

    @property
    def missed_charges(self) -> MemoryMissedChargesReader:
        return MemoryMissedChargesReader(self._data)

    @property
    def usual_products(self) -> MemoryUsualProducts:
        return MemoryUsualProducts(self._data)

    @property
    def outbound_messages(self) -> MemoryView[OutboundMessageView, OutboundMessageQuery]:
        return read_outbound_messages(self._data)

    @property
    def sheets(self) -> MemorySheetsView:
        return MemorySheetsView(self._data, self._zone)

    @property
    def consumption(self) -> MemoryConsumption:
        return MemoryConsumption(self._data, self._zone)

    @property
    def overview(self) -> MemoryOverview:
        return MemoryOverview(self._data)

    @property
    def worklist(self) -> MemoryWorklist:
        return MemoryWorklist(self._data)

    @property
    def status(self) -> MemoryStatus:
        return MemoryStatus(self._data)

    @property
    def ward(self) -> MemoryWard:
        return MemoryWard(self._data)

    @property
    def shift(self) -> MemoryShift:
        return MemoryShift(self._data)

    @property
    def details(self) -> MemoryDetailsView[DetailView]:
        return read_details(self._data)

    @property
    def exported_details(self) -> MemoryDetailsView[ExportedDetailView]:
        return read_exported_details(self._data)
