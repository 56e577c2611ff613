"""Stores and read models of history."""

from adapters.sql.common import work as common
from adapters.sql.common.work import query
from adapters.sql.history.names import read_names


class Views(common.Views):
    """Read models."""

    names = query(read_names)
