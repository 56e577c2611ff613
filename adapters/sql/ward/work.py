"""Stores and read models of ward."""

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection, on_first_use
from adapters.sql.ward.board import SqlWard
from adapters.sql.ward.overview import SqlOverview
from adapters.sql.ward.shift import SqlShift
from adapters.sql.ward.worklist import SqlWorklist


class Views(common.Views):
    """Read models."""

    overview = on_connection(SqlOverview)
    worklist = on_first_use(lambda it: SqlWorklist(it.connection, it.zone))
    ward = on_first_use(lambda it: SqlWard(it.connection, it.zone))
    shift = on_connection(SqlShift)
