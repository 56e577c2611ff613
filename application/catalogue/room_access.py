"""Log who looks at rooms with patients."""

from collections.abc import Sequence

from application.audit.access_log import OtherAccess, is_narrowed
from application.catalogue.views import RoomQuery, RoomView
from application.common.entities import AuditAction
from domain.common.policy import Actor


class RoomAccess(OtherAccess):
    """Access to rooms, which show their patients."""

    def listed(self, actor: Actor, query: RoomQuery, items: Sequence[RoomView]) -> None:
        """Log a list of rooms if any of them has a patient."""
        occupied = [room for room in items if room["sheets"]]
        if is_narrowed(query, occupied):
            self._access_log.note_sheets_read(actor, (sheet["id"] for room in occupied for sheet in room["sheets"]))
        elif occupied:
            self._access_log.note_list_read(actor, AuditAction.ROOM_LISTED)

    def read(self, actor: Actor, item: RoomView) -> None:
        """Log the sheets of the patients in a room."""
        if item["sheets"]:
            self._access_log.note_sheets_read(actor, (sheet["id"] for sheet in item["sheets"]))
