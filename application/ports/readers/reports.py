"""Read reports, the overview and inconsistencies."""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol

from application.views.catalogue import AreaView, ProductNameView
from application.views.reports import (
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    RecalledUseView,
    SheetAtWorkView,
    TodayView,
)
from application.views.sheets import DischargeView, LateSheetView, UnlistedSheetView
from application.views.ward import WardRoomView


class ConsumptionReports(Protocol):
    """Adds up consumption. The query must have a period and an order."""

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """Return the requested page, with the sums of all rows."""

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Return all rows, ignoring page and limit."""


class LongOpenSheet(NamedTuple):
    """An open sheet with its admission and the time of the last detail."""

    id: int
    admission_date: date
    last_recorded_at: datetime | None


class DetailOfToday(NamedTuple):
    """A detail of today on an open sheet.

    ``usual`` is the usual quantity of the product, if the query includes it.
    """

    id: int
    sheet_id: int
    product: ProductNameView
    quantity: Decimal
    usual: Decimal | None


# The number of days for which the ward counts lines, up to today.
WARD_DAYS = 7

# How far back the overview looks. Its queries only read the latest data, so their cost does not grow with the data.
RECORDED_BY_PERSON = 300
OPENED_BY_PERSON = 50
OLDEST_OPEN = 200
LATEST_OF_TODAY = 100


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

    def oldest_open(self, admitted_by: date) -> list[LongOpenSheet]:
        """Return the ``OLDEST_OPEN`` open sheets with the oldest admissions.

        Admissions after ``admitted_by`` are left out. The oldest comes first.
        """

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """Return the day's details with quantity zero, the latest first."""

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[DetailOfToday]:
        """Return the day's far-out details, the latest first.

        Only the last ``LATEST_OF_TODAY`` details of the day are checked.
        """

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """Return active products without a price, by name."""

    def recalled(self, *, most: int) -> tuple[list[RecalledUseView], int]:
        """Return unacknowledged uses of recalled lots, and their number.

        The latest comes first.
        """

    def late(self, *, most: int) -> list[LateSheetView]:
        """Return the sheets with undecided late entries, the longest wait first."""

    def unlisted(self, *, most: int) -> tuple[list[UnlistedSheetView], int]:
        """Return the sheets with open unlisted items, and their number.

        The longest wait comes first.
        """

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Return open sheets of discharged patients, the longest wait first."""

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return these open sheets, by id."""


class WardReader(Protocol):
    """Reads the rooms of the hospital with their patients."""

    def areas(self) -> list[AreaView]:
        """Return the areas that have rooms, by name."""

    def rooms(self, area_id: int | None, today: date, *, most: int) -> list[WardRoomView]:
        """Return the first rooms of an area by name, with their open sheets.

        Without ``area_id``, those of all areas. Rooms out of service are left out, unless they have an open sheet.
        ``mine`` is false.
        """


class InconsistencyKind(StrEnum):
    """The kinds of inconsistencies."""

    # The sheet's total is not the sum of the lines that count.
    TOTAL = "total"
    # A line was recorded after the sheet was closed.
    AFTER_CLOSING = "after_closing"
    # The returned quantity of a line is not the sum of its returns.
    RETURNED = "returned"
    # The lines in a closing do not add up to its total, or the closed sheet has another total.
    CLOSING = "closing"
    # The charges do not add up to the closing that caused them, or the sheet was deleted and charges remain.
    CHARGED = "charged"


class Inconsistency(NamedTuple):
    """A value on a sheet that does not add up."""

    kind: InconsistencyKind
    sheet_id: int
    detail_id: int | None
    expected: Decimal | None
    found: Decimal | None


class DoubtfulPack(NamedTuple):
    """A detail whose pack data was probably scanned from a wristband.

    Its ``field``, ``lot`` or ``serial``, is a record number without its first two digits.
    """

    sheet_id: int
    detail_id: int
    field: str
