"""Read the overview and the rooms of a ward."""

from collections.abc import Collection
from datetime import date
from typing import Protocol

from application.catalogue.views import AreaView
from application.ward.overview_views import SheetAtWorkView, TodayView
from application.ward.ward_views import WardRoomView

# The number of days for which the ward counts lines, up to today.
WARD_DAYS = 7

# How far back the overview looks. Its queries only read the latest data, so their cost does not grow with the data.
RECORDED_BY_PERSON = 300

OPENED_BY_PERSON = 50


class Overview(Protocol):
    """Reads the data of the home page."""

    def today(self, day: date) -> TodayView:
        """Return the figures of a day."""

    def open_sheets(self) -> int:
        """Return the number of open sheets."""

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """Return the open sheets on which the user works, the latest first.

        They are those among the last ``OPENED_BY_PERSON`` sheets that the user opened, and those of the last
        ``RECORDED_BY_PERSON`` details.
        """

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return these open sheets, by id."""


class WardReader(Protocol):
    """Reads the rooms of the hospital with their patients."""

    def areas(self) -> list[AreaView]:
        """Return the areas that have rooms, by name."""

    def rooms(self, area_id: int | None, today: date, *, most: int) -> list[WardRoomView]:
        """Return the first rooms of an area by name, with their open sheets.

        Without ``area_id``, those of all areas. ``mine`` is false.
        """
