"""Stores and read models of sheets."""

from functools import lru_cache

from sqlalchemy import Connection

from adapters.sql.common import work as common
from adapters.sql.common.job_leases import SqlJobLeases
from adapters.sql.common.versions import version_of_patient_sheet, version_of_sheet
from adapters.sql.common.work import on_connection, on_first_use, query, table_store
from adapters.sql.sheets.area_sheets import SqlAreaSheets
from adapters.sql.sheets.closings import SqlClosings, SqlClosingsView
from adapters.sql.sheets.details import DETAILS, EXPORTED_DETAILS, PATIENT_DETAILS, SqlDetails, SqlDetailsView
from adapters.sql.sheets.device_outboxes import SqlDeviceOutboxes
from adapters.sql.sheets.documents import SqlDocuments, has_document
from adapters.sql.sheets.late_entries import MAPPING as LATE_ENTRIES_MAPPING
from adapters.sql.sheets.missed_charge_answers import SqlMissedCharges
from adapters.sql.sheets.missed_charges import SqlMissedChargesReader
from adapters.sql.sheets.month_changes import SqlMonthChanges
from adapters.sql.sheets.notices import SqlNotices
from adapters.sql.sheets.recalled_uses import SqlRecalledUses
from adapters.sql.sheets.sheets import SqlSheets, SqlSheetsView, list_of_closed_sheets, read_external_records
from adapters.sql.sheets.stays import SqlTransfers
from adapters.sql.sheets.summaries import SqlSummaries
from adapters.sql.sheets.unlisted_items import MAPPING as UNLISTED_ITEMS_MAPPING
from adapters.sql.sheets.unlisted_items import read_open_unlisted_items
from adapters.sql.sheets.usual_numbers import SqlUsualNumbers
from adapters.sql.sheets.usual_products import SqlUsualProducts
from application.sheets.issued_documents import DocumentKind
from application.sheets.summary_views import SheetDocument

_closed_sheets = lru_cache(list_of_closed_sheets)


def sql_accounts(connection: Connection) -> SqlDocuments[SheetDocument]:
    """Return the issued accounts of sheets."""
    return SqlDocuments(connection, DocumentKind.ACCOUNT, SheetDocument)


class Views(common.Views):
    """Read models."""

    sheets = on_first_use(lambda it: SqlSheetsView(it.connection, _closed_sheets(it.zone), it.zone))
    details = on_first_use(lambda it: SqlDetailsView(it.connection, DETAILS))
    exported_details = on_first_use(lambda it: SqlDetailsView(it.connection, EXPORTED_DETAILS))
    patient_details = on_first_use(lambda it: SqlDetailsView(it.connection, PATIENT_DETAILS))
    missed_charges = on_connection(SqlMissedChargesReader)
    usual_products = on_connection(SqlUsualProducts)
    closings = on_connection(SqlClosingsView)
    accounts = on_connection(sql_accounts)
    has_document = query(has_document)
    summaries = on_connection(SqlSummaries)
    area_sheets = on_connection(SqlAreaSheets)
    external_records = query(read_external_records)
    open_unlisted_items = query(read_open_unlisted_items)
    version_of_sheet = query(version_of_sheet)
    version_of_patient_sheet = query(version_of_patient_sheet)


class Stores(common.Stores):
    """Stores within a unit of work."""

    sheets = on_connection(SqlSheets)
    closings = on_connection(SqlClosings)
    accounts = on_connection(sql_accounts)
    transfers = on_connection(SqlTransfers)
    details = on_first_use(lambda work: SqlDetails(work.connection, work.pending_writes))
    late_entries = table_store(LATE_ENTRIES_MAPPING)
    unlisted_items = table_store(UNLISTED_ITEMS_MAPPING)
    usual_numbers = on_connection(SqlUsualNumbers)
    recalled_uses = on_first_use(lambda work: SqlRecalledUses(work.connection, work.pending_writes))
    notices = on_first_use(lambda work: SqlNotices(work.connection, work.pending_writes))
    missed_charges = on_connection(SqlMissedCharges)
    month_changes = on_connection(SqlMonthChanges)
    job_leases = on_connection(SqlJobLeases)
    device_outboxes = on_connection(SqlDeviceOutboxes)
