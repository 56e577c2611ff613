"""SQL store: SQLite for one ward, PostgreSQL for a hospital."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache
from typing import cast

from sqlalchemy import Connection, QueuePool
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from adapters.sql import (
    areas,
    categories,
    kits,
    late_entries,
    patients,
    products,
    recalls,
    rooms,
    sheets,
    staff,
    typed_names,
    unlisted_items,
    users,
)
from adapters.sql.api_keys import SqlApiKeys, read_active_key, read_expiring_keys, read_service_accounts
from adapters.sql.areas import AREAS
from adapters.sql.audit_log import (
    SqlAuditLog,
    SqlAuditView,
    list_of_entries,
    list_of_entries_of_days,
    read_changed,
    read_last_changes,
    read_price_changes,
)
from adapters.sql.bulk_load import SqlBulkLoad
from adapters.sql.catalogue import read_catalogue
from adapters.sql.categories import CATEGORIES
from adapters.sql.charging import OUTBOUND_MESSAGES, SqlCharges, SqlOutboundMessages, unfinished_messages
from adapters.sql.closings import SqlClosings, SqlClosingsView
from adapters.sql.connections import (
    Limits,
    classify_error,
    connect_for_preparing,
    connect_for_reading,
    connect_for_writing,
    is_conflict,
    is_sqlite,
    probe_write,
    to_url,
    transaction_on,
)
from adapters.sql.consistency import doubtful_packs, inconsistencies
from adapters.sql.consumption import SqlConsumption
from adapters.sql.details import (
    DETAILS,
    EXPORTED_DETAILS,
    SqlDetails,
    SqlDetailsView,
)
from adapters.sql.favourites import SqlFavourites
from adapters.sql.idempotency import SqlIdempotencyStore
from adapters.sql.imports import IMPORTS, SqlImports
from adapters.sql.inbound_messages import SqlInboundMessages, SqlMessagesView, SqlRoomMappings
from adapters.sql.kits import SqlKits, SqlKitsView
from adapters.sql.lists import TableView
from adapters.sql.migrate import SchemaState, revision_of, schema_state_at
from adapters.sql.names import read_names
from adapters.sql.nearest import SqlProductsView
from adapters.sql.overview import SqlOverview
from adapters.sql.packs import SqlPacks, SqlUnknownCodes
from adapters.sql.patient_keys import SqlPatientKeys, SqlPatientNumbers
from adapters.sql.patients import SqlFormerRecordNumbers, SqlPatientsView, read_patients_numbered
from adapters.sql.pending_writes import PendingWrites
from adapters.sql.product_codes import SqlProductCodes
from adapters.sql.products import SqlProducts
from adapters.sql.recalled_uses import SqlRecalledUses
from adapters.sql.recalls import RECALLS
from adapters.sql.recording import begin_recording
from adapters.sql.rooms import SqlRoomsView
from adapters.sql.sessions import SqlSessions, read_active_session, read_sessions
from adapters.sql.sheets import SqlSheets, SqlSheetsView, list_of_closed_sheets
from adapters.sql.staff import STAFF
from adapters.sql.stays import SqlTransfers
from adapters.sql.summaries import SqlSummaries
from adapters.sql.table_mapping import TableStore
from adapters.sql.unlisted_items import read_open_unlisted_items
from adapters.sql.users import (
    USERS,
    SqlFailedAttempts,
    SqlPasswordLinks,
    SqlUsers,
)
from adapters.sql.usual_products import SqlUsualProducts
from adapters.sql.versions import CATALOGUE, bump_version, version_of, version_of_sheet
from application.paging import ListQuery
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.ports.recording import Answer, RecordingContext, RecordingRequest, begin_recording_sequentially
from application.ports.unit_of_work import DuplicateEntry, StoreUnavailable, TransactionConflict, UnavailableReason
from application.ports.views import DoubtfulPack, Inconsistency, PriceChange
from application.views import (
    AreaView,
    CatalogueView,
    CategoryView,
    DetailView,
    ExpiringKeyView,
    ExportedDetailView,
    ImportView,
    OutboundMessageQuery,
    OutboundMessageView,
    RecallQuery,
    RecallView,
    ServiceAccountView,
    StaffQuery,
    StaffView,
    UserQuery,
    UserView,
)
from domain.errors import Code, Reason, Refused, RequestInProgress
from domain.outbound_message import OutboundState
from domain.unlisted_item import UnlistedItem

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
        return SqlConsumption(self._connection)

    @cached_property
    def overview(self) -> SqlOverview:
        return SqlOverview(self._connection, self._zone)

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

    def last_changes(self, entity: str, ids: Collection[int]) -> dict[int, datetime]:
        """Return each entity's last change, according to the audit log."""
        return read_last_changes(self._connection, entity, ids)

    def changed(self, entity: str, since: datetime, until: datetime | None, *, behind: int, most: int) -> list[int]:
        """Return the ids after ``behind`` of entities changed in a period, by id.

        The period ends before ``until``.
        """
        return read_changed(self._connection, entity, since, until, behind=behind, most=most)

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Return patients by record number, each with the record that replaces it.

        Former numbers are included.
        """
        return read_patients_numbered(self._connection, number)

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """Return the open unlisted items of a sheet, in the order of their use."""
        return read_open_unlisted_items(self._connection, sheet_id)

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

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """Return a user's active sessions, oldest first."""
        return read_sessions(self._connection, user_id, at)

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the actor and networks of an active key by its digest; else None."""
        return read_active_key(self._connection, digest, at)

    def service_accounts(self) -> list[ServiceAccountView]:
        """Return active service accounts with their keys."""
        return read_service_accounts(self._connection)

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """Return keys that expire before a moment, soonest first."""
        return read_expiring_keys(self._connection, before, most=most)


class SqlUnitOfWork:
    """All changes of one use case, in one transaction."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        # Audit actions, counted in the metrics after the commit.
        self.done: list[str] = []
        self._connection = connection
        self._catalogue_changed = False
        self.areas = TableStore(connection, areas.MAPPING, self.change_catalogue)
        self.categories = TableStore(connection, categories.MAPPING)
        self.products = SqlProducts(connection, self.change_catalogue)
        self.product_codes = SqlProductCodes(connection, self.change_catalogue)
        self.typed_names = TableStore(connection, typed_names.MAPPING)
        self.recalls = TableStore(connection, recalls.MAPPING)
        self.unknown_codes = SqlUnknownCodes(connection)
        self.patient_keys = SqlPatientKeys(connection)
        self.rooms = TableStore(connection, rooms.MAPPING)
        self.patients = TableStore(connection, patients.MAPPING)
        self.former_record_numbers = SqlFormerRecordNumbers(connection)
        self.staff = TableStore(connection, staff.MAPPING)
        self.users = SqlUsers(connection)
        self.api_keys = SqlApiKeys(connection)
        self.sessions = SqlSessions(connection)
        self.password_links = SqlPasswordLinks(connection)
        self.failed_attempts = SqlFailedAttempts(connection)
        self.sheets = SqlSheets(connection)
        self.closings = SqlClosings(connection)
        self.charges = SqlCharges(connection)
        self.outbound_messages = SqlOutboundMessages(connection)
        self.transfers = SqlTransfers(connection)
        self._pending_writes = PendingWrites(connection)
        self.details = SqlDetails(connection, self._pending_writes)
        self.idempotency_store = SqlIdempotencyStore(connection, self._pending_writes)
        self.audit_log = SqlAuditLog(connection, self._pending_writes, self.done.append)
        self.imports = SqlImports(connection)
        self.kits = SqlKits(connection, self.change_catalogue)
        self.inbound_messages = SqlInboundMessages(connection)
        self.room_mappings = SqlRoomMappings(connection)
        self.late_entries = TableStore(connection, late_entries.MAPPING)
        self.unlisted_items = TableStore(connection, unlisted_items.MAPPING)
        self.favourites = SqlFavourites(connection)
        self.recalled_uses = SqlRecalledUses(connection, self._pending_writes)
        self._views = SqlViews(connection, zone)

    @property
    def views(self) -> SqlViews:
        """The read models, including uncommitted changes."""
        self._pending_writes.write()
        return self._views

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Read everything that recording a detail needs, and lock its sheet."""
        if asked.idempotency_key is None or self._connection.dialect.name != "postgresql":
            return begin_recording_sequentially(self, asked)
        self._pending_writes.write()
        return begin_recording(self._connection, asked)

    def flush(self) -> None:
        """Execute the pending writes.

        The version of the catalogue is advanced last, to hold its lock only briefly.
        """
        self._pending_writes.write()
        if self._catalogue_changed:
            bump_version(self._connection, CATALOGUE)

    def change_catalogue(self) -> None:
        """Advance the catalogue's version, which devices compare, at the end."""
        self._catalogue_changed = True

    def count(self, done: Mapping[str, int]) -> None:
        """Count actions in the metrics, by their name in the audit log."""
        self.done += Counter(done).elements()


class SqlStore:
    """Begins units of work and opens read models.

    ``on_commit`` is called for each committed action. ``reports_url`` is a read replica, which serves reports.
    """

    def __init__(
        self,
        database_url: str,
        zone: tzinfo,
        limits: Limits | None = None,
        *,
        reports_url: str | None = None,
        on_commit: Callable[[str], None] = lambda _: None,
    ) -> None:
        url, limits = to_url(database_url), limits or Limits()
        self._on_commit = on_commit
        self._zone = zone
        self._writing = connect_for_writing(url, limits)
        self._preparing = connect_for_preparing(url, limits)
        self._reading = connect_for_reading(url, limits)
        # A pool of its own: slow reports must not take the connections of other requests.
        few = replace(limits, pool_size=max(2, limits.pool_size // 2))
        self._reporting = connect_for_reading(to_url(reports_url) if reports_url else url, few)
        self._looking = connect_for_reading(url, Limits(pool_size=1, statement_timeout=2, lock_timeout=2))
        # Single-writer lock: SQLite has one writer, and waiting here does not occupy a connection.
        self._one_writer = threading.Lock() if is_sqlite(url) else None
        self._lock_timeout = limits.lock_timeout

    @contextmanager
    def begin(self) -> Iterator[SqlUnitOfWork]:
        """Begin a unit of work: commit on a clean exit, roll back otherwise."""
        with self._writer_lock(), translate_errors(), translate_conflicts(), self._writing.begin() as connection:
            work = SqlUnitOfWork(connection, self._zone)
            yield work
            work.flush()
        self._emit_events(work)

    @contextmanager
    def begin_bulk_load(self) -> Iterator[SqlBulkLoad]:
        """Begin a bulk load on a connection of its own."""
        with translate_errors(), translate_conflicts(), self._preparing.connect() as connection:
            yield SqlBulkLoad(connection, lambda: self._begin_on(connection), self._writer_lock)

    @contextmanager
    def _begin_on(self, connection: Connection) -> Iterator[SqlUnitOfWork]:
        with self._writer_lock(), transaction_on(connection, writing=True):
            work = SqlUnitOfWork(connection, self._zone)
            yield work
            work.flush()
        self._emit_events(work)

    def _emit_events(self, work: SqlUnitOfWork) -> None:
        for event in work.done:
            self._on_commit(event)

    @contextmanager
    def begin_read_only(self) -> Iterator[SqlUnitOfWork]:
        """Open a unit of work for reading only; it takes no locks of writers."""
        with translate_errors(), self._reading.connect() as connection:
            yield SqlUnitOfWork(connection, self._zone)

    @contextmanager
    def read(self) -> Iterator[SqlViews]:
        """Open the read models outside of a unit of work."""
        with translate_errors(), self._reading.connect() as connection:
            yield SqlViews(connection, self._zone)

    @contextmanager
    def read_for_reports(self) -> Iterator[SqlViews]:
        """Open the read models for reports and exports, on a read replica if any."""
        with translate_errors(), self._reporting.connect() as connection:
            yield SqlViews(connection, self._zone)

    def schema_state(self) -> SchemaState:
        """Return the state of the schema, on a separate connection."""
        with self._looking.connect() as connection:
            return schema_state_at(revision_of(connection))

    def try_writing(self) -> UnavailableReason | None:
        """Return why writing fails, or None; the probe is rolled back.

        It uses a separate connection.
        """
        try:
            with self._looking.connect() as connection:
                probe_write(connection)
        except SQLAlchemyError as error:
            return classify_error(error) or UnavailableReason.UNREACHABLE
        return None

    def unfinished_messages(self) -> dict[OutboundState, tuple[int, datetime]] | None:
        """Return number and time of the oldest of waiting and dead messages.

        None if the database cannot be queried.
        """
        try:
            with self._looking.connect() as connection:
                return unfinished_messages(connection)
        except SQLAlchemyError:
            return None

    def held_messages(self) -> int | None:
        """Return the number of held messages; None if it cannot be queried."""
        try:
            with self._looking.connect() as connection:
                return SqlMessagesView(connection).held()
        except SQLAlchemyError:
            return None

    @property
    def pools(self) -> dict[str, QueuePool]:
        """The connection pools by purpose."""
        engines = {"writing": self._writing, "reading": self._reading, "reports": self._reporting}
        return {name: cast("QueuePool", engine.pool) for name, engine in engines.items()}

    def close(self) -> None:
        """Close all connections."""
        for engine in (self._writing, self._preparing, self._reading, self._reporting, self._looking):
            engine.dispose()

    @contextmanager
    def _writer_lock(self) -> Iterator[None]:
        """Hold the single-writer lock (SQLite)."""
        if self._one_writer is None:
            yield
        elif not self._one_writer.acquire(timeout=self._lock_timeout):
            raise StoreUnavailable(UnavailableReason.BUSY)
        else:
            try:
                yield
            finally:
                self._one_writer.release()


@contextmanager
def translate_errors() -> Iterator[None]:
    """Translate database errors.

    Constraint violations become refusals, and temporary errors ``StoreUnavailable``.
    """
    try:
        yield
    except IntegrityError as error:
        raise _refusal(error) from error
    except SQLAlchemyError as error:
        trouble = classify_error(error)
        if trouble is None:
            raise
        raise StoreUnavailable(trouble) from error


@contextmanager
def translate_conflicts() -> Iterator[None]:
    """Raise ``TransactionConflict`` on deadlock or serialization failure."""
    try:
        yield
    except DBAPIError as error:
        if is_conflict(error):
            raise TransactionConflict from error
        raise


# Mappings whose unique constraints are natural keys: a violation is a refusal of that field.
_MAPPINGS = (
    areas.MAPPING, categories.MAPPING, products.MAPPING, patients.MAPPING, users.MAPPING, kits.MAPPING, rooms.MAPPING,
    sheets.MAPPING,
)  # fmt: skip


def _code_in(error: IntegrityError) -> str:
    params = error.params[0] if isinstance(error.params, list) and error.params else error.params
    return str(params.get("code", "")) if isinstance(params, dict) else ""


def _refusal(error: IntegrityError) -> Exception:
    """Return the refusal for a constraint violation; else the error itself."""
    message = str(error.orig)
    if "FOREIGN KEY constraint failed" in message or "foreign key constraint" in message:
        # Another transaction deleted what this refers to, or referred to what this deletes, a moment before.
        if (error.statement or "").startswith("DELETE"):
            return Refused(Reason(Code.IN_USE, params={"count": 1}))
        return Refused(Reason(Code.REFERENCE_GONE))
    if "uq_consumption_details_entry_digest" in message or "consumption_details.entry_digest" in message:
        return DuplicateEntry()
    if "idempotent_answers" in message:
        # The request that held the key ended between reading the answer and claiming the key.
        return RequestInProgress()
    once = ("late_entries", "unlisted_items")
    if any(f"uq_{table}_entry_digest" in message or f"{table}.entry_digest" in message for table in once):
        # Sent at the same moment for another sheet.
        return Refused(Reason(Code.KEY_REUSED))
    if "uq_inbound_messages_source" in message or "inbound_messages.control_id" in message:
        # Received at the same moment by another thread or process.
        return TransactionConflict()
    if "uq_product_codes_system" in message or "product_codes.code_key" in message:
        # A product's own GTIN is one of its codes.
        return Refused(Reason(Code.TAKEN, "code", {"what": "product_codes.code", "value": _code_in(error)}))
    for table, field, column in ((one.table.name, field, key) for one in _MAPPINGS for field, key in one.keys.items()):
        name = getattr(column, "name", None)
        # SQLite names the columns of a constraint; for an index with expressions, it names the index.
        index = f"uq_{table}_{name}"
        if f"UNIQUE constraint failed: {table}.{name}" in message or f'"{index}"' in message or f"'{index}'" in message:
            if field == "staff_id":
                return Refused(Reason(Code.PROFILE_TAKEN, field))
            params = error.params if isinstance(error.params, dict) else {}
            return Refused(Reason(Code.TAKEN, field, {"what": f"{table}.{field}", "value": params.get(field, "")}))
    return error
