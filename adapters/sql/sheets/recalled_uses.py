"""Uses of recalled products, until acknowledged."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, text, true

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.products import PRODUCT_NAME
from adapters.sql.catalogue.tables import products
from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.people.staff import USER_NAME
from adapters.sql.people.tables import staff
from adapters.sql.sheets.sheet_names import SHEET_NAME
from adapters.sql.sheets.tables import NOT_VOIDED, details, recalled_uses
from application.ward.worklist_views import RecalledUseView

# A use that was recalled again in the meantime becomes unacknowledged.
_INSERT = text(
    "INSERT INTO recalled_uses (detail_id) VALUES (:detail_id) "
    "ON CONFLICT (detail_id) DO UPDATE SET seen_at = NULL, seen_by = NULL"
)
_IS_UNSEEN = recalled_uses.c.seen_at.is_(None)
_ACKNOWLEDGE = (
    recalled_uses.update()
    .where(recalled_uses.c.detail_id == bindparam("of_detail"), _IS_UNSEEN)
    .values(seen_at=bindparam("at"), seen_by=bindparam("by"))
)
_USE = RowShape[RecalledUseView](
    RecalledUseView,
    details,
    names={
        "detail_id": details.c.id,
        "consumption_sheet_id": details.c.sheet_id,
        **SHEET_NAME.cells,
        "product": PRODUCT_NAME,
        "at": details.c.created_at,
        "by": USER_NAME,
        "reason": details.c.recall_reason,
    },
)
UNSEEN_USES = (
    select(*_USE.columns)
    .select_from(
        SHEET_NAME.join_to(recalled_uses.join(details, details.c.id == recalled_uses.c.detail_id), details.c.sheet_id)
    )
    .join(products, products.c.id == details.c.product_id)
    .join(users, users.c.id == details.c.user_id)
    .outerjoin(staff, staff.c.id == users.c.staff_id)
    # Neither by an index of all lines that are not voided nor in their order: without statistics SQLite would read them
    # all.
    .where(_IS_UNSEEN, NOT_VOIDED.is_(true()))
    .order_by(recalled_uses.c.detail_id.desc())
    .limit(bindparam("most"))
)


class SqlRecalledUses:
    """Uses of recalled products within a unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites) -> None:
        self._connection = connection
        self._pending_writes = pending_writes

    def add(self, detail_ids: Sequence[int]) -> None:
        """Add uses that must be acknowledged."""
        if detail_ids:
            self._pending_writes.write()
            self._connection.execute(_INSERT, [{"detail_id": each} for each in detail_ids])

    def acknowledge(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Acknowledge a use; return False if it is not waiting."""
        return self._connection.execute(_ACKNOWLEDGE, {"of_detail": detail_id, "at": at, "by": user_id}).rowcount > 0


def read_recalled_uses(connection: Connection, *, most: int) -> list[RecalledUseView]:
    """Return unacknowledged uses, latest first."""
    return [_USE.read(row) for row in connection.execute(UNSEEN_USES, {"most": most})]
