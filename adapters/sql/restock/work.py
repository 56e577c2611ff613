"""Stores and read models of restock."""

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection
from adapters.sql.restock.restock import SqlRestock, SqlRestockReader


class Views(common.Views):
    """Read models."""

    restock = on_connection(SqlRestockReader)


class Stores(common.Stores):
    """Stores within a unit of work."""

    restock = on_connection(SqlRestock)
