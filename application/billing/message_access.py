"""Log who looks at messages to billing."""

from collections.abc import Sequence

from application.audit.access_log import OtherAccess, is_narrowed
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from domain.common.policy import Actor


class MessageAccess(OtherAccess):
    """Access to messages to billing, of which each is about a sheet."""

    def named(self, actor: Actor, query: OutboundMessageQuery, items: Sequence[OutboundMessageView]) -> bool:
        """Log the sheet to which a list is narrowed."""
        sheet_ids = {item["consumption_sheet_id"] for item in items}
        if not is_narrowed(query, sheet_ids):
            return False
        self._access_log.note_sheets_read(actor, sheet_ids)
        return True
