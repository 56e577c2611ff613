"""Views of a user's own shift, and of changes to the user's lines."""

from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from application.catalogue.views import AreaView
from application.sheets.notice_views import NoticeSheetView, NoticeView
from application.sheets.views import SheetPatientView


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
    patient: SheetPatientView | None
    room: str | None
    area: NotRequired[AreaView]
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
