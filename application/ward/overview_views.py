"""Views of the overview: the sheets at work, and the figures of today."""

from datetime import date, datetime
from typing import NotRequired, TypedDict

from application.common.redaction import Price
from application.people.views import PersonView
from application.sheets.views import DischargeView, SheetRoomView


class SheetAtWorkView(TypedDict):
    """An open sheet in the overview."""

    id: int
    patient: PersonView
    room: SheetRoomView
    admission_date: date
    days_open: int
    details: int
    last_recorded_at: datetime | None


class TodayView(TypedDict):
    """Today's figures: details, patients and total."""

    details: int
    patients: int
    total: NotRequired[Price]


class OverviewView(TypedDict):
    """The overview, the content of the home page.

    * ``mine`` are the open sheets on which the user worked lately, the latest first.
    * ``discharges`` are open sheets whose patients were discharged by the hospital's system, for users without a
      worklist.
    """

    day: date
    open_sheets: int
    today: TodayView
    mine: list[SheetAtWorkView]
    discharges: NotRequired[list[DischargeView]]
