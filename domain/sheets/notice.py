"""Notices: what other users changed on a line, for the user who recorded it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from domain.common.policy import Actor
from domain.sheets.detail import Detail

# Older notices are deleted, seen or not.
NOTICES_LAST = timedelta(days=90)


class NoticeKind(StrEnum):
    """What was changed."""

    VOIDED = "voided"
    MOVED = "moved"
    RETURNED = "returned"
    WASTED = "wasted"
    QUANTITY_CORRECTED = "quantity_corrected"
    PRODUCT_CORRECTED = "product_corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A change to a line by another user than its author.

    * ``user_id`` is the author, ``actor_id`` made the change.
    * ``detail_id`` and ``sheet_id`` are the line and its sheet afterwards. A correction that voids a line refers to the
      one that replaces it.
    * ``from_sheet_id`` is the sheet from which it was moved.
    * ``product_id`` and ``quantity`` are those before the change, ``new_product_id`` and ``new_quantity`` those
      afterwards. A voided line has no new ones.
    * There are no prices.
    """

    id: int = 0
    kind: NoticeKind
    user_id: int
    actor_id: int
    detail_id: int
    sheet_id: int
    from_sheet_id: int | None
    product_id: int
    quantity: Decimal
    new_product_id: int | None
    new_quantity: Decimal | None
    at: datetime
    seen_at: datetime | None = None


def notice_of_change(before: Detail, after: Detail, *, by: Actor, at: datetime) -> Notice | None:
    """Return the notice of a change, or None if its author need not know.

    These are the author's own changes, and those of prices, staff, area and pack. ``after`` may be the line that
    replaces ``before``.
    """
    kind = _kind_of_change(before, after)
    if kind is None or before.user_id == by.user_id:
        return None
    return Notice(
        kind=kind,
        user_id=before.user_id,
        actor_id=by.user_id,
        detail_id=after.id,
        sheet_id=after.sheet_id,
        from_sheet_id=before.sheet_id if kind is NoticeKind.MOVED else None,
        product_id=before.product_id,
        quantity=before.quantity,
        new_product_id=None if after.voided else after.product_id,
        new_quantity=None if after.voided else after.quantity,
        at=at,
    )


def _kind_of_change(before: Detail, after: Detail) -> NoticeKind | None:
    if after.voided:
        return NoticeKind.VOIDED
    if after.sheet_id != before.sheet_id:
        return NoticeKind.MOVED
    if after.use_reason and after.use_reason != before.use_reason:
        return NoticeKind.WASTED
    if after.product_id != before.product_id:
        return NoticeKind.PRODUCT_CORRECTED
    # The line that replaces another one has no returns of its own.
    if after.id == before.id and after.returned != before.returned:
        return NoticeKind.RETURNED
    return NoticeKind.QUANTITY_CORRECTED if after.quantity != before.quantity else None
