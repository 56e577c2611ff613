"""Views of a user's own shift, and of changes to the user's lines."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from application.people.views import PersonView
from application.sheets.views import SheetPatientView
from application.views.catalogue import ProductNameView
from domain.notice import NoticeKind


class NoticeSheetView(TypedDict):
    """The sheet of a line: its patient, and the room's name."""

    id: int
    closed: bool
    patient: PersonView
    room: str


class NoticeView(TypedDict):
    """What another user changed on a line that the caller recorded.

    ``sheet`` and ``detail_id`` are those after the change; ``moved_from`` is the sheet before a move, null otherwise or
    if it was deleted. ``product`` and ``quantity`` are those before the change, ``new_product`` and ``new_quantity``
    those afterwards: null if the line was voided. A product that was deleted is null. ``seen_at`` is null until the
    caller has seen it.
    """

    id: int
    kind: NoticeKind
    at: datetime
    by: str
    seen_at: datetime | None
    sheet: NoticeSheetView
    moved_from: NoticeSheetView | None
    detail_id: int
    product: ProductNameView | None
    quantity: Decimal
    new_product: ProductNameView | None
    new_quantity: Decimal | None


class NoticesView(TypedDict):
    """The caller's unseen notices, the latest first.

    ``more`` means that only the latest ones are listed.
    """

    items: list[NoticeView]
    more: bool


class WorkedShiftView(TypedDict):
    """A shift of one day; ``name`` is its hours, such as ``06:00–14:00``."""

    name: str
    since: datetime
    until: datetime


class ShiftSheetView(TypedDict):
    """What the caller recorded on a sheet.

    ``units`` is the sum of the quantities. Voided lines do not count.
    """

    id: int
    closed: bool
    patient: SheetPatientView
    room: str
    lines: int
    units: Decimal
    last_recorded_at: datetime


class ShiftUnlistedItemView(TypedDict):
    """An open unlisted item that the caller noted."""

    id: int
    sheet: NoticeSheetView
    description: str
    quantity: Decimal
    created_at: datetime


class ShiftView(TypedDict):
    """What the caller recorded since a moment, and what is still open.

    ``until`` is the end of the period, null if it lasts until now. ``shifts`` are the present one and the one before.
    ``sheets`` are sorted by room. ``unlisted_items`` wait for a product, whenever they were noted. ``notices`` are the
    changes by others in the period, seen or not, the latest first.
    """

    since: datetime
    until: datetime | None
    shifts: list[WorkedShiftView]
    sheets: list[ShiftSheetView]
    unlisted_items: list[ShiftUnlistedItemView]
    notices: list[NoticeView]
