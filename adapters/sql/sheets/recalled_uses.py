"""Uses of recalled products, until acknowledged."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, text

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.tables import products, rooms
from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.tables import NOT_VOIDED, details, recalled_uses, sheets
from application.catalogue.views import ProductNameView
from application.people.views import PersonView
from application.ward.worklist_views import RecalledUseView
from domain.common.text import full_name

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
_UNSEEN = (
    select(
        details.c.id,
        details.c.sheet_id,
        details.c.lot,
        details.c.recall_reason,
        details.c.quantity,
        details.c.created_at,
        sheets.c.closed_at,
        sheets.c.patient_id,
        patients.c.name.label("patient_name"),
        patients.c.first_surname,
        patients.c.second_surname,
        rooms.c.name.label("room_name"),
        details.c.product_id,
        products.c.name.label("product_name"),
        products.c.code,
        products.c.unit,
        users.c.email,
        staff.c.name.label("by_name"),
        staff.c.first_surname.label("by_first"),
        staff.c.second_surname.label("by_second"),
    )
    .join_from(recalled_uses, details, details.c.id == recalled_uses.c.detail_id)
    .join(sheets, sheets.c.id == details.c.sheet_id)
    .join(patients, patients.c.id == sheets.c.patient_id)
    .join(rooms, rooms.c.id == sheets.c.room_id)
    .join(products, products.c.id == details.c.product_id)
    .join(users, users.c.id == details.c.user_id)
    .outerjoin(staff, staff.c.id == users.c.staff_id)
    .where(_IS_UNSEEN, NOT_VOIDED)
    .order_by(details.c.id.desc())
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
    return [_view(row) for row in connection.execute(_UNSEEN, {"most": most})]


def _view(row: Any) -> RecalledUseView:
    return RecalledUseView(
        detail_id=row.id,
        consumption_sheet_id=row.sheet_id,
        closed=row.closed_at is not None,
        patient=PersonView(
            id=row.patient_id,
            name=row.patient_name,
            first_surname=row.first_surname,
            second_surname=row.second_surname,
        ),
        room=row.room_name,
        product=ProductNameView(id=row.product_id, name=row.product_name, code=row.code, unit=row.unit),
        lot=row.lot,
        quantity=row.quantity,
        at=row.created_at,
        by=full_name(row.by_name, row.by_first, row.by_second) or row.email,
        reason=row.recall_reason,
    )
