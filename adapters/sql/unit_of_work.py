"""Unit of work: all stores on one connection, and the pending writes."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import tzinfo
from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from adapters.sql.accounts import unlocking
from adapters.sql.accounts.api_keys import SqlApiKeys
from adapters.sql.accounts.passkeys import SqlPasskeys, SqlPasskeySecrets
from adapters.sql.accounts.sessions import SqlSessions
from adapters.sql.accounts.users import SqlFailedAttempts, SqlPasswordLinks, SqlSetupLinks, SqlUsers
from adapters.sql.audit.audit_log import SqlAuditLog
from adapters.sql.billing.charging import SqlCharges, SqlOutboundMessages
from adapters.sql.catalogue import areas, categories, recalls, rooms, set_aside, typed_names
from adapters.sql.catalogue.favourites import SqlFavourites
from adapters.sql.catalogue.kits import SqlKits
from adapters.sql.catalogue.packs import SqlUnknownCodes
from adapters.sql.catalogue.pictures import SqlProductPictures
from adapters.sql.catalogue.product_codes import SqlProductCodes
from adapters.sql.catalogue.products import SqlProducts
from adapters.sql.common.idempotency import SqlIdempotencyStore
from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.common.versions import CATALOGUE, bump_version
from adapters.sql.engine.table_mapping import TableStore
from adapters.sql.forms import contingency_forms
from adapters.sql.hospital.hospital_settings import SqlHospitalSettings
from adapters.sql.imports.imports import SqlImports
from adapters.sql.inbound.inbound_messages import SqlInboundMessages, SqlReceiverSettings, SqlRoomMappings
from adapters.sql.people import patients, staff
from adapters.sql.people.patient_keys import SqlPatientKeys
from adapters.sql.people.patients import SqlFormerRecordNumbers, SqlNumberAuthorities
from adapters.sql.reports.judgements import SqlJudgements
from adapters.sql.restock.restock import SqlRestock
from adapters.sql.sheets import late_entries, unlisted_items
from adapters.sql.sheets.closings import SqlClosings
from adapters.sql.sheets.details import SqlDetails
from adapters.sql.sheets.device_outboxes import SqlDeviceOutboxes
from adapters.sql.sheets.missed_charge_answers import SqlJobLeases, SqlMissedCharges
from adapters.sql.sheets.notices import SqlNotices
from adapters.sql.sheets.recalled_uses import SqlRecalledUses
from adapters.sql.sheets.recording import begin_recording
from adapters.sql.sheets.sheets import SqlSheets
from adapters.sql.sheets.stays import SqlTransfers
from adapters.sql.sheets.usual_numbers import SqlUsualNumbers
from adapters.sql.status.backups import SqlBackups
from adapters.sql.views import SqlViews
from application.sheets.recording import Answer, RecordingContext, RecordingRequest, begin_recording_sequentially

Stored = TypeVar("Stored")


def _on_first_use(make: "Callable[[SqlUnitOfWork], Stored]") -> cached_property[Stored]:
    """Return an attribute whose store is created by its first use."""
    return cached_property(make)


class SqlUnitOfWork:
    """All changes of one use case, in one transaction."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        # Audit actions, counted in the metrics after the commit.
        self.done: list[str] = []
        self._connection = connection
        self._zone = zone
        self._catalogue_changed = False
        self._pending_writes = PendingWrites(connection)

    areas = _on_first_use(lambda work: areas.SqlAreas(work._connection, areas.MAPPING, work.change_catalogue))
    categories = _on_first_use(lambda work: TableStore(work._connection, categories.MAPPING))
    products = _on_first_use(lambda work: SqlProducts(work._connection, work.change_catalogue))
    product_codes = _on_first_use(lambda work: SqlProductCodes(work._connection, work.change_catalogue))
    product_pictures = _on_first_use(lambda work: SqlProductPictures(work._connection, work.change_catalogue))
    typed_names = _on_first_use(lambda work: TableStore(work._connection, typed_names.MAPPING))
    recalls = _on_first_use(lambda work: TableStore(work._connection, recalls.MAPPING))
    set_aside = _on_first_use(lambda work: TableStore(work._connection, set_aside.MAPPING))
    unknown_codes = _on_first_use(lambda work: SqlUnknownCodes(work._connection))
    patient_keys = _on_first_use(lambda work: SqlPatientKeys(work._connection))
    rooms = _on_first_use(lambda work: TableStore(work._connection, rooms.MAPPING))
    patients = _on_first_use(lambda work: TableStore(work._connection, patients.MAPPING))
    former_record_numbers = _on_first_use(lambda work: SqlFormerRecordNumbers(work._connection))
    number_authorities = _on_first_use(lambda work: SqlNumberAuthorities(work._connection))
    staff = _on_first_use(lambda work: TableStore(work._connection, staff.MAPPING))
    users = _on_first_use(lambda work: SqlUsers(work._connection))
    api_keys = _on_first_use(lambda work: SqlApiKeys(work._connection))
    sessions = _on_first_use(lambda work: SqlSessions(work._connection))
    pins = _on_first_use(lambda work: unlocking.SqlPins(work._connection))
    badges = _on_first_use(lambda work: TableStore(work._connection, unlocking.BADGES))
    password_links = _on_first_use(lambda work: SqlPasswordLinks(work._connection))
    setup_links = _on_first_use(lambda work: SqlSetupLinks(work._connection))
    passkeys = _on_first_use(lambda work: SqlPasskeys(work._connection))
    passkey_secrets = _on_first_use(lambda work: SqlPasskeySecrets(work._connection))
    failed_attempts = _on_first_use(lambda work: SqlFailedAttempts(work._connection))
    sheets = _on_first_use(lambda work: SqlSheets(work._connection))
    closings = _on_first_use(lambda work: SqlClosings(work._connection))
    charges = _on_first_use(lambda work: SqlCharges(work._connection))
    outbound_messages = _on_first_use(lambda work: SqlOutboundMessages(work._connection))
    transfers = _on_first_use(lambda work: SqlTransfers(work._connection))
    details = _on_first_use(lambda work: SqlDetails(work._connection, work._pending_writes))
    idempotency_store = _on_first_use(lambda work: SqlIdempotencyStore(work._connection, work._pending_writes))
    audit_log = _on_first_use(lambda work: SqlAuditLog(work._connection, work._pending_writes, work.done.append))
    imports = _on_first_use(lambda work: SqlImports(work._connection))
    kits = _on_first_use(lambda work: SqlKits(work._connection, work.change_catalogue))
    inbound_messages = _on_first_use(lambda work: SqlInboundMessages(work._connection))
    room_mappings = _on_first_use(lambda work: SqlRoomMappings(work._connection))
    receiver_settings = _on_first_use(lambda work: SqlReceiverSettings(work._connection))
    hospital_settings = _on_first_use(lambda work: SqlHospitalSettings(work._connection))
    late_entries = _on_first_use(lambda work: TableStore(work._connection, late_entries.MAPPING))
    unlisted_items = _on_first_use(lambda work: TableStore(work._connection, unlisted_items.MAPPING))
    contingency_forms = _on_first_use(lambda work: TableStore(work._connection, contingency_forms.MAPPING))
    favourites = _on_first_use(lambda work: SqlFavourites(work._connection))
    usual_numbers = _on_first_use(lambda work: SqlUsualNumbers(work._connection))
    recalled_uses = _on_first_use(lambda work: SqlRecalledUses(work._connection, work._pending_writes))
    notices = _on_first_use(lambda work: SqlNotices(work._connection, work._pending_writes))
    missed_charges = _on_first_use(lambda work: SqlMissedCharges(work._connection))
    restock = _on_first_use(lambda work: SqlRestock(work._connection))
    job_leases = _on_first_use(lambda work: SqlJobLeases(work._connection))
    judgements = _on_first_use(lambda work: SqlJudgements(work._connection))
    device_outboxes = _on_first_use(lambda work: SqlDeviceOutboxes(work._connection))
    backups = _on_first_use(lambda work: SqlBackups(work._connection))
    _views = _on_first_use(lambda work: SqlViews(work._connection, work._zone))

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
