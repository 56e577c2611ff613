"""Stores and read models of audit."""

from functools import lru_cache

from adapters.sql.audit.audit_log import (
    SqlAuditLog,
    SqlAuditView,
    list_of_entries,
    list_of_entries_of_days,
    read_price_changes,
)
from adapters.sql.common import work as common
from adapters.sql.common.work import on_first_use, query

_entries = lru_cache(list_of_entries)
_entries_of_days = lru_cache(list_of_entries_of_days)


class Views(common.Views):
    """Read models."""

    audit = on_first_use(lambda it: SqlAuditView(it.connection, _entries(it.zone), _entries_of_days(it.zone)))
    price_changes = query(read_price_changes)


class Stores(common.Stores):
    """Stores within a unit of work."""

    audit_log = on_first_use(lambda work: SqlAuditLog(work.connection, work.pending_writes, work.done.append))
