"""Stores and read models of status."""

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection
from adapters.sql.status.backups import SqlBackups
from adapters.sql.status.status import SqlStatus


class Views(common.Views):
    """Read models."""

    status = on_connection(SqlStatus)


class Stores(common.Stores):
    """Stores within a unit of work."""

    backups = on_connection(SqlBackups)
