"""Stores and read models of imports."""

from adapters.sql.common import work as common
from adapters.sql.common.work import list_view, on_connection
from adapters.sql.imports.imports import IMPORTS, SqlImports


class Views(common.Views):
    """Read models."""

    imports = list_view(IMPORTS)


class Stores(common.Stores):
    """Stores within a unit of work."""

    imports = on_connection(SqlImports)
