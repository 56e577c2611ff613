"""Read models."""

from collections.abc import Collection, Iterator
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache

from sqlalchemy import Connection

from adapters.sql.accounts.api_keys import read_active_key, read_expiring_keys, read_service_accounts
from adapters.sql.accounts.sessions import read_active_session, read_sessions, read_sessions_on_device
from adapters.sql.accounts.unlocking import read_unlock_state
from adapters.sql.accounts.users import USERS, read_own_ward
from adapters.sql.audit.audit_log import SqlAuditView, list_of_entries, list_of_entries_of_days, read_price_changes
from adapters.sql.billing.charging import OUTBOUND_MESSAGES
from adapters.sql.catalogue.areas import AREAS
from adapters.sql.catalogue.categories import CATEGORIES
from adapters.sql.catalogue.device_catalogue import read_catalogue, read_installation_number
from adapters.sql.catalogue.kits import SqlKitsView
from adapters.sql.catalogue.nearest import SqlProductsView
from adapters.sql.catalogue.packs import SqlPacks
from adapters.sql.catalogue.recalls import RECALLS
from adapters.sql.catalogue.rooms import SqlRoomsView
from adapters.sql.common.versions import CATALOGUE, version_of, version_of_sheet
from adapters.sql.engine.lists import TableView
from adapters.sql.forms.contingency_forms import count_forms, has_form, read_forms
from adapters.sql.history.names import read_names
from adapters.sql.imports.imports import IMPORTS
from adapters.sql.inbound.inbound_messages import SqlMessagesView
from adapters.sql.people.patient_keys import SqlPatientNumbers
from adapters.sql.people.patients import SqlPatientsView, read_patients_numbered
from adapters.sql.people.staff import STAFF
from adapters.sql.reports.consistency import doubtful_packs, inconsistencies
from adapters.sql.reports.consumption import SqlConsumption
from adapters.sql.reports.tracked_changes import read_changed, read_deletions, read_last_changes
from adapters.sql.restock.restock import SqlRestockReader
from adapters.sql.sheets.closings import SqlClosingsView
from adapters.sql.sheets.details import DETAILS, EXPORTED_DETAILS, SqlDetailsView
from adapters.sql.sheets.missed_charges import SqlMissedChargesReader
from adapters.sql.sheets.sheets import SqlSheetsView, list_of_closed_sheets, read_external_records
from adapters.sql.sheets.summaries import SqlSummaries
from adapters.sql.sheets.unlisted_items import read_open_unlisted_items
from adapters.sql.sheets.usual_products import SqlUsualProducts
from adapters.sql.status.status import SqlStatus
from adapters.sql.ward.board import SqlWard
from adapters.sql.ward.overview import SqlOverview
from adapters.sql.ward.shift import SqlShift
from adapters.sql.ward.worklist import SqlWorklist
from application.accounts.ports.identity import ActiveKey, ActiveSession, Session
from application.accounts.ports.unlocking import UnlockState
from application.accounts.views import ExpiringKeyView, OwnWardView, ServiceAccountView, UserQuery, UserView
from application.audit.views import ImportView
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.catalogue.device_views import CatalogueView
from application.catalogue.ports import PriceChange
from application.catalogue.views import AreaView, CategoryView, RecallQuery, RecallView
from application.common.entities import EntityKind
from application.common.paging import ListQuery
from application.people.views import StaffQuery, StaffView
from application.reports.changes import Deletion, Tracked
from application.reports.ports import DoubtfulPack, Inconsistency
from application.sheets.detail_views import DetailView, ExportedDetailView
from domain.forms.contingency_form import ContingencyForm, FormState
from domain.sheets.unlisted_item import UnlistedItem

_closed_sheets = lru_cache(list_of_closed_sheets)
_entries = lru_cache(list_of_entries)
_entries_of_days = lru_cache(list_of_entries_of_days)


class SqlViews:
    """All read models, on one connection."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    @cached_property
    def sheets(self) -> SqlSheetsView:
        return SqlSheetsView(self._connection, _closed_sheets(self._zone), self._zone)

    @cached_property
    def details(self) -> SqlDetailsView[DetailView]:
        return SqlDetailsView(self._connection, DETAILS)

    @cached_property
    def exported_details(self) -> SqlDetailsView[ExportedDetailView]:
        return SqlDetailsView(self._connection, EXPORTED_DETAILS)

    @cached_property
    def products(self) -> SqlProductsView:
        return SqlProductsView(self._connection)

    @cached_property
    def recalls(self) -> TableView[RecallView, RecallQuery]:
        return TableView(self._connection, RECALLS)

    @cached_property
    def packs(self) -> SqlPacks:
        return SqlPacks(self._connection)

    @cached_property
    def categories(self) -> TableView[CategoryView, ListQuery]:
        return TableView(self._connection, CATEGORIES)

    @cached_property
    def areas(self) -> TableView[AreaView, ListQuery]:
        return TableView(self._connection, AREAS)

    @cached_property
    def rooms(self) -> SqlRoomsView:
        return SqlRoomsView(self._connection)

    @property
    def patient_numbers(self) -> SqlPatientNumbers:
        return SqlPatientNumbers(self._connection)

    @cached_property
    def patients(self) -> SqlPatientsView:
        return SqlPatientsView(self._connection)

    @cached_property
    def staff(self) -> TableView[StaffView, StaffQuery]:
        return TableView(self._connection, STAFF)

    @cached_property
    def kits(self) -> SqlKitsView:
        return SqlKitsView(self._connection)

    @cached_property
    def outbound_messages(self) -> TableView[OutboundMessageView, OutboundMessageQuery]:
        return TableView(self._connection, OUTBOUND_MESSAGES)

    @cached_property
    def users(self) -> TableView[UserView, UserQuery]:
        return TableView(self._connection, USERS)

    @cached_property
    def audit(self) -> SqlAuditView:
        return SqlAuditView(self._connection, _entries(self._zone), _entries_of_days(self._zone))

    @cached_property
    def missed_charges(self) -> SqlMissedChargesReader:
        return SqlMissedChargesReader(self._connection)

    @cached_property
    def restock(self) -> SqlRestockReader:
        return SqlRestockReader(self._connection)

    @cached_property
    def usual_products(self) -> SqlUsualProducts:
        return SqlUsualProducts(self._connection)

    @cached_property
    def closings(self) -> SqlClosingsView:
        return SqlClosingsView(self._connection)

    @cached_property
    def inbound_messages(self) -> SqlMessagesView:
        return SqlMessagesView(self._connection)

    @cached_property
    def summaries(self) -> SqlSummaries:
        return SqlSummaries(self._connection)

    @cached_property
    def consumption(self) -> SqlConsumption:
        return SqlConsumption(self._connection, self._zone)

    @cached_property
    def overview(self) -> SqlOverview:
        return SqlOverview(self._connection)

    @cached_property
    def worklist(self) -> SqlWorklist:
        return SqlWorklist(self._connection, self._zone)

    @cached_property
    def ward(self) -> SqlWard:
        return SqlWard(self._connection, self._zone)

    @cached_property
    def shift(self) -> SqlShift:
        return SqlShift(self._connection)

    @property
    def status(self) -> SqlStatus:
        return SqlStatus(self._connection)

    def inconsistencies(self) -> Iterator[Inconsistency]:
        """Yield all inconsistencies."""
        return inconsistencies(self._connection)

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Yield details whose lot or serial number probably is from a wristband."""
        return doubtful_packs(self._connection)

    def catalogue_version(self) -> int:
        """Return the version of the catalogue."""
        return version_of(self._connection, CATALOGUE)

    def catalogue(self) -> CatalogueView:
        """Return the current catalogue."""
        return read_catalogue(self._connection)

    def installation_number(self) -> int:
        """Return the number of this installation."""
        return read_installation_number(self._connection)

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return each entity's last change, according to the audit log."""
        return read_last_changes(self._connection, tracked, ids)

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """Return the ids after ``behind`` of entities changed in a period, by id.

        The period ends before ``until``.
        """
        return read_changed(self._connection, tracked, since, until, behind=behind, most=most)

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted."""
        return read_deletions(self._connection, kind, ids)

    def external_records(self, ids: Collection[int]) -> dict[int, str]:
        """Return what the hospital's system sent about these sheets, by id."""
        return read_external_records(self._connection, ids)

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Return patients by record number, each with the record that replaces it.

        Former numbers are included.
        """
        return read_patients_numbered(self._connection, number)

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """Return the open unlisted items of a sheet, in the order of their use."""
        return read_open_unlisted_items(self._connection, sheet_id)

    def contingency_forms(self, state: FormState, *, most: int) -> list[ContingencyForm]:
        """Return the contingency forms in a state, the oldest first."""
        return read_forms(self._connection, state, most=most)

    def contingency_form_count(self, state: FormState) -> int:
        """Return the number of contingency forms in a state."""
        return count_forms(self._connection, state)

    def has_contingency_form(self, number: int) -> bool:
        """Return whether a contingency form has this number."""
        return has_form(self._connection, number)

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """Return the version of a sheet."""
        return version_of_sheet(self._connection, sheet_id)

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """Return changes of a product's price, newest first."""
        return read_price_changes(self._connection, product_id, most=most)

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Return the names of entities by id; ``field`` is the referring field."""
        return read_names(self._connection, field, ids)

    @cached_property
    def imports(self) -> TableView[ImportView, ListQuery]:
        return TableView(self._connection, IMPORTS)

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the actor of an active session; None after its end."""
        return read_active_session(self._connection, session_id, user_id, at)

    def own_ward(self, user_id: int) -> OwnWardView | None:
        """Return where the user works, or None until it is chosen."""
        return read_own_ward(self._connection, user_id)

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """Return a user's active sessions, oldest first."""
        return read_sessions(self._connection, user_id, at)

    def sessions_on_device(self, device: str, at: datetime) -> list[Session]:
        """Return the active sessions on a device, by user."""
        return read_sessions_on_device(self._connection, device, at)

    def unlock_state(self, user_id: int) -> UnlockState:
        """Return what a user can unlock with."""
        return read_unlock_state(self._connection, user_id)

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the actor and networks of an active key by its digest; else None."""
        return read_active_key(self._connection, digest, at)

    def service_accounts(self) -> list[ServiceAccountView]:
        """Return active service accounts with their keys."""
        return read_service_accounts(self._connection)

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """Return keys that expire before a moment, soonest first."""
        return read_expiring_keys(self._connection, before, most=most)
