"""Stores and read models of reports."""

from sqlalchemy import Connection

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection, on_first_use, query
from adapters.sql.reports.consistency import doubtful_packs, inconsistencies
from adapters.sql.reports.consumption import SqlConsumption
from adapters.sql.reports.judgements import SqlJudgements
from adapters.sql.reports.months import SqlMonthFigures
from adapters.sql.reports.tracked_changes import read_changed, read_deletions, read_last_changes
from adapters.sql.sheets.documents import SqlDocuments
from application.reports.month_views import FrozenMonth, MonthDocument
from application.sheets.issued_documents import DocumentKind


def sql_months(connection: Connection) -> SqlDocuments[MonthDocument]:
    """Return the closed months."""
    return SqlDocuments(connection, DocumentKind.MONTH, MonthDocument)


def _shown_months(connection: Connection) -> SqlDocuments[FrozenMonth]:
    return SqlDocuments(connection, DocumentKind.MONTH, FrozenMonth)


class Views(common.Views):
    """Read models."""

    months = on_connection(sql_months)
    shown_months = on_connection(_shown_months)
    month_figures = on_first_use(lambda it: SqlMonthFigures(it.connection))
    consumption = on_first_use(lambda it: SqlConsumption(it.connection, it.zone))
    inconsistencies = query(inconsistencies)
    doubtful_packs = query(doubtful_packs)
    last_changes = query(read_last_changes)
    changed = query(read_changed)
    deletions = query(read_deletions)


class Stores(common.Stores):
    """Stores within a unit of work."""

    judgements = on_connection(SqlJudgements)
    months = on_connection(sql_months)
