"""Views of the ward: rooms with their patients."""

from datetime import date, datetime
from typing import TypedDict

from application.catalogue.views import AreaView
from application.sheets.views import SheetPatientView


class WardSheetView(TypedDict):
    """An open sheet on the ward.

    ``lines_by_day`` are the lines of each of the last seven hospital days, the oldest first; the last one is
    ``lines_today``. ``discharge_proposed`` means that the hospital's system has announced the discharge. ``mine`` means
    that the caller worked on it lately.
    """

    id: int
    patient: SheetPatientView
    admission_date: date
    lines_today: int
    lines_by_day: list[int]
    last_recorded_at: datetime | None
    discharge_proposed: bool
    unlisted_items: int
    mine: bool


class WardRoomView(TypedDict):
    """A room on the ward, with its open sheets, the longest admitted first.

    ``status`` uses the numbers of rooms.
    """

    id: int
    name: str
    status: int
    area: AreaView
    sheets: list[WardSheetView]


class WardView(TypedDict):
    """The rooms of an area or of the whole hospital, by name.

    ``areas`` are all areas with rooms. ``more_rooms`` means that only the first rooms are listed.
    """

    day: date
    areas: list[AreaView]
    rooms: list[WardRoomView]
    more_rooms: bool
