"""Views of a patient who was scanned."""

from datetime import date
from typing import TypedDict

from application.people.views import PersonView


class PlaceView(TypedDict):
    """A room, by name."""

    id: int
    name: str


class ScannedSheetView(TypedDict):
    """An open sheet of a patient who was scanned."""

    id: int
    room: PlaceView
    admission_date: date


class ScannedPersonView(PersonView):
    """A patient who was scanned, with the open sheets.

    ``sheets`` are sorted by admission, the latest first. ``sheet_id`` is the sheet whose visit number or label was
    scanned, open or closed. It is null if the number is the patient's.
    """

    record_number: str | None
    date_of_birth: date | None
    sheet_id: int | None
    sheets: list[ScannedSheetView]
