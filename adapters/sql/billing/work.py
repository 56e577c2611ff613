"""Stores and read models of billing."""

from adapters.sql.billing.charging import OUTBOUND_MESSAGES, SqlCharges, SqlOutboundMessages
from adapters.sql.common import work as common
from adapters.sql.common.work import list_view, on_connection


class Views(common.Views):
    """Read models."""

    outbound_messages = list_view(OUTBOUND_MESSAGES)


class Stores(common.Stores):
    """Stores within a unit of work."""

    charges = on_connection(SqlCharges)
    outbound_messages = on_connection(SqlOutboundMessages)
