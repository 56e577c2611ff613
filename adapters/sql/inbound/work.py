"""Stores and read models of inbound."""

from adapters.sql.common import work as common
from adapters.sql.common.work import on_connection
from adapters.sql.inbound.inbound_messages import (
    SqlInboundMessages,
    SqlMessagesView,
    SqlReceiverSettings,
    SqlRoomMappings,
)


class Views(common.Views):
    """Read models."""

    inbound_messages = on_connection(SqlMessagesView)


class Stores(common.Stores):
    """Stores within a unit of work."""

    inbound_messages = on_connection(SqlInboundMessages)
    room_mappings = on_connection(SqlRoomMappings)
    receiver_settings = on_connection(SqlReceiverSettings)
